import { assert, describe } from "@effect/vitest";
import {
  CallBodyStore,
  CoreOptions,
  CurrentRun,
  Housekeeping,
  Issues,
  ResourceGateway,
  Rotation,
  Runs,
  Timestamp,
  ToolGateway,
} from "@quartermaster/core";
import { Callers, Fixtures, Storage, TestCore } from "@quartermaster/testing";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { admin, check, checkIn, checkWith, secret, world } from "../support/McpWorld.ts";
import * as TestStorage from "../support/Storage.ts";
import { check as checkCore } from "../support/World.ts";

const recordOf = (callId: string | undefined) =>
  ToolGateway.ToolGateway.use((gateway) => gateway.recordOf(callId ?? ""));

/** The newest record, with its arguments and result. */
const newest = Effect.flatMap(world.records(), ([record]) => recordOf(record?.id));

const stored = (callId: string) =>
  Effect.map(
    CallBodyStore.CallBodyStore.use((bodies) => bodies.get(callId)),
    Option.getOrNull,
  );

/** `test-notes`, of whose calls everything is recorded. */
const recording = Effect.gen(function* () {
  const { id, server } = yield* world.running();
  yield* world.update(id, { recordCalls: "all" });
  return { id, server };
});

const text = (text: string) => ({ content: [{ type: "text", text }] });

const none = { arguments: null, result: null, truncated: false };

