import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import { type Issue, IssueStore, Matching, ProjectStore, Transactor } from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { SqlClient, Statement } from "effect/sql";
import { Storage } from "../src/index.ts";
import { layerClient, tempFolder } from "./support/TestStorage.ts";

const storage = Layer.unwrap(
  Effect.map(tempFolder, (folder) =>
    Layer.provideMerge(Storage.layerStores, layerClient(join(folder, "test.db"))),
  ),
);

/** Eleven words with a common start, which are too many for one block, and some others. */
const words = [..."abcdefghijk"].map((end) => `pre${end}`).concat("pre", "roof", "tile", "tiles");

const prefix = "ROOFER";

const textOf = (seed: number, length: number) =>
  Array.from({ length }, (_, n) => words[(seed * 7 + n * n * 5 + seed * n) % words.length]);

const textsOf = (issue: Issue.IssueRow): Matching.Texts => ({
  title: [issue.title],
  labels: issue.labels,
  description: issue.description === null ? [] : [issue.description],
  files: [],
  comments: [],
  key: Matching.keyOf(issue.number, [prefix]),
});

const newest = { limit: 500, order: "desc", after: null } as const;

/** Creates issues in four blocks of the index. */
const make = Effect.fnUntraced(function* (projectId: string) {
  const sql = yield* SqlClient.SqlClient;
  const { transact } = yield* Transactor.Transactor;
  const made: Array<Issue.IssueRow> = [];
  for (let block = 0; block < 4; block++) {
    const rows = Effect.forEach(Array.from({ length: 30 }), (_, n) =>
      Fixtures.issue({
        projectId,
        title: textOf(n + block * 11, n % 3).join(" "),
        labels: [...new Set(textOf(n * 3 + block, n % 2))].map(String),
        description: textOf(n * 5 + block, block % 2 === 0 ? 3 : 0).join(" "),
        updatedAt: Fixtures.at(n % 4),
      }),
    );
    made.push(...(yield* transact(rows)));
    yield* transact(
      sql`UPDATE sqlite_sequence SET seq = ${(block + 1) * 65_536} WHERE name = 'issues'`,
    );
  }
  return made;
});

const search = (projectId: string, q: string) =>
  IssueStore.IssueStore.use((issues) =>
    issues.search({ projects: [projectId], words: Matching.wordsOf(q), sort: "relevance" }, newest),
  );

/** The parameters of the statements of an effect. */
const paramsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const params: Array<unknown> = [];
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      params.push(...statement.compile()[1]);
      return statement;
    }),
  );
  return params.filter((param) => typeof param === "string");
});

layer(Layer.merge(storage, SeededRandom.layer))("the blocks of the search index", (it) => {
  it.effect(
    "[search.blocks] a search over several blocks finds what a scan of all texts finds",
    () =>
      Effect.gen(function* () {
        const projectId = yield* Fixtures.id("project");
        const { transact } = yield* Transactor.Transactor;
        const { put } = yield* ProjectStore.ProjectStore;
        yield* transact(put({ id: projectId, prefix, name: null, description: null }));
        const made = yield* make(projectId);
        assert.lengthOf(new Set(made.map(({ seq }) => Math.floor(seq / 65_536))), 4);
        const queries = [...words, "roofer", "ro", "11", "7"].flatMap((word) => [
          word,
          ...["roof", "tile", "pre", "prea", "ti", "tile roof", "pre pre", "roofe", "10"].flatMap(
            (other) => [`${word} ${other}`, `${other} ${word}`],
          ),
        ]);
        let hitCount = 0;
        for (const q of new Set(queries)) {
          const expected = made
            .map((issue) => [issue, Matching.tierOf(textsOf(issue), Matching.wordsOf(q))] as const)
            .filter(([, tier]) => tier !== undefined)
            .toSorted(
              ([a, one = 0], [b, other = 0]) =>
                one - other ||
                (a.updatedAt === b.updatedAt
                  ? Number(a.id < b.id) - Number(a.id > b.id)
                  : Number(a.updatedAt < b.updatedAt) - Number(a.updatedAt > b.updatedAt)),
            )
            .map(([{ id }, tier]) => [id, tier]);
          const { hits } = yield* search(projectId, q);
          assert.deepStrictEqual(
            hits.map(({ issue, tier }) => [issue.id, tier]),
            expected,
            q,
          );
          hitCount += hits.length;
        }
        assert.isAbove(hitCount, 1_000);
      }),
  );

  it.effect("[search.words] FTS5 collects a prefix only where it has more than 8 words", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      yield* make(projectId);
      const prefixes = (q: string) =>
        Effect.map(paramsOf(search(projectId, q)), (params) =>
          params.filter((param) => param.includes('" *') && !param.includes("c:")),
        );
      for (const q of ["roof", "tile", "roof tile", "tile prea", "pre roof", "nothing"]) {
        assert.deepStrictEqual(yield* prefixes(q), [], q);
      }
      assert.isAbove((yield* prefixes("roof pre")).length, 0);
      // A block without a word is not searched for the others.
      const missing = yield* paramsOf(search(projectId, "roof absent tile"));
      assert.deepStrictEqual(
        missing.filter((param) => /"[tld]\d+:/.test(param) && !param.startsWith("[")),
        [],
      );
    }),
  );
});
