import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import { type Issue, IssueOrder, IssueStore, Transactor } from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { Storage } from "../src/index.ts";
import { keyWords } from "../src/migrations/0056_key_words.ts";
import { layerClient, tempFolder } from "./support/TestStorage.ts";

const storage = Layer.unwrap(
  Effect.map(tempFolder, (folder) =>
    Layer.provideMerge(Storage.layerStores, layerClient(join(folder, "test.db"))),
  ),
);

const all = { limit: 500, order: "asc", after: null } as const;

const transacted = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  Transactor.Transactor.use(({ transact }) => transact(change));

const found = Effect.fnUntraced(function* (
  projectId: string,
  words: ReadonlyArray<string>,
  filter: Partial<IssueStore.IssueQuery> = {},
  slice: Parameters<IssueStore.IssueStore["Service"]["search"]>[1] = all,
) {
  const issues = yield* IssueStore.IssueStore;
  const query = { ...filter, projects: [projectId], words, sort: "created" } as const;
  const { hits } = yield* issues.search(query, slice);
  return hits.map(({ issue }) => issue.title);
});

/** Text that fills most of a chapter, so that each text starts a new chapter. */
const long = (word: string) => `${"filler ".repeat(6_000)}${word}`;

const comment = (issue: Issue.IssueRow, content: string) =>
  transacted(Fixtures.comment(issue.id, { content }));