describe("Arguments and results of calls", () => {
  check(
    "[tools.calls.bodies] with recordCalls all they are stored without secrets, sealed, and only in the record of the call",
    Effect.gen(function* () {
      const { server } = yield* recording;
      server.onCall = () => Effect.succeed(text(`It is ${secret}`));
      yield* world.call("test-notes__add", { note: `my ${secret}`, n: 1 });
      const record = yield* newest;
      assert.deepInclude(record, {
        recorded: "all",
        arguments: { note: "my [secret NOTES_KEY]", n: 1 },
        result: text("It is [secret NOTES_KEY]"),
        truncated: false,
      });
      const [listed] = yield* world.records();
      assert.notProperty(listed, "arguments");
      assert.notProperty(listed, "result");
      const body = yield* stored(record.id);
      assert.notInclude(JSON.stringify(body), "note");
      assert.deepStrictEqual(body?.bytes, body?.sealed.length);
      server.onCall = () => Effect.succeed({ ...text("no"), isError: true });
      yield* world.call("test-notes__add");
      assert.deepInclude(yield* newest, {
        outcome: "error",
        arguments: {},
        result: { ...text("no"), isError: true },
      });
    }),
  );

  check(
    "[tools.calls.bodies] they are not stored with recordCalls errors or none",
    Effect.gen(function* () {
      const { id } = yield* recording;
      for (const recordCalls of ["errors", "none"] as const) {
        yield* world.update(id, { recordCalls });
        yield* world.call("test-notes__add", { a: 1 });
        const record = yield* newest;
        assert.deepInclude(record, { recorded: recordCalls, ...none });
        assert.isNull(yield* stored(record.id));
      }
    }),
  );

  check(
    "[tools.calls.bodies] a call that was not sent has none, and the read of a resource has its URI",
    Effect.gen(function* () {
      const { server } = yield* recording;
      server.resources.resources = [{ uri: "file:///n", name: "n" }];
      yield* ResourceGateway.ResourceGateway.use((resources) =>
        resources.read("bot", "qm+test-notes+file:///n"),
      );
      const read = yield* newest;
      assert.deepStrictEqual([read.tool, read.recorded], ["resources/read", "all"]);
      assert.deepStrictEqual(read.arguments, { uri: "qm+test-notes+file:///n" });
      assert.include(JSON.stringify(read.result), "file:///n");
      yield* world.register("eve");
      yield* Effect.exit(world.call("test-notes__add", { a: 1 }, { agentId: "eve" }));
      assert.deepInclude(yield* newest, { outcome: "notGranted", ...none });
    }),
  );

  check(
    "[tools.calls.bodies.limit] beyond 64 KiB each is the start of its JSON, and truncated is true",
    Effect.gen(function* () {
      const { server } = yield* recording;
      const exact = "x".repeat(64 * 1024 - '{"a":""}'.length);
      yield* world.call("test-notes__add", { a: exact });
      assert.deepInclude(yield* newest, { arguments: { a: exact }, truncated: false });
      yield* world.call("test-notes__add", { a: `${exact}x` });
      const record = yield* newest;
      assert.isTrue(record.truncated);
      assert.match(String(record.arguments), /^\{"a":"x+$/);
      assert.isAtMost(String(record.arguments).length, 64 * 1024);
      assert.deepStrictEqual(record.result, text("ok"));
      server.onCall = () => Effect.succeed(text("é".repeat(64 * 1024)));
      yield* world.call("test-notes__add", {});
      const long = yield* newest;
      assert.deepStrictEqual([long.arguments, long.truncated], [{}, true]);
      const bytes = Buffer.byteLength(String(long.result));
      assert.isTrue(bytes > 65_000 && bytes <= 65_536, String(bytes));
      assert.match(String(long.result), /^\{"content":\[\{"type":"text","text":"é+$/);
    }),
  );

  check(
    "[tools.calls.bodies.removed] they go when the server is uninstalled and when the issue is deleted; the records stay",
    Effect.gen(function* () {
      const { id: serverId } = yield* recording;
      const issues = yield* Issues.Issues;
      const issue = yield* issues.create("shop", { title: "Count", assignedAgentId: "bot" });
      const { started } = yield* Runs.Runs.use((runs) => runs.heartbeat("bot"));
      const acting = { id: started[0]?.runId ?? "", agentId: "bot" };
      yield* Effect.provideService(
        world.call("test-notes__add", { a: 1 }),
        CurrentRun.CurrentRun,
        acting,
      );
      const ofIssue = yield* newest;
      assert.deepStrictEqual([ofIssue.issueId, ofIssue.arguments], [issue.id, { a: 1 }]);
      for (let n = 0; n < 150; n++) yield* world.call("test-notes__add", { n });
      const other = yield* newest;
      yield* issues.remove(issue.id, { confirm: true });
      assert.deepInclude(yield* recordOf(ofIssue.id), { outcome: "ok", ...none });
      assert.deepStrictEqual((yield* recordOf(other.id)).arguments, { n: 149 });
      yield* world.uninstall(serverId);
      assert.deepInclude(yield* recordOf(other.id), { outcome: "ok", ...none });
      const bodies = yield* CallBodyStore.CallBodyStore;
      assert.strictEqual(yield* bodies.totalBytes, 0);
    }),
  );

  checkCore(
    "[tools.calls.bodies.retention] they are removed 7 days after the end of the call",
    Effect.gen(function* () {
      const housekeeping = yield* Housekeeping.Housekeeping;
      const bodies = yield* CallBodyStore.CallBodyStore;
      const { id: serverId } = yield* Fixtures.server();
      const put = Effect.gen(function* () {
        const body = yield* Fixtures.callBody({ serverId, endedAt: yield* Timestamp.now });
        yield* Storage.transact(bodies.put([body]));
        return body.callId;
      });
      const old = yield* put;
      yield* TestClock.adjust("7 days");
      const recent = yield* put;
      // Housekeeping distrusts a clock that jumped, for an hour.
      yield* housekeeping.once;
      assert.isNotNull(yield* stored(old));
      yield* TestClock.adjust("61 minutes");
      yield* housekeeping.once;
      assert.isNull(yield* stored(old));
      assert.isNotNull(yield* stored(recent));
    }),
  );

  const small = Layer.succeed(CoreOptions.CoreOptions, {
    ...CoreOptions.CoreOptions.defaultValue(),
    callBodyBytes: 1_000,
  });

  checkIn(
    Layer.provide(TestStorage.layerMcp, small),
    "[tools.calls.bodies.retention] beyond the limit of all together the oldest are removed",
    Effect.gen(function* () {
      yield* recording;
      const ids: Array<string> = [];
      for (let n = 0; n < 4; n++) {
        yield* world.call("test-notes__add", { a: "x".repeat(150) });
        yield* world.pass(1);
        ids.push((yield* newest).id);
      }
      yield* world.idle;
      const left = (yield* Effect.forEach(ids, stored)).map((body) => body !== null);
      assert.deepStrictEqual([left[0], left[3]], [false, true]);
      const bodies = yield* CallBodyStore.CallBodyStore;
      assert.isAtMost(yield* bodies.totalBytes, 1_000);
    }),
  );

  checkWith(
    "[tools.calls.bodies.rotate] a rotation of the master key seals them again",
    Effect.gen(function* () {
      const storage = Layer.succeedContext(yield* Layer.build(TestStorage.storage));
      let seed = 0;
      const on =
        (first: number, ...older: ReadonlyArray<number>) =>
        <A, E>(effect: Effect.Effect<A, E, TestCore.McpServices>) => {
          const keys = [TestCore.masterKey(first), ...older.map(TestCore.masterKey)] as const;
          const layer = TestCore.layerMcpWith({ storage, keys, seed: ++seed });
          return Effect.provide(effect, layer, { local: true });
        };
      const asAdmin = Callers.as(admin);
      const called = Effect.gen(function* () {
        yield* recording;
        yield* world.call("test-notes__add", { a: 1 });
        return (yield* newest).id;
      });
      const id = yield* on(1)(asAdmin(called));
      const rotate = Rotation.Rotation.use((rotation) => rotation.rotate);
      const older = Rotation.Rotation.use((rotation) => rotation.olderKeyIds);
      assert.deepStrictEqual(yield* on(3)(rotate), {
        rotated: 0,
        failed: [yield* installed(on(3))],
      });
      assert.strictEqual((yield* on(2, 1)(older)).size, 1);
      assert.deepStrictEqual(yield* on(2, 1)(rotate), { rotated: 2, failed: [] });
      assert.deepStrictEqual(yield* on(2, 1)(older), new Set());
      assert.deepInclude(yield* on(2)(asAdmin(recordOf(id))), { arguments: { a: 1 } });
      assert.deepInclude(yield* on(1)(asAdmin(recordOf(id))), none);
    }),
  );
});

/** The id of the only server. */
const installed = (
  on: <A, E>(effect: Effect.Effect<A, E, TestCore.McpServices>) => Effect.Effect<A, unknown>,
) =>
  Effect.map(
    on(Callers.as(admin)(world.servers((servers) => servers.list))),
    ([server]) => server?.id ?? "",
  );
