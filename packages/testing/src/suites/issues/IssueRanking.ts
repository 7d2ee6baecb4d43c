import { assert } from "@effect/vitest";
import {
  AttachmentStore,
  Folding,
  IssueOrder,
  IssueStore,
  Matching,
  type Page,
  ProjectStore,
} from "@quartermaster/core";
import { Effect, Schema } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import type { It } from "../../Suite.ts";
import * as SearchOracle from "./SearchOracle.ts";

/** Tests of what a search finds and in which order, against a scan of all texts. */

export interface Made {
  readonly title: string;
  readonly labels: ReadonlyArray<string>;
  readonly description: string;
  readonly files: ReadonlyArray<string>;
  readonly comments: ReadonlyArray<string>;
  readonly second: number;
}

/** Creates an issue with all its texts. */
export const make = Effect.fnUntraced(function* (
  projectId: string,
  made: Made,
  prefixes: ReadonlyArray<string> = [""],
) {
  const attachments = yield* AttachmentStore.AttachmentStore;
  const issue = yield* Fixtures.issue({
    projectId,
    title: made.title,
    labels: [...new Set(made.labels)],
    description: made.description,
    updatedAt: Fixtures.at(made.second),
  });
  yield* transact(
    Effect.forEach(made.files, (fileName) =>
      Effect.flatMap(Fixtures.attachmentRow(issue.id, { fileName }), attachments.insert),
    ),
  );
  yield* Effect.forEach(made.comments, (content) => Fixtures.comment(issue.id, { content }));
  const { comments, files } = made;
  const keys = prefixes.map((prefix) => `${prefix}-${issue.number}`);
  return { issue, comments, files, keys } satisfies SearchOracle.Document;
});

export const ranked = Effect.fnUntraced(function* (
  projectId: string,
  q: string,
  order: Page.Order = "desc",
  limit = 500,
) {
  const issues = yield* IssueStore.IssueStore;
  const query = { projects: [projectId], words: Matching.wordsOf(q), sort: "relevance" } as const;
  const found: Array<IssueStore.Hit> = [];
  let after: IssueOrder.SearchKey | null = null;
  for (;;) {
    const { hits }: IssueStore.Found = yield* issues.search(query, { limit, order, after });
    found.push(...hits);
    const last = hits.at(-1);
    if (last === undefined || hits.length < limit) break;
    after = IssueOrder.foundKeyset.keyOf(last);
  }
  return found.map(({ issue, tier }) => ({ id: issue.id, updatedAt: issue.updatedAt, tier }));
});

/** Checks a search with every page size and order. Returns the number of hits. */
export const check = Effect.fnUntraced(function* (
  projectId: string,
  documents: ReadonlyArray<SearchOracle.Document>,
  q: string,
) {
  const expected = SearchOracle.search(documents, q);
  assert.deepStrictEqual(yield* ranked(projectId, q), expected, q);
  assert.deepStrictEqual(yield* ranked(projectId, q, "desc", 2), expected, q);
  assert.deepStrictEqual(yield* ranked(projectId, q, "asc", 3), expected.toReversed(), q);
  return expected.length;
});

/** Gives a project prefixes, which start with these letters. The last one is its prefix. */
export const withPrefixes = Effect.fnUntraced(function* (
  projectId: string,
  starts: ReadonlyArray<string>,
) {
  const projects = yield* ProjectStore.ProjectStore;
  const prefixes = starts.map((start) => start + projectId.slice(-7).toUpperCase());
  for (const prefix of prefixes) {
    yield* transact(projects.put({ id: projectId, prefix, name: null, description: null }));
  }
  return prefixes;
});

export const plain: Made = {
  title: "x",
  labels: [],
  description: "",
  files: [],
  comments: [],
  second: 5,
};

/**
 * Words of ten scripts, with forms that folding makes equal and prefixes of each other, the prefix of the project and
 * the numbers of issues.
 */
const words =
  "Straße STRASSE naïve Nai Łódź lodz istanbul İstanbul ab abc άνθρωπος ΆΝΘΡΩΠΟΣ ανθ Ёлка елка ёл שָׁלוֹם של عربية عرب हिन्दी हिन् ไทย ไท 日本語 日本 テキスト ﾃｷｽﾄ 한국어 한국 42 421 prefix 1 2".split(
    " ",
  );