layer(Layer.merge(storage, SeededRandom.layer))("full text", (it) => {
  it.effect("words may be spread over the chapters of an issue", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const issue = yield* transacted(Fixtures.issue({ projectId, title: "Alpha" }));
      yield* transacted(Fixtures.issue({ projectId, title: "Alpha gamma" }));
      for (const word of ["beta", "gamma", "delta"]) yield* comment(issue, long(word));
      yield* comment(issue, "epsilon");
      for (const words of [
        ["alpha", "beta"],
        ["alpha", "delta"],
        ["beta", "gamma", "delta", "epsilon"],
        ["epsilon"],
        ["filler", "alpha", "epsilon"],
      ]) {
        assert.deepStrictEqual(yield* found(projectId, words), ["Alpha"], words.join());
      }
      assert.deepStrictEqual(yield* found(projectId, ["alpha"]), ["Alpha", "Alpha gamma"]);
      assert.deepStrictEqual(yield* found(projectId, ["alpha", "gamma"]), ["Alpha", "Alpha gamma"]);
      assert.deepStrictEqual(yield* found(projectId, ["alpha", "zeta"]), []);
      assert.deepStrictEqual(yield* found(`${projectId}x`, ["epsilon"]), []);
    }),
  );

  it.effect("a comment reindexes one chapter, however long the issue is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const issue = yield* transacted(Fixtures.issue());
      for (let n = 0; n < 8; n++) yield* comment(issue, long(`w${n}`));
      const chapters = yield* sql<{ readonly chapter: number; readonly size: number }>`
        SELECT chapter, sum(length(content)) AS size FROM comments WHERE issue_id = ${issue.id}
        GROUP BY chapter ORDER BY chapter`;
      assert.lengthOf(chapters, 8);
      assert.isTrue(chapters.every(({ size }) => size <= 65_536));
    }),
  );

  it.effect("a change of title and description keeps comments and chapters", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const issue = yield* transacted(Fixtures.issue({ projectId, title: "Old" }));
      yield* comment(issue, "short");
      for (const word of ["beta", "gamma"]) yield* comment(issue, long(word));
      yield* transacted(issues.update([{ ...issue, title: "New", description: "words" }]));
      assert.deepStrictEqual(yield* found(projectId, ["old"]), []);
      assert.deepStrictEqual(yield* found(projectId, ["new", "words", "short", "gamma"]), ["New"]);
    }),
  );

  it.effect("a removed issue leaves nothing in the index", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const sql = yield* SqlClient.SqlClient;
      const projectId = yield* Fixtures.id("project");
      const before = yield* sql`SELECT id FROM chapter_text_docsize`;
      const issue = yield* transacted(Fixtures.issue({ projectId, title: "Alpha" }));
      for (const word of ["beta", "gamma"]) yield* comment(issue, long(word));
      assert.isAbove((yield* sql`SELECT id FROM chapter_text_docsize`).length, before.length);
      yield* transacted(issues.remove(issue.id));
      assert.deepStrictEqual(yield* sql`SELECT id FROM chapter_text_docsize`, before);
      assert.deepStrictEqual(yield* found(projectId, ["alpha"]), []);
      assert.deepStrictEqual(yield* found(projectId, ["alpha", "gamma"]), []);
    }),
  );

  it.effect("short and long issues share one order, also by page and with filters", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      for (let n = 0; n < 6; n++) {
        const status = n < 4 ? "Open" : "Closed";
        const issue = yield* transacted(Fixtures.issue({ projectId, title: `n${n}`, status }));
        if (n % 2 === 0) {
          yield* comment(issue, "alpha beta");
        } else {
          yield* comment(issue, long("alpha"));
          yield* comment(issue, long("beta"));
        }
      }
      const words = ["beta", "alpha"];
      const order = ["n0", "n1", "n2", "n3", "n4", "n5"];
      assert.deepStrictEqual(yield* found(projectId, words), order);
      assert.deepStrictEqual(
        yield* found(projectId, words, {}, { ...all, order: "desc" }),
        order.toReversed(),
      );
      assert.deepStrictEqual(yield* found(projectId, words, { status: ["Closed"] }), ["n4", "n5"]);
      const issues = yield* IssueStore.IssueStore;
      const pages: Array<string> = [];
      let after: IssueOrder.SearchKey | null = null;
      for (;;) {
        const { hits }: IssueStore.Found = yield* issues.search(
          { projects: [projectId], words, sort: "created" },
          { limit: 2, order: "desc", after },
        );
        if (hits.length === 0) break;
        pages.push(...hits.map(({ issue }) => issue.title));
        after = hits.map(IssueOrder.foundKeyset.keyOf).at(-1) ?? null;
      }
      assert.deepStrictEqual(pages, order.toReversed());
    }),
  );

  it.effect(
    "[search.truncated] a search returns the same issues, whether words and filters match few or many, and says that it considers 2,000",
    () =>
      Effect.gen(function* () {
        const projectId = yield* Fixtures.id("project");
        yield* transacted(
          Effect.forEach(
            Array.from({ length: 2_400 }, (_, n) => n),
            (n) =>
              Fixtures.issue({
                projectId,
                title: `common t${n}`,
                assigneeUserId: n % 2 === 0 ? "many" : n % 100 === 1 ? "few" : null,
              }),
            { discard: true },
          ),
        );
        const titles = (step: number, first: number, length: number) =>
          Array.from({ length }, (_, n) => `common t${first + n * step}`);
        const issues = yield* IssueStore.IssueStore;
        const query = { projects: [projectId], words: ["common"], sort: "relevance" } as const;
        const { hits, isTruncated } = yield* issues.search(query, { ...all, order: "desc" });
        assert.lengthOf(hits, 500);
        assert.isTrue(isTruncated);
        const many = yield* found(projectId, ["common"], { assigneeId: ["many"] });
        assert.deepStrictEqual(many, titles(2, 0, 500));
        const few = yield* found(projectId, ["common"], { assigneeId: ["few"] });
        assert.deepStrictEqual(few, titles(100, 1, 24));
        const page = { ...all, limit: 10, order: "desc" } as const;
        assert.deepStrictEqual(
          yield* found(projectId, ["common"], { assigneeId: ["few"] }, page),
          titles(100, 1_401, 10).toReversed(),
        );
        assert.deepStrictEqual(
          yield* found(projectId, ["common", "t1401"], { assigneeId: ["few"] }),
          ["common t1401"],
        );
        assert.deepStrictEqual(
          yield* found(projectId, ["common", "t1401"], { assigneeId: ["many"] }),
          [],
        );
      }),
  );

  it.effect("[search.rebuild] an index of an older version is built again in steps", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const sql = yield* SqlClient.SqlClient;
      const projectId = yield* Fixtures.id("project");
      const made = yield* transacted(
        Effect.forEach(Array.from({ length: 150 }), (_, n) =>
          Fixtures.issue({ projectId, title: "Older", createdAt: Fixtures.at(n) }),
        ),
      );
      for (const word of ["beta", "gamma"]) yield* comment(made[149]!, long(word));
      const seqs = made.map(({ seq }) => seq);
      yield* transacted(sql`DELETE FROM issue_text`);
      yield* transacted(sql`DELETE FROM chapter_text`);
      yield* transacted(sql`DELETE FROM search_index`);
      yield* transacted(
        sql`INSERT INTO search_index VALUES (1, 0, ${seqs[0]! - 1}, ${seqs[149]!})`,
      );
      const search = issues.search(
        { projects: [projectId], words: ["older"], sort: "created" },
        all,
      );
      assert.deepInclude(yield* search, { hits: [] });
      assert.isNotNull((yield* search).asOf);
      const steps: Array<number> = [];
      for (;;) {
        const count = yield* transacted(issues.indexOlder);
        if (count === 0) break;
        steps.push(count);
        // A new issue is found although the work has not come to it.
        const late = yield* transacted(Fixtures.issue({ title: `late${steps.length}` }));
        assert.deepStrictEqual(yield* found(late.projectId, [late.title]), [late.title]);
      }
      assert.isTrue(steps.every((count) => count <= 100));
      assert.isAbove(steps.length, 1);
      const { asOf, hits } = yield* search;
      assert.isNull(asOf);
      assert.lengthOf(hits, 150);
      assert.lengthOf(yield* found(projectId, ["older", "beta", "gamma"]), 1);
    }),
  );

  it.effect("[search.rebuild] an update to numbers in the index indexes all issues again", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const sql = yield* SqlClient.SqlClient;
      const projectId = yield* Fixtures.id("project");
      const made = yield* transacted(Fixtures.issue({ projectId, title: "Older" }));
      yield* transacted(sql`UPDATE issue_text SET body = ${"d0:older"} WHERE rowid = ${made.seq}`);
      const search = issues.search({ projects: [projectId], words: ["1"], sort: "created" }, all);
      assert.deepInclude(yield* search, { hits: [], asOf: null });
      yield* transacted(keyWords);
      assert.isNotNull((yield* search).asOf);
      while ((yield* transacted(issues.indexOlder)) > 0);
      const { asOf, hits } = yield* search;
      assert.isNull(asOf);
      assert.deepStrictEqual(
        hits.map(({ issue }) => issue.id),
        [made.id],
      );
    }),
  );

  it.effect("a search distinguishes projects by case and punctuation", () =>
    Effect.gen(function* () {
      const ids = ["Case", "case", "cAse", "c-a.s_e:", "^case", ":case", 'x" OR "case'];
      for (const projectId of ids.slice(0, 4)) {
        yield* transacted(Fixtures.issue({ projectId, title: `in ${projectId}` }));
      }
      for (const projectId of ids) {
        const expected = ids.indexOf(projectId) < 4 ? [`in ${projectId}`] : [];
        assert.deepStrictEqual(yield* found(projectId, ["in"]), expected);
      }
    }),
  );
});
