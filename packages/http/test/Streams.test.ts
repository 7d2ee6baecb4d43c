import { createHash } from "node:crypto";
import { assert, describe, it } from "@effect/vitest";
import { KeyStore, SessionStore, Transactor } from "@quartermaster/core";
import { MemoryStorage } from "@quartermaster/testing";
import { Clock, Context, Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { assertProblem } from "./support/Assert.ts";
import * as Client from "./support/Client.ts";
import * as EventStream from "./support/EventStream.ts";
import * as World from "./support/World.ts";

/** Streams of events with a clock that only the test advances. */
const start = async (options: Parameters<typeof World.start>[0] = {}) => {
  const clock = await Effect.runPromise(Effect.scoped(TestClock.make()));
  await Effect.runPromise(clock.setTime(Date.parse("2026-11-22T10:00:00.000Z")));
  let questions = 0;
  let removeSession: (hash: string) => Effect.Effect<void, unknown> = () => Effect.void;
  const watched = Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* KeyStore.KeyStore;
      const sessions = yield* SessionStore.SessionStore;
      const { transact } = yield* Transactor.Transactor;
      removeSession = (hash) => transact(sessions.remove(hash));
      return Context.make(KeyStore.KeyStore, {
        ...store,
        get: (id) => Effect.suspend(() => (questions++, store.get(id))),
      });
    }),
  );
  const world = await World.start({
    clock: Layer.succeedContext(Context.make(Clock.Clock, clock) as Context.Context<never>),
    storage: Layer.provideMerge(watched, MemoryStorage.layer),
    ...options,
  });
  const openAs = async (headers: Record<string, string>) => {
    const stream = await EventStream.open(world, "", headers);
    assert.strictEqual(stream.response.status, 200);
    return stream;
  };
  return {
    ...world,
    adjust: (seconds: number) => Effect.runPromise(clock.adjust(seconds * 1_000)),
    questions: () => questions,
    open: (key: string) => openAs({ authorization: `Bearer ${key}` }),
    openAs,
    login: () => Client.signIn(world, world.keys.viewer.key),
    /** Ends the session as another node does, which this node does not notice. */
    endElsewhere: (cookie: string) => {
      const secret = cookie.slice("qm_session=".length);
      const hash = createHash("sha256").update(secret).digest("hex");
      return Effect.runPromise(removeSession(hash));
    },
    [Symbol.asyncDispose]: world.close,
  };
};

type Stream = Awaited<ReturnType<typeof EventStream.open>>;

/** Resolves when the server ends the stream. */
const end = async (stream: Stream) => {
  while ((await stream.next()) !== undefined);
};

describe("streams", () => {
  it("[rate.streams] a key has a limited number of event streams, and a closed one no longer counts", async () => {
    await using world = await start({ http: { maxStreams: 2 } });
    const { key } = world.keys.viewer;
    const first = await world.open(key);
    const second = await world.open(key);
    const refused = await world.as(key)("GET", "/api/events");
    assertProblem(refused, 429, "rate-limited");
    assert.strictEqual(refused.headers.get("retry-after"), "10");
    assert.include(String(refused.body.detail), "2 open event streams");
    const other = await world.open(world.keys.admin.key);
    first.close();
    let third: Response;
    do {
      third = await Client.request(world, "GET", "/api/events", { key });
    } while (third.status === 429);
    assert.strictEqual(third.status, 200);
    await third.body?.cancel();
    for (const stream of [second, other]) stream.close();
  });

  it("[rate.streams.none] 0 removes the limit of event streams", async () => {
    await using world = await start({ http: { maxStreams: 0 } });
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => world.open(world.keys.viewer.key)),
    );
    for (const stream of streams) stream.close();
  });

  it("[rate.streams.refused] a request that opens no stream does not count as one", async () => {
    await using world = await start({ http: { maxStreams: 1 } });
    const call = world.as(world.keys.viewer.key);
    const headers = { "last-event-id": "evt_unknown" };
    assert.strictEqual((await call("GET", "/api/events", { headers })).status, 400);
    assert.strictEqual((await call("HEAD", "/api/events")).status, 200);
    assert.strictEqual((await call("GET", "/api/events", { headers })).status, 400);
  });

  it("[events.ends.immediately] the deletion of a key ends its streams, and the end of a session its streams and its tokens' streams, without waiting", async () => {
    await using world = await start();
    const made = await world.key({ role: "Viewer" });
    const byKey = await world.open(made.key);
    const { cookie, headers } = await world.login();
    const byCookie = await world.openAs({ cookie });
    const token = await world.as(undefined)("POST", "/api/session/token", { headers });
    const byToken = await world.open(token.body.token);
    await world.as(world.keys.owner.key)("DELETE", `/api/keys/${made.id}`);
    await end(byKey);
    await world.as(undefined)("DELETE", "/api/session", { headers });
    await Promise.all([end(byCookie), end(byToken)]);
  });

  it("[events.ends.expiry] a stream ends when its key expires", async () => {
    await using world = await start();
    const { key } = await world.key({ role: "Viewer", expiresAt: "2026-11-22T10:00:05.000Z" });
    const stream = await world.open(key);
    await world.adjust(5);
    await end(stream);
  });

  it("[events.ends.elsewhere] a stream ends within 15 seconds of its session's end on another node", async () => {
    await using world = await start();
    const { cookie } = await world.login();
    const stream = await world.openAs({ cookie });
    await world.endElsewhere(cookie);
    await world.adjust(15);
    await end(stream);
  });

  it("[events.idle] idle streams of a key share one check in storage every 15 seconds", async () => {
    await using world = await start();
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => world.open(world.keys.viewer.key)),
    );
    await world.adjust(15);
    const before = world.questions();
    for (let second = 0; second < 60; second++) await world.adjust(1);
    assert.isAtMost(world.questions() - before, 5);
    for (const stream of streams) stream.close();
  });
});
