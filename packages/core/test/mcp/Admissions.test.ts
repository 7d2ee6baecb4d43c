import { assert, describe } from "@effect/vitest";
import {
  Agents,
  CurrentRun,
  CurrentTrace,
  Housekeeping,
  Issues,
  Principal,
  type Run,
  Runs,
  RunStore,
  ToolCallStore,
  ToolGateway,
  Transactor,
} from "@quartermaster/core";
import { Callers, Fixtures } from "@quartermaster/testing";
import { Effect, Fiber, Option } from "effect";
import { assertTag, check, secret, world } from "../support/McpWorld.ts";

/** An agent `bot` that may call tools, its issue, and its live run. */
const working = Effect.fnUntraced(function* (leaseSeconds = 300) {
  const { id, server } = yield* world.running();
  const issues = yield* Issues.Issues;
  const runs = yield* Runs.Runs;
  const issue = yield* issues.create("shop", { title: "Count", assignedAgentId: "bot" });
  const { started } = yield* runs.heartbeat("bot", { leaseSeconds });
  const runId = started[0]?.runId ?? "";
  const acting = { id: runId, agentId: "bot" };
  const call = (name = "test-notes__add") =>
    Effect.provideService(world.call(name), CurrentRun.CurrentRun, acting);
  return { acting, call, id, issue, issues, runId, runs, server };
});

/** A call that its server received and does not answer. */
const hanging = Effect.fnUntraced(function* (leaseSeconds?: number) {
  const made = yield* working(leaseSeconds);
  made.server.onCall = () => Effect.never;
  const fiber = yield* Effect.forkChild(made.call());
  yield* world.idle;
  assert.lengthOf(made.server.calls, 1);
  return { ...made, fiber };
});

/** By the clock of the test, which starts at 0. */
const atMillis = (millis: number) => new Date(millis).toISOString();

const runOf = (runId: string) =>
  RunStore.RunStore.use((store) => Effect.flatMap(store.get(runId), Effect.fromOption));

const updateRun = Effect.fnUntraced(function* (runId: string, change: Partial<Run.RunRow>) {
  const store = yield* RunStore.RunStore;
  const { transact } = yield* Transactor.Transactor;
  yield* transact(store.update([{ ...(yield* runOf(runId)), ...change }]));
});

const codes = (issueId: string) =>
  Issues.Issues.use((issues) =>
    Effect.map(issues.readiness(issueId), ({ reasons }) => reasons.map(({ code }) => code)),
  );

