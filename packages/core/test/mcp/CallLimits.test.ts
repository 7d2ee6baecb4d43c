import { assert, describe } from "@effect/vitest";
import { type AccessEntry, McpConnector } from "@quartermaster/core";
import { Deferred, Effect, Fiber } from "effect";
import { check, world } from "../support/McpWorld.ts";

const limit = (id: string, limits: Partial<AccessEntry.Permission>, agentId = "bot") =>
  world.putAccess(id, { agentId, granted: true, ...limits });

const add = (agentId = "bot") =>
  Effect.map(world.call("test-notes__add", {}, { agentId }), ({ content, isError }) =>
    isError === true ? String(content[0]?.["text"]) : "ok",
  );

const refused = (seconds: number, limit: string) =>
  `The call was not sent; it is safe to repeat after ${seconds} s. The agent's calls of the server test-notes are limited to ${limit}.`;

describe("Limits of calls", () => {
  check(
    "[mcp.access.callsPerMinute] calls beyond callsPerMinute are refused with the delay, and are not sent",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      yield* limit(id, { callsPerMinute: 2 });
      assert.strictEqual(yield* add(), "ok");
      yield* world.pass("10 seconds");
      assert.strictEqual(yield* add(), "ok");
      assert.strictEqual(yield* add(), refused(50, "2 per minute"));
      yield* world.pass("49500 millis");
      assert.strictEqual(yield* add(), refused(1, "2 per minute"));
      yield* world.pass("500 millis");
      assert.strictEqual(yield* add(), "ok");
      // At most two calls run within any 60 seconds.
      assert.strictEqual(yield* add(), refused(10, "2 per minute"));
      assert.lengthOf(server.calls, 3);
      const outcomes = (yield* world.records()).map(({ outcome }) => outcome);
      assert.deepStrictEqual(outcomes, ["error", "ok", "error", "error", "ok", "ok"]);
    }),
  );

  check(
    "[mcp.access.callsPerMinute] agents and servers are counted apart, and a changed limit holds immediately",
    Effect.gen(function* () {
      const { id } = yield* world.running();
      yield* limit(id, { callsPerMinute: 3 });
      yield* limit(id, { callsPerMinute: 1 }, "other");
      for (const _ of [1, 2, 3]) assert.strictEqual(yield* add(), "ok");
      assert.strictEqual(yield* add(), refused(60, "3 per minute"));
      assert.strictEqual(yield* add("other"), "ok");
      assert.strictEqual(yield* add("other"), refused(60, "1 per minute"));
      const second = yield* world.notes("second");
      yield* world.verify(second.id);
      yield* world.enable(second.id);
      yield* limit(second.id, { callsPerMinute: 1 });
      assert.isUndefined((yield* world.call("second__add")).isError);

      yield* limit(id, { callsPerMinute: 4 });
      assert.strictEqual(yield* add(), "ok");
      assert.strictEqual(yield* add(), refused(60, "4 per minute"));
      yield* limit(id, { callsPerMinute: 1 });
      assert.strictEqual(yield* add(), refused(60, "1 per minute"));
      yield* limit(id, { callsPerMinute: null });
      assert.strictEqual(yield* add(), "ok");
    }),
  );

  check(
    "[mcp.access.maxConcurrentCalls] calls beyond maxConcurrentCalls are refused until one ends, however it ends",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      yield* limit(id, { maxConcurrentCalls: 1 });
      const full = refused(1, "1 in flight");
      const gate = Deferred.makeUnsafe<void>();
      server.onCall = () => Effect.as(Deferred.await(gate), { content: [] });
      const first = yield* Effect.forkChild(add());
      yield* world.idle;
      assert.strictEqual(yield* add(), full);
      yield* Deferred.succeed(gate, undefined);
      assert.strictEqual(yield* Fiber.join(first), "ok");

      server.onCall = () => Effect.never;
      const interrupted = yield* Effect.forkChild(add());
      yield* world.idle;
      assert.strictEqual(yield* add(), full);
      yield* Fiber.interrupt(interrupted);
      server.onCall = () =>
        Effect.fail(new McpConnector.RpcError({ code: 1, message: "It failed." }));
      assert.strictEqual(yield* add(), "It failed.");
      assert.strictEqual(yield* add(), "It failed.");

      server.onCall = () => Effect.never;
      const ended = yield* Effect.forkChild(Effect.flip(add()));
      yield* world.idle;
      yield* world.disable(id);
      yield* Fiber.join(ended);
      yield* world.enable(id);
      server.onCall = () => Effect.succeed({ content: [] });
      assert.strictEqual(yield* add(), "ok");
    }),
  );

  check(
    "[mcp.access.maxConcurrentCalls] a call that waits for its connection is in flight, and is counted once",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      yield* limit(id, { callsPerMinute: 2, maxConcurrentCalls: 1 });
      const gate = Deferred.makeUnsafe<void>();
      yield* world.disable(id);
      server.onConnect = Deferred.await(gate);
      yield* world.enable(id);
      const waiting = yield* Effect.forkChild(add());
      yield* world.idle;
      assert.strictEqual(yield* add(), refused(1, "1 in flight"));
      // The change drops the connection: the next connection retries the call.
      yield* world.update(id, { idleSeconds: 10 });
      yield* Deferred.succeed(gate, undefined);
      assert.strictEqual(yield* Fiber.join(waiting), "ok");
      assert.strictEqual(yield* add(), "ok");
      assert.strictEqual(yield* add(), refused(60, "2 per minute"));
    }),
  );
});
