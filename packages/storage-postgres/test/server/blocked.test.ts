import { readFileSync } from "node:fs";
import { PgClient } from "@effect/sql-pg";
import { assert, describe, inject, it, onTestFinished, vi } from "@effect/vitest";
import { Deferred, Effect, Fiber, Redacted } from "effect";
import * as EventStream from "../../../http/test/support/EventStream.ts";
import type { Quartermaster } from "../../../server/test/Quartermaster.ts";
import * as Load from "../support/Load.ts";
import * as Node from "../support/Node.ts";
import { Proxy } from "../support/Proxy.ts";

vi.setConfig({ testTimeout: 120_000 });

const isLong = process.env["QM_LONG"] === "1";
const url = inject("postgres");

/** Runs statements in a transaction that is open until the returned function is called. */
const hold = async (...statements: ReadonlyArray<string>) => {
  const over = Deferred.makeUnsafe<void>();
  const held = Deferred.makeUnsafe<void>();
  const fiber = Effect.runFork(
    Effect.flatMap(PgClient.PgClient, (sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          for (const statement of statements) yield* sql.unsafe(statement).unprepared;
          yield* Deferred.succeed(held, undefined);
          yield* Deferred.await(over);
        }),
      ),
    ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))),
  );
  await Effect.runPromise(Effect.raceFirst(Deferred.await(held), Fiber.join(fiber)));
  const release = async () => {
    Deferred.doneUnsafe(over, Effect.void);
    await Effect.runPromise(Fiber.await(fiber));
  };
  onTestFinished(release);
  return release;
};

const start = async (env: Record<string, string>, count: number) => {
  const nodes = await Node.startAll(count, env);
  return nodes.map(({ server }) => server) as [Quartermaster, Quartermaster];
};

const create = (server: Quartermaster, title: string) =>
  server.call("POST", "/api/projects/p/issues", { body: { title } });

const rename = (server: Quartermaster, id: string, title: string) =>
  server.call("PUT", `/api/projects/issues/${id}`, { body: { title } });

/** The limits of the role that the page recommends. */
const limits = [
  ...readFileSync(
    new URL("../../../../docs/operating/postgres.md", import.meta.url),
    "utf8",
  ).matchAll(/^ALTER ROLE quartermaster SET (.*);/gmu),
].map(([, limit = ""]) => limit);

/** The URL for a new role with these limits. It is removed with the server of the tests. */
const limited = async () => {
  const role = `limited_${performance.now().toFixed(0)}`;
  await Load.query(url, `CREATE ROLE ${role} LOGIN SUPERUSER`);
  for (const limit of limits) await Load.query(url, `ALTER ROLE ${role} SET ${limit}`);
  return url.replace("postgres@", `${role}@`);
};

