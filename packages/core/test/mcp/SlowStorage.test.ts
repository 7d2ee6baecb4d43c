import { assert, describe } from "@effect/vitest";
import { CurrentRun, Errors, Issues, Runs, ToolCallStore, Transactor } from "@quartermaster/core";
import { TestCore } from "@quartermaster/testing";
import { Context, Effect, Fiber, Layer } from "effect";
import { checkIn, world } from "../support/McpWorld.ts";
import * as TestStorage from "../support/Storage.ts";

/** Calls over a storage whose commits are slow, or that cannot extend calls in flight. */

/** How the storage misbehaves; a test sets it. */
const storage = { commitSeconds: 0, isExtending: true };

const misbehaving = Layer.unwrap(
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.fresh(TestStorage.storage));
    const transactor = Context.get(context, Transactor.Transactor);
    const calls = Context.get(context, ToolCallStore.ToolCallStore);
    const transactRelaxed: typeof transactor.transactRelaxed = (change) =>
      Effect.tap(transactor.transactRelaxed(change), () => {
        const { commitSeconds } = storage;
        storage.commitSeconds = 0;
        return commitSeconds === 0 ? Effect.void : Effect.sleep(`${commitSeconds} seconds`);
      });
    const extend: typeof calls.extend = (ids, until) =>
      storage.isExtending
        ? calls.extend(ids, until)
        : Effect.fail(new Errors.StorageError({ reason: "The disk is full.", isRetryable: true }));
    return Layer.succeedContext(
      context.pipe(
        Context.add(Transactor.Transactor, { ...transactor, transactRelaxed }),
        Context.add(ToolCallStore.ToolCallStore, { ...calls, extend }),
      ),
    );
  }),
);

const check = <A, E>(name: string, body: Parameters<typeof checkIn<A, E, never>>[2]) =>
  checkIn(TestCore.layerMcpWith({ storage: misbehaving }), name, body);

const working = Effect.gen(function* () {
  Object.assign(storage, { commitSeconds: 0, isExtending: true });
  const { server } = yield* world.running();
  const issues = yield* Issues.Issues;
  const issue = yield* issues.create("shop", { title: "Count", assignedAgentId: "bot" });
  const { started } = yield* Runs.Runs.use((runs) => runs.heartbeat("bot"));
  const acting = { id: started[0]?.runId ?? "", agentId: "bot" };
  const call = Effect.provideService(world.call("test-notes__add"), CurrentRun.CurrentRun, acting);
  return { call, issue, issues, server };
});

describe("Calls over a slow storage", () => {
  check(
    "[tools.calls.admitted] an admission that takes 6 s is done again under the same id",
    Effect.gen(function* () {
      const { call, server } = yield* working;
      storage.commitSeconds = 6;
      const fiber = yield* Effect.forkChild(call);
      yield* world.pass("5 seconds");
      assert.lengthOf(server.calls, 0);
      const [admitted] = yield* world.records();
      assert.isNull(admitted?.outcome);
      yield* world.pass("1 second");
      assert.isNotTrue((yield* Fiber.join(fiber)).isError);
      assert.lengthOf(server.calls, 1);
      const records = yield* world.records();
      assert.deepStrictEqual(
        records.map(({ id, outcome }) => [id, outcome]),
        [[admitted?.id, "ok"]],
      );
    }),
  );

  check(
    "[tools.calls.fence] a run that has to stop during an admission of 6 s sends nothing",
    Effect.gen(function* () {
      const { call, issue, issues, server } = yield* working;
      storage.commitSeconds = 6;
      const fiber = yield* Effect.forkChild(Effect.flip(call));
      yield* world.pass("2 seconds");
      yield* issues.pause(issue.id);
      yield* world.pass("4 seconds");
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "ToolUnavailable", reason: "runEnded" });
      assert.lengthOf(server.calls, 0);
      const [record] = yield* world.records();
      assert.strictEqual(record?.outcome, "refused");
    }),
  );

  check(
    "[tools.calls.lease] a call that its node cannot extend is cancelled before its time passes",
    Effect.gen(function* () {
      const { call, server } = yield* working;
      server.onCall = () => Effect.never;
      const fiber = yield* Effect.forkChild(Effect.flip(call));
      yield* world.idle;
      assert.lengthOf(server.calls, 1);
      storage.isExtending = false;
      for (let seconds = 0; seconds < 26; seconds++) yield* world.pass("1 second");
      assert.strictEqual(server.calls[0]?.outcome, "inFlight");
      for (let seconds = 0; seconds < 3; seconds++) yield* world.pass("1 second");
      assert.strictEqual(server.calls[0]?.outcome, "cancelled");
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "ToolUnavailable", reason: "crashed" });
      const [record] = yield* world.records();
      assert.match(record?.error ?? "", /could not store that the call was still in flight/);
    }),
  );
});
