import { PgClient } from "@effect/sql-pg";
import { assert } from "@effect/vitest";
import { Effect, Redacted } from "effect";
import * as EventStream from "../../../http/test/support/EventStream.ts";
import type { Quartermaster } from "../../../server/test/Quartermaster.ts";

/** Work at several servers during a fault, and what has to be there after it. */

export const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis));

/** Runs one statement on a connection of its own. */
export const query = <A extends object>(url: string, text: string): Promise<ReadonlyArray<A>> =>
  Effect.runPromise(
    Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<A>(text).unprepared).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })),
    ),
  );

/**
 * Creates an issue, and repeats the request with its key until it is acknowledged. Returns the number
 * of repetitions.
 */
const create = async (server: Quartermaster, title: string, failed: AbortSignal) => {
  for (let repetitions = 0; ; repetitions++) {
    failed.throwIfAborted();
    const { status, text } = await server.call("POST", "/api/projects/p/issues", {
      body: { title, assignedAgentId: "bot" },
      headers: { "idempotency-key": title },
    });
    if (status === 201) return repetitions;
    assert.strictEqual(status, 503, text);
    await sleep(50);
  }
};

/**
 * Follows the creations of issues, and resumes after each end of the stream. `until` returns their
 * ids once there are as many as `count`.
 */
const follow = async (server: Quartermaster) => {
  const ids: Array<string> = [];
  const open = (last?: string) =>
    EventStream.open(server, "?kinds=issue.created", {
      authorization: `Bearer ${server.key}`,
      ...(last === undefined ? {} : { "last-event-id": last }),
    });
  let stream = await open();
  let last: string | undefined;
  const until = async (count: number) => {
    while (ids.length < count) {
      const event = await stream.next();
      if (event === undefined) {
        await sleep(50);
        stream = await open(last);
        continue;
      }
      last = event.id;
      ids.push(event.data.subjectId);
    }
    stream.close();
    return ids;
  };
  return { until };
};

/** All items of a list. */
const all = async (server: Quartermaster, start: string) => {
  const items = [];
  let path: string | undefined = start;
  while (path !== undefined) {
    const page = await server.call("GET", path);
    assert.strictEqual(page.status, 200, page.text);
    items.push(...page.body);
    path = /<([^>]+)>; rel="next"/u.exec(page.headers.get("link") ?? "")?.[1];
  }
  return items;
};

/**
 * Creates issues, and starts runs of one agent, at all servers until the faults are over. Fails unless
 * each acknowledged issue and run is stored once, each stream has each issue once, no issue has two
 * live runs, and all other responses were 503. Returns the number of those to writers.
 */
export const survives = async (
  servers: ReadonlyArray<Quartermaster>,
  faults: () => Promise<void>,
) => {
  const [first] = servers;
  assert(first !== undefined);
  const streams = await Promise.all(servers.map(follow));
  const titles: Array<string> = [];
  const runs: Array<string> = [];
  let unavailable = 0;
  const over = new AbortController();
  const failed = new AbortController();
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const server = servers[writer % servers.length] ?? first;
    for (let n = 0; !over.signal.aborted; n++) {
      const title = `Issue ${writer}-${n}`;
      unavailable += await create(server, title, failed.signal);
      titles.push(title);
    }
  });
  const agents = servers.map(async (server) => {
    while (!over.signal.aborted) {
      await sleep(100);
      const { body, status, text } = await server.call("POST", "/api/agents/bot/heartbeat", {
        body: { capacity: 5 },
      });
      if (status === 200) for (const { runId } of body.started) runs.push(runId);
      else assert.strictEqual(status, 503, text);
    }
  });
  // Issues are acknowledged before the faults and after them, however slow the machine is.
  const works = async () => {
    const goal = titles.length + writers.length;
    while (titles.length < goal || runs.length === 0) {
      failed.signal.throwIfAborted();
      await sleep(20);
    }
  };
  const injected = works()
    .then(faults)
    .then(works)
    .finally(() => over.abort());
  const fail = (cause: unknown) => {
    failed.abort(cause);
    throw cause;
  };
  const results = await Promise.allSettled(
    [injected, ...writers, ...agents].map((work) => work.catch(fail)),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;

  const issues = await all(first, "/api/projects/p/issues?limit=200");
  assert.deepStrictEqual(issues.map(({ title }) => title).toSorted(), titles.toSorted());
  const stored = await all(first, "/api/agents/bot/runs?limit=200");
  const storedIds = new Set(stored.map((run) => run.id ?? run.runId));
  assert.deepStrictEqual(
    runs.filter((id) => !storedIds.has(id)),
    [],
  );
  const live = stored.filter(({ status }) => status === "active").map(({ issueId }) => issueId);
  assert.strictEqual(new Set(live).size, live.length, "issues with two holders");
  const ids = issues.map(({ id }) => id);
  for (const { until } of streams) {
    assert.deepStrictEqual((await until(ids.length)).toSorted(), ids.toSorted());
  }
  return { unavailable };
};

/** Waits until `/readyz` of all servers has the status. Returns the milliseconds until then. */
export const untilReady = async (
  servers: ReadonlyArray<Quartermaster>,
  status: 200 | 503,
  limit = 10_000,
): Promise<number> => {
  const started = performance.now();
  for (;;) {
    const statuses = await Promise.all(
      servers.map(async ({ url }) => (await fetch(`${url}/readyz`)).status),
    );
    const millis = performance.now() - started;
    if (statuses.every((current) => current === status)) return millis;
    assert.isBelow(millis, limit, `ms until /readyz is ${status} (${statuses.join(", ")})`);
    await sleep(50);
  }
};