const Word = Schema.Literals(words);
const Text = Schema.Array(Word).check(Schema.isMaxLength(3));
const Document = Schema.Struct({
  title: Text,
  labels: Text,
  description: Text,
  files: Text,
  comments: Schema.Array(Text).check(Schema.isMaxLength(2)),
  second: Schema.Literals([1, 2, 3]),
});

export const tests = (it: It<Storage>): void => {
  it.effect("[search.rank] hits are read tier by tier, and by their last change in each", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const documents = yield* Effect.forEach(
        [
          { ...plain, comments: ["rate limit"], second: 9 },
          { ...plain, description: "Rate limits", second: 8 },
          { ...plain, files: ["rate-limits.pdf"], second: 7 },
          { ...plain, labels: ["rate limit"] },
          { ...plain, title: "Rate limits", second: 1 },
          { ...plain, title: "Limit the rate", second: 2 },
          { ...plain, title: "Rate", comments: ["The limit"] },
          { ...plain, title: "Rate", labels: ["limited"], comments: ["rate limit"] },
          { ...plain, title: "Prorate limits" },
        ],
        (made) => make(projectId, made),
      );
      for (const q of ["rate lim", "RATE limit", "lim", "li", "rate", "x", "pdf", "limit limit"]) {
        assert.isAbove(yield* check(projectId, documents, q), 0, q);
      }
    }),
  );

  it.effect("[search.fields] a search follows changes of labels and files", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const attachments = yield* AttachmentStore.AttachmentStore;
      const projectId = yield* Fixtures.id("project");
      const issue = yield* Fixtures.issue({ projectId, labels: ["urgent"] });
      const found = (q: string) => Effect.map(ranked(projectId, q), (hits) => hits.length);
      assert.strictEqual(yield* found("urgent"), 1);
      yield* transact(issues.update([{ ...issue, labels: ["later"] }]));
      assert.strictEqual(yield* found("urgent"), 0);
      assert.strictEqual(yield* found("later"), 1);
      const row = yield* Fixtures.attachmentRow(issue.id, { fileName: "trace.har" });
      yield* transact(attachments.insert(row));
      assert.strictEqual(yield* found("later trace"), 1);
      assert.deepStrictEqual(
        (yield* issues.texts([issue])).map(({ files }) => files),
        [["trace.har"]],
      );
      yield* transact(attachments.remove(row.id));
      assert.strictEqual(yield* found("trace"), 0);
    }),
  );

  it.effect("[search.key] the issue of an exact key comes first, once and in every order", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const make = (title: string, seconds: number) =>
        Fixtures.issue({ projectId, title, updatedAt: Fixtures.at(seconds) });
      const keyed = yield* make("one", 1);
      const other = yield* make("two", 2);
      const found = (sort: "relevance" | "created", issueId: string, order: Page.Order = "desc") =>
        Effect.map(
          issues.search(
            { projects: [projectId], words: ["two"], sort, issueId },
            { limit: 5, order, after: null },
          ),
          ({ hits }) => hits.map(({ issue }) => issue.id),
        );
      assert.deepStrictEqual(yield* found("relevance", keyed.id), [keyed.id, other.id]);
      assert.deepStrictEqual(yield* found("relevance", keyed.id, "asc"), [other.id, keyed.id]);
      assert.deepStrictEqual(yield* found("created", keyed.id), [other.id, keyed.id]);
      assert.deepStrictEqual(yield* found("relevance", other.id), [other.id]);
      const elsewhere = yield* Fixtures.issue();
      assert.deepStrictEqual(yield* found("relevance", elsewhere.id), [other.id]);
    }),
  );

  it.effect("[search.keys] the issues whose keys start with a key come after the exact one", () =>
    Effect.gen(function* () {
      const { search } = yield* IssueStore.IssueStore;
      const projects = yield* ProjectStore.ProjectStore;
      const projectId = yield* Fixtures.id("project");
      const prefix = `P${projectId.slice(-8).toUpperCase()}`;
      const row = { prefix, name: null, description: null };
      yield* transact(
        Effect.andThen(
          projects.put({ ...row, id: projectId }),
          projects.put({ ...row, id: `${projectId}x`, prefix: `${prefix}X` }),
        ),
      );
      const made = yield* Effect.forEach(
        Array.from({ length: 25 }, (_, index) => index),
        (index) =>
          Fixtures.issue({
            projectId,
            title: index === 4 ? `${prefix} 2` : "x",
            updatedAt: Fixtures.at(index),
          }),
      );
      const elsewhere = yield* Fixtures.issue({ projectId: `${projectId}x` });
      const found = (
        request: { readonly issueId?: string; readonly sort?: "relevance" | "created" },
        order: Page.Order,
        limit: number,
        after: IssueOrder.SearchKey | null = null,
      ) =>
        search(
          {
            projects: [projectId],
            words: Matching.wordsOf(`${prefix}-2`),
            sort: "relevance",
            keyStart: { prefix, number: 2 },
            ...request,
          },
          { limit, order, after },
        );
      const numbers = ({ hits }: IssueStore.Found) => hits.map(({ issue }) => issue.number);
      const issueId = made[1]?.id ?? "";
      const all = yield* found({ issueId }, "desc", 20);
      assert.deepStrictEqual(numbers(all), [2, 25, 24, 23, 22, 21, 20, 5]);
      assert.deepStrictEqual(
        all.hits.map(({ isKey, tier }) => [isKey, tier]),
        [[true, -2], ...Array.from({ length: 6 }, () => [true, -1]), [false, 0]],
      );
      const pages = yield* found({ issueId }, "desc", 3);
      const last = IssueOrder.foundKeyset.keyOf(pages.hits[2] ?? assert.fail("no third hit"));
      assert.deepStrictEqual(
        numbers(yield* found({ issueId }, "desc", 5, last)),
        [23, 22, 21, 20, 5],
      );
      assert.deepStrictEqual(
        numbers(yield* found({ issueId }, "asc", 20)),
        numbers(all).toReversed(),
      );
      const byCreation = yield* found({ sort: "created" }, "asc", 20);
      assert.deepStrictEqual(numbers(byCreation), [2, 5, 20, 21, 22, 23, 24, 25]);
      assert.isFalse(byCreation.hits[1]?.isKey);
      assert.strictEqual(elsewhere.number, 1);
    }),
  );

  it.effect("a search covers only the projects of the query", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projects = yield* Effect.all(Array.from({ length: 60 }, () => Fixtures.id("project")));
      const title = yield* Fixtures.id("hash");
      const made = yield* Effect.forEach(projects.slice(0, 3), (projectId) =>
        Fixtures.issue({ projectId, title }),
      );
      for (const some of [null, projects, projects.slice(0, 2), projects.slice(3), []]) {
        const { hits } = yield* issues.search(
          { projects: some, words: Matching.wordsOf(title), sort: "relevance" },
          { limit: 10, order: "desc", after: null },
        );
        assert.sameMembers(
          hits.map(({ issue }) => issue.id),
          made.flatMap(({ id, projectId }) => (some?.includes(projectId) === false ? [] : [id])),
        );
      }
    }),
  );

  it.effect.prop(
    "[search.oracle] every storage finds what a scan of all texts finds, in the same order",
    {
      made: Schema.Array(Document).check(Schema.isMinLength(1), Schema.isMaxLength(6)),
      queries: Schema.Array(Text.check(Schema.isMinLength(1))).check(Schema.isMaxLength(4)),
    },
    ({ made, queries }) =>
      Effect.gen(function* () {
        const projectId = yield* Fixtures.id("project");
        const prefixes = yield* withPrefixes(projectId, ["ABC"]);
        const textOf = (some: ReadonlyArray<string>, separator: string) =>
          some.map((word) => (word === "prefix" ? prefixes[0] : word)).join(separator);
        const documents = yield* Effect.forEach(made, (each) =>
          make(
            projectId,
            {
              ...each,
              title: textOf(each.title, " "),
              description: textOf(each.description, "-"),
              comments: each.comments.map((comment) => textOf(comment, "\n")),
            },
            prefixes,
          ),
        );
        for (const query of queries) yield* check(projectId, documents, textOf(query, " "));
        // Prefixes of words that exist.
        for (const word of made.flatMap(({ title, comments }) => [...title, ...comments.flat()])) {
          const [folded = ""] = Folding.words(word);
          for (const length of [2, 3]) {
            yield* check(projectId, documents, [...folded].slice(0, length).join(""));
          }
        }
      }),
    { arbitrary: { runs: 15 } },
  );
};