describe("Admission of calls", () => {
  check(
    "[run.fence.steps] a run that was live when its request read it, and was stopped or lost since, is refused by the admission",
    Effect.gen(function* () {
      const { runId, server } = yield* working();
      const row = yield* runOf(runId);
      const call = Effect.provideService(world.call("test-notes__add"), CurrentRun.CurrentRun, row);
      yield* call;
      for (const change of [
        { status: "stopping", stopReason: "paused" },
        { status: "active", stopReason: null, leaseExpiresAt: row.startedAt },
      ] as const) {
        yield* updateRun(runId, change);
        const error = yield* Effect.flip(call);
        assert.strictEqual("reason" in error && error.reason, "runEnded");
      }
      assert.lengthOf(server.calls, 1);
    }),
  );

  check(
    "[tools.calls.need-run] with callsNeedRun an agent calls tools for a live run only, and the server receives no other call",
    Effect.gen(function* () {
      const { call, runId, runs, server } = yield* working();
      const agents = yield* Agents.Agents;
      assert.isFalse((yield* agents.get("bot")).callsNeedRun);
      yield* world.call("test-notes__add");
      assert.isTrue((yield* agents.put("bot", { callsNeedRun: true })).callsNeedRun);
      const reasonOf = (call: ReturnType<typeof world.call>) =>
        Effect.map(Effect.flip(call), (error) => "reason" in error && error.reason);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__add")), "noRun");
      yield* call();
      assert.lengthOf(server.calls, 2);
      yield* runs.finish("bot", runId, { outcome: "review" });
      // The ten minutes after a hand-in do not count: its run is not live.
      assert.strictEqual(yield* reasonOf(call()), "noRun");
      assert.lengthOf(server.calls, 2);
      yield* agents.put("bot", { callsNeedRun: false });
      yield* call();
      assert.lengthOf(server.calls, 3);
    }),
  );

  check(
    "[tools.calls.admitted] a call is recorded before its server receives it, without outcome and duration",
    Effect.gen(function* () {
      const { fiber, issue, runId } = yield* hanging();
      const [record, ...rest] = yield* world.records();
      assert.deepStrictEqual(rest, []);
      assert.match(record?.id ?? "", /^call_/);
      assert.match(record?.toolDigest ?? "", /^[0-9a-f]{64}$/);
      assert.deepStrictEqual(
        [record?.runId, record?.issueId, record?.projectId, record?.server, record?.tool],
        [runId, issue.id, "shop", "test-notes", "add"],
      );
      assert.deepStrictEqual([record?.outcome, record?.durationMs], [null, null]);
      const found = yield* ToolGateway.ToolGateway.use((gateway) =>
        gateway.recordOf(record?.id ?? ""),
      );
      const { arguments: args, result, truncated, ...listed } = found;
      assert.deepStrictEqual(listed, record);
      assert.deepStrictEqual([args, result, truncated], [null, null, false]);
      yield* Fiber.interrupt(fiber);
      const [ended] = yield* world.records();
      assert.deepStrictEqual([ended?.id, ended?.outcome], [record?.id, "cancelled"]);
    }),
  );

  check(
    "[tools.calls.context] a server by stdio learns whose call it is, and the caller's trace",
    Effect.gen(function* () {
      const { call, issue, runId, server } = yield* working();
      const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
      yield* Effect.provideService(call(), CurrentTrace.CurrentTrace, trace);
      yield* world.call("test-notes__add");
      const [second, first] = yield* world.records();
      const context = { agentId: "bot", runId, issueId: issue.id, projectId: "shop", attempt: 1 };
      const none = { runId: null, issueId: null, projectId: null, attempt: null };
      assert.deepStrictEqual(server.metas, [
        { ...trace, "quartermaster/call": { callId: first?.id, ...context } },
        { "quartermaster/call": { callId: second?.id, agentId: "bot", ...none } },
      ]);
      const long = { traceparent: "", tracestate: "x".repeat(8_193), baggage: 1, other: "y" };
      assert.deepStrictEqual(CurrentTrace.of(long), {});
      assert.deepStrictEqual(CurrentTrace.of({ ...trace, "quartermaster/call": {} }), trace);
    }),
  );

  check(
    "[tools.calls.context] without sendContext a server learns neither, only the key of an effect",
    Effect.gen(function* () {
      const { call, id, server } = yield* working();
      const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
      yield* world.update(id, { sendContext: false });
      yield* Effect.provideService(call(), CurrentTrace.CurrentTrace, trace);
      assert.deepStrictEqual(server.metas, [undefined]);
      yield* world.update(id, { once: [{ tools: ["add"] }] });
      yield* Effect.provideService(call(), CurrentTrace.CurrentTrace, trace);
      const [, ofEffect, ...rest] = server.metas;
      assert.deepStrictEqual([Object.keys(ofEffect ?? {}), rest], [["quartermaster/call"], []]);
      const sent = ofEffect?.["quartermaster/call"] as Readonly<Record<string, unknown>>;
      assert.deepStrictEqual(Object.keys(sent), ["idempotencyKey"]);
      assert.match(String(sent["idempotencyKey"]), /^[\w-]{16,}$/);
    }),
  );

  check(
    "[tools.calls.record-calls] with recordCalls none the record of a failed call has no text",
    Effect.gen(function* () {
      const { call, id, server } = yield* working();
      server.onCall = () =>
        Effect.succeed({ content: [{ type: "text", text: "no" }], isError: true });
      yield* world.update(id, { recordCalls: "none" });
      yield* call();
      const [record] = yield* world.records();
      assert.deepInclude(record, { outcome: "error", error: null, recorded: "none" });
      yield* world.update(id, { recordCalls: null });
      yield* call();
      const [next] = yield* world.records();
      assert.deepInclude(next, { outcome: "error", error: "no", recorded: "errors" });
    }),
  );

  check(
    "[tools.calls.fence] a call for a run that was told to stop is not sent, and is recorded as refused",
    Effect.gen(function* () {
      const { call, id, issue, issues, runId, server } = yield* working();
      yield* issues.pause(issue.id);
      const refusal = yield* Effect.flip(call());
      assert.strictEqual(refusal._tag, "ToolUnavailable");
      if (refusal._tag !== "ToolUnavailable") return;
      assert.deepStrictEqual(
        [refusal.reason, refusal.run],
        ["runEnded", { runId, reason: "paused" }],
      );
      assert.deepStrictEqual(server.calls, []);
      const [record] = yield* world.records();
      assert.deepInclude(record, {
        outcome: "refused",
        runId,
        server: "test-notes",
        serverId: id,
        tool: "add",
      });
      assert.isString(record?.toolDigest);
      assert.match(record?.error ?? "", /^runEnded: The run run_\w+ may not call tools: /);
      assert.deepStrictEqual((yield* world.records({ outcome: ["failed"] }))[0], record);
    }),
  );

  check(
    "[tools.calls.fence] a run that has to stop while its server opens sends nothing",
    Effect.gen(function* () {
      const { call, id, issue, issues, server } = yield* working();
      yield* world.disable(id);
      server.onConnect = Effect.sleep("2 seconds");
      yield* world.enable(id);
      const fiber = yield* Effect.forkChild(Effect.exit(call()));
      yield* world.idle;
      yield* issues.pause(issue.id);
      yield* world.pass("3 seconds");
      const exit = yield* Fiber.join(fiber);
      assert.strictEqual(exit._tag, "Failure");
      assert.deepStrictEqual(server.calls, []);
    }),
  );

  check(
    "[tools.call.agent-paused] a call for no run is not sent if its agent is paused while its server opens",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      yield* world.disable(id);
      server.onConnect = Effect.sleep("2 seconds");
      yield* world.enable(id);
      const fiber = yield* Effect.forkChild(Effect.flip(world.call("test-notes__add")));
      yield* world.idle;
      const agents = yield* Agents.Agents;
      yield* agents.put("bot", { paused: true });
      yield* world.pass("3 seconds");
      const refusal = yield* Fiber.join(fiber);
      assert.strictEqual("reason" in refusal && refusal.reason, "agentPaused");
      assert.deepStrictEqual(server.calls, []);
      assert.strictEqual((yield* world.records())[0]?.outcome, "agentPaused");
    }),
  );

  check(
    "[tools.calls.renews] a call renews the lease of its run at its start and while it is in flight",
    Effect.gen(function* () {
      const { fiber, runId } = yield* hanging(30);
      const at = (yield* runOf(runId)).leaseExpiresAt;
      for (let second = 0; second < 50; second += 5) yield* world.pass("5 seconds");
      const run = yield* runOf(runId);
      assert.strictEqual(run.status, "active");
      assert.isAtLeast(Date.parse(run.leaseExpiresAt) - Date.parse(at), 40_000);
      assert.strictEqual((yield* world.records())[0]?.outcome, null);
      yield* Fiber.interrupt(fiber);
    }),
  );

  check(
    "[tools.calls.lease] a call is cancelled at its server when its active run loses its lease",
    Effect.gen(function* () {
      const { fiber, runId, server } = yield* hanging();
      yield* updateRun(runId, { leaseExpiresAt: atMillis(0) });
      yield* world.pass("11 seconds");
      const refusal = yield* Effect.flip(Fiber.join(fiber));
      assert.strictEqual(refusal._tag, "ToolUnavailable");
      assert.deepStrictEqual(server.calls[0]?.outcome, "cancelled");
      assert.strictEqual((yield* world.records())[0]?.outcome, "cancelled");
    }),
  );

  check(
    "[tools.calls.lease] a call continues after its run was told to stop, and after that run's lease",
    Effect.gen(function* () {
      const { fiber, issue, issues } = yield* hanging(30);
      yield* issues.pause(issue.id);
      for (let second = 0; second < 50; second += 5) yield* world.pass("5 seconds");
      assert.strictEqual((yield* world.records())[0]?.outcome, null);
      yield* Fiber.interrupt(fiber);
    }),
  );

  check(
    "[tools.calls.holds] an issue with a call in flight is claimed as soon as the call has ended",
    Effect.gen(function* () {
      const { fiber, issue, runId, runs } = yield* hanging();
      yield* runs.finish("bot", runId, { outcome: "released" });
      assert.deepStrictEqual(yield* codes(issue.id), ["callInFlight"]);
      assert.deepStrictEqual((yield* runs.heartbeat("bot", {})).started, []);
      yield* world.pass("25 seconds");
      assert.deepStrictEqual(yield* codes(issue.id), ["callInFlight"]);
      yield* Fiber.interrupt(fiber);
      yield* world.idle;
      assert.deepStrictEqual(yield* codes(issue.id), []);
      assert.lengthOf((yield* runs.heartbeat("bot", {})).started, 1);
    }),
  );

  check(
    "[tools.calls.lost] a call whose node stopped is lost once its time has passed",
    Effect.gen(function* () {
      const { issue } = yield* working();
      const store = yield* ToolCallStore.ToolCallStore;
      const { transact } = yield* Transactor.Transactor;
      const housekeeping = yield* Housekeeping.Housekeeping;
      const call = yield* Fixtures.admittedCall({
        issueId: issue.id,
        startedAt: atMillis(0),
        until: atMillis(30_000),
      });
      yield* transact(store.admit(call));
      const outcome = Effect.map(world.records({ outcome: ["lost"] }), ([found]) => found);
      assert.isUndefined(yield* outcome);
      yield* world.pass("31 seconds");
      const seen = yield* outcome;
      assert.deepStrictEqual([seen?.id, seen?.durationMs], [call.id, 30_000]);
      yield* housekeeping.once;
      assert.deepStrictEqual(yield* store.admitted({}, 9), []);
      assert.deepStrictEqual(yield* outcome, seen);
      assert.isTrue(Option.isSome(yield* store.get(call.id)));
    }),
  );

  check(
    "[tools.calls.errors] the record of a failed call has the text of the failure, at most 2 KiB, without secrets",
    Effect.gen(function* () {
      const { call, server } = yield* working();
      const error = (text: string) => {
        server.onCall = () => Effect.succeed({ content: [{ type: "text", text }], isError: true });
        return Effect.andThen(
          call(),
          Effect.map(world.records(), ([record]) => record?.error ?? ""),
        );
      };
      assert.strictEqual(yield* error(`no ${secret}`), "no [secret NOTES_KEY]");
      const long = yield* error("é".repeat(5_000));
      assert.isAtMost(Buffer.byteLength(long), 2_048);
      assert.isAtLeast(Buffer.byteLength(long), 2_000);
      assert.match(long, /^é+$/);
      server.onCall = () => Effect.succeed({ content: [{ type: "text", text: "fine" }] });
      yield* call();
      assert.isNull((yield* world.records())[0]?.error);
    }),
  );

  check(
    "[tools.calls.filters] records are filtered by run, issue, tool, outcome and start",
    Effect.gen(function* () {
      const { call, issue, runId } = yield* working();
      yield* call();
      yield* world.pass("10 seconds");
      yield* Effect.exit(world.call("nothing"));
      const outcomes = (request: ToolGateway.CallsRequest) =>
        Effect.map(world.records(request), (found) => found.map(({ outcome }) => outcome));
      assert.deepStrictEqual(yield* outcomes({}), ["unknownTool", "ok"]);
      assert.deepStrictEqual(yield* outcomes({ runId }), ["ok"]);
      assert.deepStrictEqual(yield* outcomes({ issueId: issue.id }), ["ok"]);
      assert.deepStrictEqual(yield* outcomes({ tool: "add" }), ["ok"]);
      assert.deepStrictEqual(yield* outcomes({ outcome: ["failed"] }), ["unknownTool"]);
      assert.deepStrictEqual(yield* outcomes({ outcome: ["ok", "failed"] }), ["unknownTool", "ok"]);
      const [last] = yield* world.records();
      assert.deepStrictEqual(yield* outcomes({ from: last?.startedAt ?? "" }), ["unknownTool"]);
      assert.deepStrictEqual(yield* outcomes({ to: last?.startedAt ?? "" }), ["ok"]);
    }),
  );

  check(
    "[tools.calls.run] Viewers list the calls of a run, Editors read errors, and other agents do neither",
    Effect.gen(function* () {
      const { call, runId, server } = yield* working();
      server.onCall = () =>
        Effect.succeed({ content: [{ type: "text", text: "no" }], isError: true });
      yield* call();
      const read = (principal: Principal.Principal, agentId = "bot") =>
        ToolGateway.ToolGateway.use((gateway) => gateway.callsOf(agentId, runId)).pipe(
          Effect.map(({ items }) => items.map(({ error, outcome }) => [outcome, error])),
          Callers.as(principal),
        );
      assert.deepStrictEqual(yield* read(Principal.user("v", "Viewer")), [["error", null]]);
      assert.deepStrictEqual(yield* read(Principal.user("e", "Editor")), [["error", "no"]]);
      assert.deepStrictEqual(yield* read(Principal.agent("bot")), [["error", "no"]]);
      yield* assertTag(read(Principal.agent("other")), "Forbidden");
      yield* assertTag(read(Principal.user("e", "Editor"), "other"), "NotFound");
      const elsewhere = { ...Principal.user("v", "Viewer"), projects: ["other"] };
      yield* assertTag(read(elsewhere), "NotFound");
    }),
  );
});
