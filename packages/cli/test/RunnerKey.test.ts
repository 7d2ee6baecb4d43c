import { assert, describe, it, vi } from "@effect/vitest";
import { Console, Effect, Exit, Redacted, Scope } from "effect";
import { TestClock } from "effect/testing";
import * as World from "../../http/test/support/World.ts";
import * as RunnerKey from "../src/work/RunnerKey.ts";
import { Proxy } from "./Proxy.ts";

/**
 * A runner that an Admin started, its server behind a proxy, and a clock that the test advances by
 * hours.
 */
const scene = Effect.gen(function* () {
  const world = yield* Effect.promise(() => World.forTest());
  const proxy = yield* Effect.promise(() => Proxy.before(world.url));
  // The server's clock determines when keys expire.
  yield* TestClock.setTime(new Date().getTime());
  const notes: Array<string> = [];
  const console: Console.Console = Object.assign(Object.create(globalThis.console), {
    error: (note: string) => void notes.push(note),
  });
  const scope = yield* Scope.make();
  const access = { url: proxy.url, key: Redacted.make(world.keys.admin.key), runId: null };
  const worker = yield* RunnerKey.make(access, "bot", ["p1"]).pipe(
    Scope.provide(scope),
    Effect.provideService(Console.Console, console),
  );
  const keyNow = () => Redacted.value(worker.access.key);
  return {
    world,
    proxy,
    notes,
    keyNow,
    exit: Scope.close(scope, Exit.void),
    /** Polls until the check passes: no event reports a request of the runner. */
    until: (check: () => void | Promise<void>) =>
      Effect.promise(() => vi.waitFor(check, { timeout: 20_000, interval: 10 })),
    whoami: (key: string) => Effect.promise(() => world.as(key)("GET", "/api/session")),
    keys: Effect.promise(async (): Promise<ReadonlyArray<Record<string, unknown>>> => {
      const { body } = await world.admin("GET", "/api/keys?limit=500");
      return body.filter(({ name }: { readonly name: string }) => name === "Runner of bot");
    }),
  };
});

describe("the key of a runner", () => {
  it.effect(
    "[runner.key] a runner that lives longer replaces its key every 12 hours, and deletes the keys when it exits",
    () =>
      Effect.gen(function* () {
        const { exit, keyNow, keys, until, whoami } = yield* scene;
        const first = keyNow();
        yield* TestClock.adjust("11 hours");
        assert.strictEqual(keyNow(), first);
        yield* TestClock.adjust("1 hour");
        yield* until(() => assert.notStrictEqual(keyNow(), first));
        const second = keyNow();
        for (const key of [first, second]) {
          const { body } = yield* whoami(key);
          assert.deepInclude(body.principal, { agentId: "bot", role: "Editor", projects: ["p1"] });
        }
        const expiries = (yield* keys).map(({ expiresAt }) => Date.parse(String(expiresAt)));
        assert.lengthOf(expiries, 2);
        const [earlier = 0, later = 0] = expiries.toSorted();
        assert.strictEqual(later - earlier, 12 * 3_600_000);
        yield* TestClock.adjust("12 hours");
        yield* until(() => assert.notStrictEqual(keyNow(), second));
        const third = keyNow();
        yield* exit;
        for (const key of [second, third]) {
          assert.strictEqual((yield* whoami(key)).status, 401);
        }
      }),
  );

  it.effect("[runner.key] a runner retries while the server is unreachable", () =>
    Effect.gen(function* () {
      const { exit, keyNow, notes, proxy, until } = yield* scene;
      const first = keyNow();
      const before = proxy.requests;
      proxy.mode = "away";
      yield* TestClock.adjust("12 hours");
      yield* until(() => assert.isAbove(proxy.requests, before));
      proxy.mode = "open";
      for (let minute = 0; keyNow() === first && minute < 1_000; minute += 1) {
        yield* TestClock.adjust("1 minute");
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)));
      }
      assert.notStrictEqual(keyNow(), first);
      assert.deepStrictEqual(notes, []);
      yield* exit;
    }),
  );

  it.effect(
    "[runner.key] without the Admin's key a runner reports it, and works until its own key expires",
    () =>
      Effect.gen(function* () {
        const { exit, keyNow, notes, until, whoami, world } = yield* scene;
        const first = keyNow();
        yield* Effect.promise(() =>
          world.as(world.keys.owner.key)("DELETE", `/api/keys/${world.keys.admin.id}`),
        );
        yield* TestClock.adjust("12 hours");
        yield* until(() => assert.lengthOf(notes, 1));
        assert.match(String(notes[0]), /cannot be renewed, and expires within 12 hours/);
        assert.strictEqual(keyNow(), first);
        assert.strictEqual((yield* whoami(first)).status, 200);
        yield* exit;
      }),
  );
});
