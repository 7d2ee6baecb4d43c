import { PgClient } from "@effect/sql-pg";
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { HammerTest } from "@quartermaster/testing";
import { Effect, Layer, Redacted } from "effect";
import * as EventStream from "../../../http/test/support/EventStream.ts";
import { Storage } from "../../src/index.ts";
import * as Node from "../support/Node.ts";
import { Pooler } from "../support/Pooler.ts";
import { url } from "../support/TestStorage.ts";

vi.setConfig({ testTimeout: 60_000 });

if (Pooler.isMissing)
  process.stderr.write("Tests of PgBouncer are skipped: it is not installed.\n");

const run = (...statements: ReadonlyArray<string>) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    Effect.forEach(statements, (text) => sql.unsafe(text).unprepared),
  ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })));

/** Roles, each with a search path to the schema of its name, as docs/operating/postgres.md says. */
const names = ["nodes", "hammer"].map((name) => `pooled_${process.pid}_${name}`);
const [nodesName = "", hammerName = ""] = names;
const lost = `pooled_${process.pid}_lost`;

let pooler: Pooler;

const asRole = (role: string, port: number): string =>
  Object.assign(new URL(url), { username: role, port: String(port) }).href;

const settings = (name: string) => ({
  url: Redacted.make(asRole(name, pooler.port)),
  directUrl: Redacted.make(url),
  schema: name,
  prepare: false,
});

const setUp = async () => {
  for (const name of [...names, lost]) {
    await Effect.runPromise(run(`CREATE ROLE "${name}" LOGIN SUPERUSER`));
  }
  for (const name of names) {
    await Effect.runPromise(run(`ALTER ROLE "${name}" SET search_path = "${name}", pg_catalog`));
  }
  pooler = await Pooler.start(url, [...names, lost]);
};

const tearDown = async () => {
  await pooler.end();
  for (const name of [...names, lost]) {
    await Effect.runPromise(
      run(
        `DROP SCHEMA IF EXISTS "${name}" CASCADE`,
        `DROP OWNED BY "${name}"`,
        `DROP ROLE "${name}"`,
      ),
    );
  }
};

/** A new schema for each build. */
const hammered = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(Effect.void, () =>
      Effect.orDie(run(`DROP SCHEMA IF EXISTS "${hammerName}" CASCADE`)),
    ),
    // The pooler is there when a test builds the layer.
    () => Storage.layer(settings(hammerName)),
  ),
);

describe.skipIf(url === "" || Pooler.isMissing)("behind PgBouncer in transaction mode", () => {
  beforeAll(setUp);
  afterAll(tearDown);

  it("two servers claim each issue once, and events of one reach the other", async () => {
    const nodes = await Node.startAll(2, {
      ...Node.variables(asRole(nodesName, pooler.port)),
      QM_DATABASE_SCHEMA: nodesName,
      QM_DATABASE_DIRECT_URL: asRole(nodesName, Number(new URL(url).port)),
      QM_DATABASE_PREPARE: "0",
    });
    const [one, other] = nodes.map(({ server }) => server);
    assert(one !== undefined && other !== undefined);
    const stream = await EventStream.open(other, "?kinds=issue.created", {
      authorization: `Bearer ${other.key}`,
    });
    const agents = Array.from({ length: 10 }, (_, n) => `agent-${n}`);
    const created = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const body = { title: `Issue ${n}`, assignedAgentId: agents[n % agents.length] };
        const answer = await one.call("POST", "/api/projects/p/issues", { body });
        assert.strictEqual(answer.status, 201, answer.text);
        return answer.body.id;
      }),
    );
    const claimed = await Promise.all(
      agents.flatMap((agentId) =>
        [one, other, one].map(async (server) => {
          const body = { capacity: 10 };
          const answer = await server.call("POST", `/api/agents/${agentId}/heartbeat`, { body });
          assert.strictEqual(answer.status, 200, answer.text);
          return answer.body.started.map((run: { issue: { id: string } }) => run.issue.id);
        }),
      ),
    );
    assert.deepStrictEqual(claimed.flat().toSorted(), created.toSorted());
    const seen = [];
    while (seen.length < created.length) seen.push((await stream.next())?.data.subjectId);
    stream.close();
    assert.deepStrictEqual(seen.toSorted(), created.toSorted());
    const [listening] = await Effect.runPromise(
      run(`SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE usename = '${nodesName}' AND query ILIKE 'LISTEN%'`),
    );
    assert.deepStrictEqual(listening, [{ n: 2 }]);
  });

  it("a role without a search path is refused, before a table gets into another schema", async () => {
    const { reason } = await Effect.runPromise(
      Effect.flip(Effect.scoped(Layer.build(Storage.layer(settings(lost))))),
    );
    assert.match(reason, /^The connections do not use the schema \w+, because a pooler ignores/u);
    assert.include(reason, `ALTER ROLE ${lost} SET search_path = ${lost}, pg_catalog`);
  });

  HammerTest.suite("PostgreSQL behind PgBouncer", hammered, {
    callers: 20,
    steps: 10,
  });
});
