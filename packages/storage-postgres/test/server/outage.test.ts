import { afterAll, assert, beforeAll, describe, inject, it, vi } from "@effect/vitest";
import * as EventStream from "../../../http/test/support/EventStream.ts";
import type { Quartermaster } from "../../../server/test/Quartermaster.ts";
import { Cluster } from "../support/Cluster.ts";
import * as Node from "../support/Node.ts";
import { Proxy } from "../support/Proxy.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const endings: Array<() => Promise<void>> = [];
const end = (ending: () => Promise<void>) => endings.unshift(ending);
let cluster: Cluster;
let proxy: Proxy;
let server: Quartermaster;

const start = async () => {
  cluster = await Cluster.start();
  end(() => cluster.remove());
  proxy = await Proxy.to(cluster.port);
  end(() => proxy.close());
  const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
  const [node] = await Node.startAll(1, Node.variables(url), end);
  if (node === undefined) throw new Error("no node");
  server = node.server;
};

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis));

/** The status of `/readyz`, and how long it took. */
const probe = async () => {
  const started = performance.now();
  const { status } = await fetch(`${server.url}/readyz`);
  return { status, millis: performance.now() - started };
};

/** Probes until the status is there. Returns the milliseconds until then, and the slowest response. */
const untilReady = async (status: number, limit = 30_000) => {
  const started = performance.now();
  let slowest = 0;
  for (;;) {
    const response = await probe();
    slowest = Math.max(slowest, response.millis);
    const millis = performance.now() - started;
    if (response.status === status) return { millis, slowest };
    if (millis > limit) throw new Error(`/readyz was not ${status} within ${limit} ms`);
    await sleep(100);
  }
};

let titles = 0;
const create = (key = `k${++titles}`) =>
  server.call("POST", "/api/projects/p/issues", {
    body: { title: `Issue ${key}` },
    headers: { "idempotency-key": key },
  });

/** Requests of a server whose database is out of reach: all of them are 503. */
const refuses = async (issueId: string) => {
  const answers = await Promise.all([
    server.call("GET", `/api/projects/issues/${issueId}`),
    create(),
    server.call("PUT", `/api/projects/issues/${issueId}`, { body: { title: "Changed" } }),
    server.call("POST", "/api/agents/a/heartbeat", { body: {} }),
    server.call("GET", "/api/agents"),
  ]);
  for (const { body, status, text } of answers) {
    assert.strictEqual(status, 503, text);
    assert.strictEqual(body.type, "urn:quartermaster:problem:unavailable");
  }
};

/** Asks every route that reads or deletes. Returns the failures that are not 503. */
const otherFailures = async () => {
  const { body } = await server.call("GET", "/openapi.json");
  const calls = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
    ["get", "delete"]
      .filter((method) => method in operations && path !== "/api/events")
      .map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/gu, "iss_1")] as const),
  );
  assert.isAbove(calls.length, 50);
  const failures = await Promise.all(
    calls.map(async ([method, path]) => {
      const { status } = await server.call(method, path);
      return status >= 500 && status !== 503 ? [`${status} ${method} ${path}`] : [];
    }),
  );
  return failures.flat();
};

interface Fault {
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

const survives = async (fault: Fault) => {
  const before = await create();
  assert.strictEqual(before.status, 201, before.text);
  const headers = { authorization: `Bearer ${server.key}` };
  const stream = await EventStream.open(server, "", headers);
  const first = await create();
  const seen = [(await stream.next())?.id ?? ""];

  await fault.begin();
  const pending = Array.from({ length: 40 }, (_, n) =>
    n % 2 === 0 ? create() : server.call("GET", `/api/projects/issues/${first.body.id}`),
  );
  const gone = await untilReady(503);
  assert.isBelow(gone.millis, 10_000, "ms from the fault to 503");
  assert.isBelow(gone.slowest, 2_000, "ms of a response of /readyz");
  for (let round = 0; round < 3; round++) {
    await refuses(first.body.id);
    const { millis, status } = await probe();
    assert.strictEqual(status, 503);
    assert.isBelow(millis, 2_000, "ms of a response of /readyz");
  }
  assert.deepStrictEqual(await otherFailures(), []);
  for (const { status, text } of await Promise.all(pending)) assert.strictEqual(status, 503, text);
  const key = `lost ${++titles}`;
  assert.strictEqual((await create(key)).status, 503);

  await fault.end();
  const back = await untilReady(200);
  assert.isBelow(back.millis, 10_000, "ms from the end of the fault to 200");
  const repeated = await create(key);
  assert.strictEqual(repeated.status, 201, repeated.text);
  const { body } = await server.call("GET", "/api/projects/p/issues?limit=200");
  const { length } = body.filter((issue: { title: string }) => issue.title === `Issue ${key}`);
  assert.strictEqual(length, 1);
  // The stream from before the fault goes on, or has ended.
  for (;;) {
    const event = await stream.next();
    if (event === undefined || event.data.subjectId === repeated.body.id) break;
  }
  stream.close();
  const resumed = await EventStream.open(server, "", {
    ...headers,
    "last-event-id": seen[0] ?? "",
  });
  while ((await resumed.next())?.data.subjectId !== repeated.body.id);
  resumed.close();
};

describe.skipIf(inject("postgres") === "")("a server while its database is out of reach", () => {
  beforeAll(start);
  afterAll(async () => {
    for (const ending of endings) await ending();
  });

  it("a database that was killed makes requests 503, and the server continues with its successor", async () => {
    await survives({ begin: () => cluster.end("SIGQUIT"), end: () => cluster.run() });
  });

  it("a network that drops packets makes requests 503, and the server continues after it", async () => {
    await survives({
      begin: () => proxy.silence(true),
      end: () => proxy.silence(false),
    });
  });

  it("connections that are gone after a silent network are replaced", async () => {
    await survives({
      begin: () => proxy.silence(true),
      end: () => {
        proxy.silence(false);
        proxy.breakAll();
      },
    });
  });
});
