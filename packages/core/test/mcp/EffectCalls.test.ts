import { assert, describe } from "@effect/vitest";
import {
  CurrentRun,
  Delivery,
  EffectStore,
  EventStore,
  Inbox,
  IssueEffects,
  Issues,
  McpConnector,
  McpServerStore,
  McpServers,
  Principal,
  RunRecords,
  Runs,
  RunStore,
  Transactor,
  Workers,
} from "@quartermaster/core";
import { Deferred, Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { check, world } from "../support/McpWorld.ts";

/** A live run of `bot`, whose calls of `add` are effects. */
const working = Effect.fnUntraced(function* (leaseSeconds = 300) {
  const { id, server } = yield* world.running();
  yield* world.update(id, { once: [{ tools: ["add"] }] });
  const issues = yield* Issues.Issues;
  const runs = yield* Runs.Runs;
  const issue = yield* issues.create("shop", { title: "Pay", assignedAgentId: "bot" });
  const { started } = yield* runs.heartbeat("bot", { leaseSeconds });
  const acting = { id: started[0]?.runId ?? "", agentId: "bot" };
  const call = Effect.provideService(world.call("test-notes__add"), CurrentRun.CurrentRun, acting);
  return { call, id, issue, issues, runs, runId: acting.id, server };
});

const reasonOf = (call: ReturnType<typeof world.call>) =>
  Effect.map(Effect.flip(call), (error) => "reason" in error && error.reason);

describe("Calls that happen once", () => {
  check(
    "[tools.once.need-run] an effect needs a live run; the minutes after a hand-in do not count",
    Effect.gen(function* () {
      const { call, id, runId, runs, server } = yield* working();
      assert.strictEqual(yield* reasonOf(world.call("test-notes__add")), "noRun");
      assert.lengthOf(server.calls, 0);
      yield* call;
      yield* runs.finish("bot", runId, { outcome: "review" });
      assert.strictEqual(yield* reasonOf(call), "noRun");
      assert.lengthOf(server.calls, 1);
      const [refused] = yield* world.records();
      assert.strictEqual(refused?.outcome, "refused");
      yield* world.update(id, { once: null });
      yield* call;
      yield* world.call("test-notes__add");
      assert.lengthOf(server.calls, 3);
    }),
  );

  check(
    "[tools.once.runs-on] an effect that was sent runs on when its caller hangs up, also past the lease of its run",
    Effect.gen(function* () {
      const { call, issue, issues, server } = yield* working(30);
      const reply = yield* Deferred.make<void>();
      server.onCall = () => Effect.as(Deferred.await(reply), { content: [] });
      const fiber = yield* Effect.forkChild(call);
      yield* world.idle;
      assert.lengthOf(server.calls, 1);
      yield* Fiber.interrupt(fiber);
      for (let seconds = 0; seconds < 50; seconds += 5) {
        yield* TestClock.adjust("5 seconds");
        yield* world.idle;
      }
      assert.strictEqual(server.calls[0]?.outcome, "inFlight");
      const [pending] = yield* world.records();
      assert.isNull(pending?.outcome);
      const run = yield* RunStore.RunStore.use((store) =>
        Effect.flatMap(store.get(pending?.runId ?? ""), Effect.fromOption),
      );
      assert.isBelow(Date.parse(run.leaseExpiresAt), 50_000);
      const { reasons } = yield* issues.readiness(issue.id);
      assert.include(
        reasons.map(({ code }) => code),
        "callInFlight",
      );
      yield* Deferred.succeed(reply, undefined);
      yield* world.idle;
      const [ended] = yield* world.records();
      assert.deepStrictEqual([ended?.id, ended?.outcome], [pending?.id, "ok"]);
    }),
  );

  check(
    "[tools.once.runs-on] an effect that was not sent ends with its caller",
    Effect.gen(function* () {
      const { call, id, server } = yield* working();
      yield* world.update(id, { idleSeconds: 1 });
      server.onConnect = Effect.never;
      const fiber = yield* Effect.forkChild(call);
      yield* world.idle;
      yield* Fiber.interrupt(fiber);
      yield* world.idle;
      assert.lengthOf(server.calls, 0);
      const [ended] = yield* world.records();
      assert.strictEqual(ended?.outcome, "cancelled");
    }),
  );

  check(
    "[tools.once.idempotency-key] each effect has a key of its own, also when it is sent again after a failure",
    Effect.gen(function* () {
      const { call, runId, server } = yield* working();
      yield* call;
      yield* call;
      server.onCall = () => Effect.succeed({ content: [], isError: true });
      yield* call;
      server.onCall = () => Effect.succeed({ content: [] });
      yield* call;
      const keys = server.metas.map((meta) => {
        const context = meta?.["quartermaster/call"] as {
          readonly idempotencyKey: string;
          readonly runId: string;
        };
        assert.strictEqual(context.runId, runId);
        return context.idempotencyKey;
      });
      for (const key of keys) assert.match(key, /^[0-9a-f]{64}$/);
      assert.lengthOf(keys, 4);
      assert.lengthOf([...new Set(keys)], 3);
      assert.strictEqual(keys[3], keys[2]);
    }),
  );

  const named = (call: ReturnType<typeof world.call>, runId: string) =>
    Effect.provideService(call, CurrentRun.CurrentRun, { id: runId, agentId: "bot" });

  check(
    "[tools.once.replay] equal calls of one run are several effects, and the next run gets their results",
    Effect.gen(function* () {
      const { call, issue, runId, runs, server } = yield* working();
      let n = 0;
      server.onCall = () =>
        Effect.sync(() => ({ content: [{ type: "text", text: `receipt ${(n += 1)}` }] }));
      const texts = [yield* call, yield* call].map(({ content }) => content[0]?.["text"]);
      assert.deepStrictEqual(texts, ["receipt 1", "receipt 2"]);
      yield* runs.finish("bot", runId, { outcome: "released" });
      const { started } = yield* runs.heartbeat("bot", { leaseSeconds: 300 });
      assert.strictEqual(started[0]?.issue.id, issue.id);
      const again = named(world.call("test-notes__add"), started[0]?.runId ?? "");
      const first: object = yield* again;
      assert.deepStrictEqual(Reflect.get(first, "content"), [{ type: "text", text: "receipt 1" }]);
      const { callId } = Reflect.get(Reflect.get(first, "_meta"), "quartermaster/replayed");
      assert.match(callId, /^call_/);
      assert.strictEqual((yield* again).content[0]?.["text"], "receipt 2");
      assert.lengthOf(server.calls, 2);
      assert.strictEqual((yield* again).content[0]?.["text"], "receipt 3");
      const outcomes = (yield* world.records()).map(({ outcome }) => outcome);
      assert.deepStrictEqual(outcomes, ["ok", "replayed", "replayed", "ok", "ok"]);
    }),
  );

  check(
    "[tools.once.unknown] an effect whose reply was lost is not sent again, by no run",
    Effect.gen(function* () {
      const { call, runId, server } = yield* working();
      server.onCall = () =>
        Effect.fail(
          new McpConnector.ConnectorError({ reason: "closed", message: "Gone.", sent: true }),
        );
      assert.strictEqual(yield* reasonOf(call), "crashed");
      const refusal: object = yield* Effect.flip(call);
      assert.deepInclude(refusal, { _tag: "ToolUnavailable", reason: "effectUnknown" });
      assert.include(Reflect.get(refusal, "advice"), `Not sent: ${runId} sent this call at `);
      assert.match(Reflect.get(refusal, "callId"), /^call_/);
      assert.lengthOf(server.calls, 1);
      const [refused] = yield* world.records();
      assert.strictEqual(refused?.outcome, "refused");
    }),
  );

  check(
    "[effects.uninstall] a result that arrives while another node uninstalls the server is not stored",
    Effect.gen(function* () {
      const { call, id, issue, server } = yield* working();
      const effects = yield* EffectStore.EffectStore;
      const servers = yield* McpServerStore.McpServerStore;
      const { transact } = yield* Transactor.Transactor;
      server.onCall = () =>
        Effect.andThen(servers.remove(id), effects.wipeServer(id)).pipe(
          transact,
          Effect.orDie,
          Effect.as({ content: [{ type: "text", text: "receipt" }] }),
        );
      assert.isNotTrue((yield* call).isError);
      const [slot] = yield* effects.list(issue.id, 1);
      assert.deepInclude(slot, { state: "done", result: null, summary: null });
    }),
  );

  check(
    "[effects.settle] a run has not received what was settled while the lost reply was on its way",
    Effect.gen(function* () {
      const { call, issue, server } = yield* working();
      const store = yield* EffectStore.EffectStore;
      const { transact } = yield* Transactor.Transactor;
      server.onCall = () =>
        Effect.gen(function* () {
          const [slot] = yield* Effect.orDie(store.list(issue.id, 1));
          const settled = { ...slot!, state: "done" as const, summary: "Seen" };
          yield* Effect.orDie(transact(store.replace(settled.callId, settled)));
          return yield* new McpConnector.RpcError({ code: -32_603, message: "No reply." });
        });
      assert.isTrue((yield* call).isError);
      assert.property((yield* call)._meta, "quartermaster/replayed");
      assert.lengthOf(server.calls, 1);
    }),
  );

  check(
    "[effects.settle] an agent settles an unknown effect: what happened is replayed, what did not is sent again",
    Effect.gen(function* () {
      const { issue, runId, server } = yield* working();
      const acting = { id: runId, agentId: "bot" };
      const pay = (amount: number) =>
        Effect.provideService(
          world.call("test-notes__add", { amount }),
          CurrentRun.CurrentRun,
          acting,
        );
      server.onCall = () =>
        Effect.fail(
          new McpConnector.ConnectorError({ reason: "closed", message: "Gone.", sent: true }),
        );
      yield* Effect.flip(pay(1));
      yield* Effect.flip(pay(2));
      server.onCall = () => Effect.succeed({ content: [{ type: "text", text: "sent" }] });
      const effects = yield* IssueEffects.IssueEffects;
      const [second, first] = yield* effects.list(issue.id);
      assert.deepStrictEqual([first?.state, second?.state], ["unknown", "unknown"]);
      const settle = (callId: string | undefined, happened: boolean) =>
        effects.settle(issue.id, callId ?? "", { happened, note: "Seen in the ledger" });
      const asAgent = Effect.provideService(Principal.CurrentPrincipal, Principal.agent("bot"));
      const open = yield* Effect.flip(asAgent(settle(second?.callId, false)));
      assert.strictEqual(open._tag, "Forbidden");
      const named = <A, E, R>(settled: Effect.Effect<A, E, R>) =>
        asAgent(Effect.provideService(settled, CurrentRun.CurrentRun, acting));
      yield* named(settle(first?.callId, true));
      assert.strictEqual(
        (yield* named(Effect.flip(settle(second?.callId, false))))._tag,
        "EffectOpen",
      );
      yield* TestClock.adjust("91 seconds");
      yield* named(settle(second?.callId, false));
      const again = yield* Effect.flip(named(settle(second?.callId, true)));
      assert.deepInclude(again as object, { _tag: "EffectSettled", state: "failed" });
      const replay = yield* pay(1);
      assert.deepStrictEqual(replay.content, [{ type: "text", text: "Seen in the ledger" }]);
      assert.isUndefined(replay.isError);
      assert.strictEqual((yield* pay(2)).content[0]?.["text"], "sent");
      assert.lengthOf(server.calls, 3);
    }),
  );

  check(
    "[tools.once.failed] an effect that surely was not carried out is sent again by an equal call",
    Effect.gen(function* () {
      const { call, server } = yield* working();
      server.onCall = () =>
        Effect.fail(new McpConnector.RpcError({ code: -32_602, message: "No." }));
      assert.isTrue((yield* call).isError);
      server.onCall = () => Effect.succeed({ content: [] });
      assert.deepStrictEqual((yield* call).content, []);
      assert.lengthOf(server.calls, 2);
    }),
  );

  check(
    "[effects.uninstall] the text of a failed effect goes with its server",
    Effect.gen(function* () {
      const { call, id, issue, server } = yield* working();
      server.onCall = () =>
        Effect.succeed({ content: [{ type: "text", text: "No account 17." }], isError: true });
      yield* call;
      const effects = yield* IssueEffects.IssueEffects;
      const summary = Effect.map(effects.list(issue.id), ([effect]) => [
        effect?.state,
        effect?.summary,
      ]);
      assert.deepStrictEqual(yield* summary, ["failed", "No account 17."]);
      yield* McpServers.McpServers.use((servers) => servers.uninstall(id));
      assert.deepStrictEqual(yield* summary, ["failed", null]);
    }),
  );

  check(
    "[tools.once.wait] an equal call waits for the one in flight, and a host that gave up gets its result",
    Effect.gen(function* () {
      const { call, server } = yield* working();
      const reply = yield* Deferred.make<void>();
      server.onCall = () =>
        Effect.as(Deferred.await(reply), { content: [{ type: "text", text: "receipt" }] });
      const first = yield* Effect.forkChild(call);
      yield* world.idle;
      yield* Fiber.interrupt(first);
      const second = yield* Effect.forkChild(call);
      yield* TestClock.adjust("1 second");
      yield* world.idle;
      yield* Deferred.succeed(reply, undefined);
      yield* world.idle;
      yield* TestClock.adjust("1 second");
      assert.strictEqual((yield* Fiber.join(second)).content[0]?.["text"], "receipt");
      assert.lengthOf(server.calls, 1);
    }),
  );

  check(
    "[tools.once.wait] a call that waited 45 s for an equal one says since when it is in flight",
    Effect.gen(function* () {
      const { call, server } = yield* working();
      server.onCall = () => Effect.never;
      const first = yield* Effect.forkChild(call);
      yield* world.idle;
      const second = yield* Effect.forkChild(call);
      for (let seconds = 0; seconds < 50; seconds += 5) {
        yield* TestClock.adjust("5 seconds");
        yield* world.idle;
      }
      const waited = yield* Fiber.join(second);
      assert.isTrue(waited.isError);
      assert.match(String(waited.content[0]?.["text"]), /^Still in flight since 1970-/);
      const [, refused] = yield* world.records();
      assert.strictEqual(refused?.outcome, "refused");
      assert.match(String(refused?.error), /^effectInFlight: Still in flight since 1970-/);
      yield* Fiber.interrupt(first);
    }),
  );

  const receipts = (server: Effect.Success<ReturnType<typeof working>>["server"]) => {
    let n = 0;
    server.onCall = () =>
      Effect.sync(() => ({ content: [{ type: "text", text: `receipt ${(n += 1)}` }] }));
  };

  check(
    "[tools.once.delivered] a result that was not delivered is replayed, and an equal call waits for one that is being delivered",
    Effect.gen(function* () {
      const { call, server } = yield* working();
      receipts(server);
      const deliveries = Delivery.make();
      const written = Effect.provideService(call, Delivery.CurrentDelivery, deliveries.report);
      assert.strictEqual((yield* written).content[0]?.["text"], "receipt 1");
      const next = yield* Effect.forkChild(call);
      yield* TestClock.adjust("1 second");
      yield* world.idle;
      assert.lengthOf(server.calls, 1);
      deliveries.settle(true);
      assert.strictEqual((yield* Fiber.join(next)).content[0]?.["text"], "receipt 2");
      const dropped = Delivery.make();
      dropped.settle(false);
      yield* Effect.provideService(call, Delivery.CurrentDelivery, dropped.report);
      assert.lengthOf(server.calls, 3);
      assert.strictEqual((yield* call).content[0]?.["text"], "receipt 3");
      assert.lengthOf(server.calls, 3);
    }),
  );

  check(
    "[tools.once.delivered] equal calls at the same time are one effect each",
    Effect.gen(function* () {
      const { call, runId, runs, server } = yield* working();
      receipts(server);
      const texts = (calls: number, each: typeof call) =>
        Effect.map(
          Effect.all(
            Array.from({ length: calls }, () => each),
            { concurrency: "unbounded" },
          ),
          (results) => results.map(({ content }) => String(content[0]?.["text"])).toSorted(),
        );
      assert.deepStrictEqual(yield* texts(3, call), ["receipt 1", "receipt 2", "receipt 3"]);
      yield* runs.finish("bot", runId, { outcome: "released" });
      const { started } = yield* runs.heartbeat("bot", { leaseSeconds: 300 });
      const again = named(world.call("test-notes__add"), started[0]?.runId ?? "");
      assert.deepStrictEqual(yield* texts(3, again), ["receipt 1", "receipt 2", "receipt 3"]);
      assert.lengthOf(server.calls, 3);
    }),
  );

  check(
    "[tools.once.resume] a worker that resumes its run after a crash gets the results of its effects again",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      yield* world.update(id, { once: [{ tools: ["add"] }] });
      yield* Issues.Issues.use((issues) =>
        issues.create("shop", { title: "Pay", assignedAgentId: "bot" }),
      );
      receipts(server);
      const worker = { id: "key_1", isShared: true, runId: null };
      const workers = yield* Workers.Workers;
      const { run } = yield* workers.next("bot", worker);
      const call = named(world.call("test-notes__add"), run?.runId ?? "");
      const text = Effect.map(call, ({ content }) => content[0]?.["text"]);
      assert.strictEqual(yield* text, "receipt 1");
      yield* TestClock.adjust("1 second");
      const resumed = yield* workers.next("bot", worker, { resume: true });
      assert.strictEqual(resumed.run?.runId, run?.runId);
      yield* TestClock.adjust("1 second");
      assert.strictEqual(yield* text, "receipt 1");
      assert.strictEqual(yield* text, "receipt 2");
    }),
  );

  const lose = Effect.fail(
    new McpConnector.ConnectorError({ reason: "closed", message: "Gone.", sent: true }),
  );

  check(
    "[effects.events] an effect has events and an entry in the timeline of its run, but none in the timeline of its issue",
    Effect.gen(function* () {
      const { call, issue, issues, runId, server } = yield* working();
      yield* call;
      server.onCall = () => lose;
      yield* Effect.flip(call);
      const effects = yield* IssueEffects.IssueEffects;
      const [second, first] = yield* effects.list(issue.id);
      const callId = second?.callId ?? "";
      yield* effects.settle(issue.id, callId, { happened: true, note: "Seen" });
      yield* effects.reset(issue.id);
      const events = yield* EventStore.EventStore;
      const rows = yield* events.list(
        { projects: null, kinds: null },
        { after: 0, until: yield* events.lastSeq, limit: 100 },
      );
      const ofEffects = rows
        .filter(({ kind }) => kind.startsWith("issue.effect"))
        .map(({ data, kind, subjectId }) => {
          assert.strictEqual(subjectId, issue.id);
          return [kind, data["callId"], data["state"]];
        });
      assert.deepStrictEqual(ofEffects, [
        ["issue.effectSent", first?.callId, "sent"],
        ["issue.effectEnded", first?.callId, "done"],
        ["issue.effectSent", callId, "sent"],
        ["issue.effectEnded", callId, "unknown"],
        ["issue.effectSettled", callId, undefined],
        ["issue.effectsReset", undefined, undefined],
      ]);
      const { items: entries } = yield* RunRecords.RunRecords.use((records) =>
        records.timeline("bot", runId),
      );
      assert.deepStrictEqual(
        entries.flatMap(({ callId, kind, state, tool }) =>
          kind === "effect" ? [[callId, tool, state]] : [],
        ),
        [
          [first?.callId, "test-notes/add", "done"],
          [callId, "test-notes/add", "done"],
        ],
      );
      const { items } = yield* issues.activity(issue.id);
      const kinds = items.map(({ kind }) => kind).filter((kind) => kind.startsWith("effect"));
      assert.sameMembers(kinds, ["effectSettled", "effectsReset"]);
    }),
  );

  check(
    "[effects.inbox] an unknown effect is an item of the inbox until it is settled, and its issue stays claimable",
    Effect.gen(function* () {
      const { call, issue, issues, runId, runs, server } = yield* working();
      const inbox = yield* Inbox.Inbox;
      const list = Effect.map(inbox.list({ kind: ["effectUnknown"] }), ({ items }) => items);
      server.onCall = () => lose;
      yield* Effect.flip(call);
      const effects = yield* IssueEffects.IssueEffects;
      const [effect] = yield* effects.list(issue.id);
      assert.deepInclude((yield* list)[0] as object, {
        kind: "effectUnknown",
        issueId: issue.id,
        callId: effect?.callId,
        title: "Pay",
        since: effect?.sentAt,
      });
      yield* runs.finish("bot", runId, { outcome: "released" });
      assert.isTrue((yield* issues.readiness(issue.id)).ready);
      const { started } = yield* runs.heartbeat("bot", { leaseSeconds: 300 });
      const { sentAt: at } = effect ?? { sentAt: "" };
      const shown = { server: "test-notes", tool: "add", cycle: 1, at, state: "unknown" } as const;
      assert.deepStrictEqual(started[0]?.effects, [{ ...shown, summary: null }]);
      // The 200th character is the first half of a pair.
      const summary = "x".repeat(199);
      const note = `${summary}\u{1f600} seen`;
      const settled = yield* effects.settle(issue.id, effect?.callId ?? "", {
        happened: true,
        note,
      });
      assert.strictEqual(settled.summary, summary);
      assert.lengthOf(yield* list, 0);
      assert.deepStrictEqual(yield* effects.newest(issue.id), [
        { ...shown, state: "done", summary },
      ]);
    }),
  );
});