/** Two servers with these limits, and the network of the second one. */
const startPair = async () => {
  const role = await limited();
  const network = await Proxy.to(Number(new URL(role).port));
  onTestFinished(() => network.close());
  const env = Node.variables(role);
  const [other] = await start(env, 1);
  const { server: victim } = await Node.serve({
    ...env,
    QM_DATABASE_URL: role.replace(/:\d+\//u, `:${network.port}/`),
    QM_DATABASE_PREPARE: "0",
  });
  victim.url = (await victim.welcome()).url;
  victim.key = other.key;
  return { network, other, schema: env["QM_DATABASE_SCHEMA"], victim };
};

/**
 * Kills a server after it wrote an issue, and before the commit. With a silent network PostgreSQL
 * does not notice that. Returns the milliseconds until another server writes the issue.
 */
const killedInside = async (isSilent: boolean) => {
  const { network, other, schema, victim } = await startPair();
  const { body: issue } = await create(other, "Old");
  const silent = network.silenceAfter("INSERT INTO activity");
  // It then reads the issue's questions. A change without a later read is sent together with COMMIT.
  const pending = victim
    .call("PUT", `/api/projects/issues/${issue.id}`, { body: { status: "Resolved" } })
    .catch(() => undefined);
  await silent;
  const free = `SELECT 1 FROM "${schema}".issues FOR UPDATE SKIP LOCKED`;
  // The network has passed the statements on; PostgreSQL may not have carried them out yet.
  while ((await Load.query(url, free)).length > 0) await Load.sleep(20);
  await victim.kill();
  await pending;
  if (!isSilent) network.breakAll();

  const started = performance.now();
  const elsewhere = await create(other, "Elsewhere");
  assert.strictEqual(elsewhere.status, 201, elsewhere.text);
  await Load.untilReady([other], 200, 5_000);
  for (;;) {
    const { body, status, text } = await rename(other, issue.id, "New");
    const millis = performance.now() - started;
    if (status === 200) {
      assert.strictEqual(body.title, "New");
      return millis;
    }
    assert.strictEqual(status, 503, text);
    assert.isBelow(millis, 20_000, "ms");
  }
};

describe.skipIf(url === "")("servers whose database is blocked", () => {
  const seconds = isLong ? 10 : 0.3;
  it(`streams and writes continue while another program has a transaction open for ${seconds} s`, async () => {
    const [one, other] = await start(Node.variables(), 2);
    const table = `others_${process.pid}`;
    await Load.query(url, `CREATE TABLE ${table} (n int)`);
    onTestFinished(() => Load.query(url, `DROP TABLE ${table}`).then(() => undefined));
    const authorization = { authorization: `Bearer ${other.key}` };
    const stream = await EventStream.open(other, "?kinds=issue.created", authorization);
    const release = await hold(
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
      `INSERT INTO ${table} VALUES (1)`,
    );
    const started = performance.now();
    let count = 0;
    do {
      const sent = performance.now();
      const { body, text } = await create(one, `Issue ${++count}`);
      const event = await stream.next();
      assert.strictEqual(event?.data.subjectId, body.id, text);
      assert.isBelow(performance.now() - sent, 5_000, "ms from the request to its event");
    } while (performance.now() - started < seconds * 1_000);
    await release();
    stream.close();
  });

  it("a server that is killed inside a transaction holds up no other", async () => {
    assert.isBelow(await killedInside(false), 8_000, "ms");
  });

  it.skipIf(!isLong)(
    "[long] a server that is killed behind a silent network holds up its rows until the limit of the role",
    async () => {
      const millis = await killedInside(true);
      assert.isAbove(millis, 3_000, "ms");
      assert.isBelow(millis, 15_000, "ms");
    },
  );

  it.skipIf(!isLong)(
    "[long] a server that is cut off in its check leaves the others ready",
    async () => {
      const { network, other, victim } = await startPair();
      const silent = network.silenceAfter("UPDATE guards SET n = n + 1 WHERE");
      assert.strictEqual((await fetch(`${victim.url}/readyz`)).status, 503);
      await silent;
      await Load.untilReady([other], 200, 5_000);
    },
  );

  it.skipIf(!isLong)(
    "[long] requests that find no connection for 5 seconds are 503, reads as well",
    async () => {
      const env = Node.variables(await limited());
      const [server] = await start({ ...env, QM_DATABASE_POOL: "2" }, 1);
      const { body: issue } = await create(server, "First");
      const release = await hold(`LOCK TABLE "${env["QM_DATABASE_SCHEMA"]}".issues`);
      const started = performance.now();
      const times = await Promise.all(
        Array.from({ length: 200 }, async (_, n) => {
          const { status, text } = await (n % 2 === 0
            ? create(server, `Issue ${n}`)
            : server.call("GET", `/api/projects/issues/${issue.id}`));
          assert.strictEqual(status, 503, text);
          return performance.now() - started;
        }),
      );
      assert.isBelow(Math.max(...times), 15_000, "ms of a response");
      await release();
      assert.strictEqual((await create(server, "Last")).status, 201);
      assert.isBelow(await Load.untilReady([server], 200), 10_000, "ms");
    },
  );
});
