import { PgClient } from "@effect/sql-pg";
import { assert, describe, inject, it, onTestFinished } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import * as Witness from "../../../scripts/demo-nodes/Witness.ts";
import { Migrations } from "../src/index.ts";
import { Cluster } from "./support/Cluster.ts";

/** A server with the tables of the service, and a client of the driver. */
const database = async () => {
  const cluster = await Cluster.start(Witness.settings);
  onTestFinished(() => cluster.remove());
  const layer = PgClient.layer({
    url: Redacted.make(cluster.url),
    maxConnections: 2,
    startupParameters: { search_path: "quartermaster, pg_catalog" },
  });
  await Effect.runPromise(Effect.provide(Migrations.run("quartermaster"), layer));
  return { url: cluster.url, layer: Layer.fresh(layer) };
};

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const insertRun = (id: string, lease: string) =>
  `INSERT INTO runs (id, agent_id, issue_id, project_id, status, comment_seq, started_at, lease_seconds, lease_expires_at)
    VALUES ('${id}', 'a', 'iss_${id}', 'p', 'active', 0, '${at(0)}', 60, '${lease}')`;
const insertIssue = (id: string) =>
  `INSERT INTO issues (id, project_id, title, status, priority, resumed, link_count, version, created_by_type,
    created_by_id, created_at, updated_at, blocks, labels)
    VALUES ('iss_${id}', 'p', 't', 'InProgress', 1, 0, 0, 1, 'User', 'u', '${at(0)}', '${at(0)}', 0, '[]')`;
/** An admission at a second: a node vouches for 30 s. */
const admit = (id: string, runId: string, second: number) =>
  `INSERT INTO admitted_calls (id, agent_id, run_id, tool, started_at, request_bytes, response_bytes, recorded, until)
    VALUES ('${id}', 'a', '${runId}', 'pay', '${at(second)}', 0, 0, 0, '${at(second + 30)}')`;
const endRun = (id: string) =>
  `UPDATE runs SET status = 'ended', outcome = 'failed', ended_at = '${at(5)}' WHERE id = '${id}'`;

describe.skipIf(inject("postgres") === "")("the witness of demo:nodes", () => {
  it("tells late admissions from others, by the run and by the order of the commits", async () => {
    const { layer, url } = await database();
    const witness = await Witness.open(url);
    onTestFinished(() => witness.close());
    const change = Effect.gen(function* () {
      const sql = yield* PgClient.PgClient;
      const run = (text: string) => sql.unsafe(text).unprepared;
      for (const id of ["live", "over", "lapsed", "raced"]) {
        yield* run(insertIssue(id));
        yield* run(insertRun(id, at(id === "lapsed" ? 3 : 60)));
      }
      yield* run(admit("in time", "live", 4));
      yield* run(admit("before the end", "over", 4));
      yield* run(endRun("over"));
      yield* run(admit("after the end", "over", 6));
      yield* run(admit("after the lease", "lapsed", 4));
      const other = yield* sql.reserve;
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
          yield* run("SELECT 1 FROM runs");
          yield* other.executeRaw(endRun("raced"), []);
          yield* run(admit("overtaken", "raced", 4));
        }),
      );
    });
    await Effect.runPromise(Effect.provide(Effect.scoped(change), layer));
    const { callIds, late } = await witness.admissions();
    assert.strictEqual(callIds.size, 5);
    assert.deepStrictEqual(late, [
      "after the end: admitted although its run had ended",
      "after the lease: admitted although its lease was over",
      "overtaken: admitted after the commit that ended its run",
    ]);
  });
});
