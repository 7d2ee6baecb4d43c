import { assert, describe, it } from "@effect/vitest";
import { Clock, Context, Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { HttpOptions } from "../src/index.ts";
import * as RateLimits from "../src/request/RateLimits.ts";
import { assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

describe("limits", () => {
  it("[rate.key] after a burst of twice the limit, only that key gets 429 with Retry-After", async () => {
    // Otherwise a pause of this process gives the key another request.
    const clock = await Effect.runPromise(Effect.scoped(TestClock.make()));
    const world = await World.forTest({
      http: { rateLimit: 2 },
      clock: Layer.succeedContext(Context.make(Clock.Clock, clock) as Context.Context<never>),
    });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => world.call("GET", "/api/agents")),
    );
    const refused = answers.filter(({ status }) => status === 429);
    assert.isAtLeast(answers.filter(({ status }) => status === 200).length, 4);
    assert.isAtLeast(refused.length, 1);
    for (const answer of refused) {
      assertProblem(answer, 429, "rate-limited");
      assert.isAtLeast(Number(answer.headers.get("retry-after")), 1);
    }
    // 429 comes before 403 and 400.
    assert.strictEqual((await world.call("PUT", "/api/agents/a", { body: 5 })).status, 429);
    assert.strictEqual((await world.as(world.keys.admin.key)("GET", "/api/agents")).status, 200);
  });

  it("[rate.key.none] 0 disables the limit", async () => {
    const world = await World.forTest({ http: { rateLimit: 0 } });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => world.call("GET", "/api/agents")),
    );
    assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  });

  it("[rate.failures] beyond the limit a wrong key gets 429, a valid or missing key never", async () => {
    const world = await World.forTest();
    const wrong = () => world.as("qm_wrong_key")("GET", "/api/agents");
    for (let index = 0; index < 30; index++) {
      assert.strictEqual((await world.as(undefined)("GET", "/api/agents")).status, 401);
    }
    for (let index = 0; index < 20; index++) assertProblem(await wrong(), 401, "unauthenticated");
    const answer = await wrong();
    assertProblem(answer, 429, "rate-limited");
    assert.isAtLeast(Number(answer.headers.get("retry-after")), 1);
    assert.strictEqual((await world.call("GET", "/api/agents")).status, 200);
    assert.strictEqual((await world.as(undefined)("GET", "/api/agents")).status, 401);
    const login = (apiKey: string) =>
      world.as(undefined)("POST", "/api/session", { body: { apiKey } });
    assert.strictEqual((await login("qm_wrong_key")).status, 429);
    assert.strictEqual((await login(world.keys.editor.key)).status, 201);
    // `X-Forwarded-For` counts only from a trusted proxy.
    const forged = await world.as("qm_wrong_key")("GET", "/api/agents", {
      headers: { "x-forwarded-for": "192.0.2.7" },
    });
    assert.strictEqual(forged.status, 429);
  });

  it.effect("[rate.clock] a clock that is set back does not delay requests", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits.RateLimits;
      const now = Effect.withFiber((fiber) => Effect.succeed(RateLimits.now(fiber)));
      yield* TestClock.setTime(120_000);
      limits.take("key", yield* now);
      limits.failed("192.0.2.1", yield* now);
      yield* TestClock.setTime(60_000);
      assert.strictEqual(limits.take("key", yield* now), 0);
      yield* TestClock.adjust("60 seconds");
      assert.strictEqual(limits.failed("192.0.2.1", yield* now), 0);
    }).pipe(
      Effect.provide(
        RateLimits.RateLimits.layer.pipe(
          Layer.provide(
            Layer.succeed(HttpOptions.HttpOptions, {
              ...HttpOptions.defaults,
              rateLimit: 1,
              authFailureLimit: 1,
            }),
          ),
        ),
      ),
    ),
  );

  it("[rate.failures.ipv6] the addresses of one IPv6 /64 network count as one address", async () => {
    const { as } = await World.forTest({
      http: { authFailureLimit: 1, trustedProxies: ["127.0.0.1"] },
    });
    const wrong = async (address: string) =>
      (
        await as("qm_wrong_key")("GET", "/api/agents", {
          headers: { "x-forwarded-for": address },
        })
      ).status;
    assert.strictEqual(await wrong("2001:db8:0:1::1"), 401);
    assert.strictEqual(await wrong("2001:db8:0:1:ffff::2"), 429);
    assert.strictEqual(await wrong("2001:db8:0:2::1"), 401);
    assert.strictEqual(await wrong("::ffff:192.0.2.1"), 401);
    assert.strictEqual(await wrong("::ffff:192.0.2.2"), 401);
  });

  it("[rate.failures.proxy] failures count for the last address that does not belong to a trusted proxy", async () => {
    const world = await World.forTest({
      http: { authFailureLimit: 1, trustedProxies: ["127.0.0.1", "10.0.0.0/8"] },
    });
    const wrong = async (chain: string) =>
      (
        await world.as("qm_wrong_key")("GET", "/api/agents", {
          headers: { "x-forwarded-for": chain },
        })
      ).status;
    assert.strictEqual(await wrong("192.0.2.1"), 401);
    assert.strictEqual(await wrong("192.0.2.1, 10.1.2.3"), 429);
    assert.strictEqual(await wrong("198.51.100.9, 192.0.2.1, 10.1.2.3"), 429);
    assert.strictEqual(await wrong("192.0.2.1, 192.0.2.2"), 401);
  });
});

describe("shutdown", () => {
  it("[unavailable.ending] requests are refused while the server shuts down", async () => {
    let hasStarted = false;
    const world = await World.forTest({
      http: { shutdown: { started: Effect.never, hasStarted: () => hasStarted } },
    });
    hasStarted = true;
    const answer = await world.call("GET", "/api/agents");
    assertProblem(answer, 503, "unavailable");
    assert.isAtLeast(Number(answer.headers.get("retry-after")), 1);
  });
});
