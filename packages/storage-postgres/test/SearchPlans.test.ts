import { assert, layer } from "@effect/vitest";
import { IssueStore } from "@quartermaster/core";
import { SearchBlocks, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Plans from "./support/Plans.ts";
import { layerFilled, withServer } from "./support/TestStorage.ts";

/** Four blocks of 4,096 issues. One in five has the word `block1`, and each has 60 other words. */
const statements = [
  `INSERT INTO issues (seq, id, project_id, status, priority, resumed, link_count, version, created_by_type,
    created_by_id, created_at, updated_at, title)
  SELECT n, 'iss_' || n, 'p', 'Open', 2, 0, 0, 1, 'User', 'ada', 'now', 'now', 'block'
  FROM generate_series(65536, 5 * 65536 - 1, 16) n`,
  `INSERT INTO issue_text (rowid, body)
  SELECT n, array_to_tsvector(ARRAY['p' || n / 65536 || ':p', 't' || n / 65536 || ':BLOCK' || n / 16 % 5] ||
    ARRAY(SELECT 'd' || n / 65536 || ':WORd' || word || n FROM generate_series(1, 60) word))
  FROM generate_series(65536, 5 * 65536 - 1, 16) n`,
  "ANALYZE",
];

const storage = Layer.merge(layerFilled(statements), SeededRandom.layer);
const pattern = "'t#:BLOCK1'";

withServer(() => {
  layer(storage, { timeout: 60_000 })("the plans of searches", (it) => {
    const pagesOf = Effect.fnUntraced(function* (most: number) {
      const sql = yield* SqlClient.SqlClient;
      const statement = sql`SELECT count(*) FROM issues_with(${pattern}, 65536, ${most})`;
      return Math.max(...(yield* Plans.plansOf(statement)).map(({ pages }) => pages));
    });

    it.effect("a search reads as many blocks as have enough, without the words of issues", () =>
      Effect.gen(function* () {
        // The newest block has 819 issues with the word. Their words are on 400 pages, their ids on 50.
        const one = yield* pagesOf(700);
        assert.isAbove(one, 0);
        assert.isAtMost(one, 100);
        assert.isAtMost(yield* pagesOf(1_500), 2 * one);
        assert.isAbove(yield* pagesOf(3_000), 3 * one);
      }),
    );

    it.effect("the order of a search reads an index, and not the issues", () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const page = { limit: 51, order: "desc", after: null } as const;
        for (const projects of [null, ["p"]]) {
          const search = issues.search({ projects, words: ["block1"], sort: "relevance" }, page);
          const plans = yield* Plans.plansOf(search);
          const ordered = plans.filter(({ text }) => text.includes("AS place"));
          assert.isAbove(ordered.length, 0);
          for (const { json, text } of ordered)
            assert.include(json, "Index Only Scan", `${text}\n${json}`);
        }
      }),
    );

    it.effect(
      "[search.blocks] a search over several blocks finds what a scan of all texts finds",
      () =>
        SearchBlocks.check(
          (seq) =>
            SqlClient.SqlClient.use(
              (sql) => sql`SELECT setval('issues_seq_seq', ${5 * 65_536 + seq})`,
            ),
          4,
        ),
    );

    it.effect("a search starts no processes, which take longer than the search", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient;
        // The counts of the server are of all tests.
        const [row] = yield* sql`SELECT array_to_string(proconfig, ' ') FROM pg_proc
          WHERE oid = 'issues_with'::regproc`.values;
        assert.include(String(row?.[0]), "max_parallel_workers_per_gather=0");
      }),
    );
  });
});
