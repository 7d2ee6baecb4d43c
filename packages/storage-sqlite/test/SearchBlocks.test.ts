import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import { Fixtures, SearchBlocks, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { SqlClient, Statement } from "effect/sql";
import { Storage } from "../src/index.ts";
import { layerClient, tempFolder } from "./support/TestStorage.ts";

const storage = Layer.unwrap(
  Effect.map(tempFolder, (folder) =>
    Layer.provideMerge(Storage.layerStores, layerClient(join(folder, "test.db"))),
  ),
);

const jump = (seq: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`UPDATE sqlite_sequence SET seq = ${seq} WHERE name = 'issues'`,
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
    () => SearchBlocks.check(jump),
  );

  it.effect("[search.words] FTS5 collects a prefix only where it has more than 8 words", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      yield* SearchBlocks.make(projectId, jump);
      const prefixes = (q: string) =>
        Effect.map(paramsOf(SearchBlocks.search(projectId, q)), (params) =>
          params.filter((param) => param.includes('" *') && !param.includes("c:")),
        );
      for (const q of ["roof", "tile", "roof tile", "tile prea", "pre roof", "nothing"]) {
        assert.deepStrictEqual(yield* prefixes(q), [], q);
      }
      assert.isAbove((yield* prefixes("roof pre")).length, 0);
      // A block without a word is not searched for the others.
      const missing = yield* paramsOf(SearchBlocks.search(projectId, "roof absent tile"));
      assert.deepStrictEqual(
        missing.filter((param) => /"[tld]\d+:/.test(param) && !param.startsWith("[")),
        [],
      );
    }),
  );
});
