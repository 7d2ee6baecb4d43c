import { assert, describe } from "@effect/vitest";
import { CurrentRun, Issues, Runs } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, flow } from "effect";
import {
  type Call,
  check,
  create,
  executing,
  get,
  heartbeat,
  put,
  refusal,
} from "../support/World.ts";

const bot = Callers.as(Callers.agent("bot"));
const eve = Callers.as(Callers.agent("eve"));

/** Calls with the agent's key in the context of the run. */
const acting = (runId: string, agentId = "bot") =>
  flow(
    Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId }),
    Callers.as(Callers.agent(agentId)),
  );

const later = "2030-01-01T00:00:00.000Z";

/** Every change that requires the run. */
const changes = (id: string) =>
  Effect.map(Issues.Issues, (issues): ReadonlyArray<Call> => [
    put(id, { status: "Resolved" }),
    put(id, { status: "PendingReview" }),
    put(id, { assignedAgentId: "eve" }),
    put(id, { notBefore: later }),
    put(id, { status: "Resolved", notBefore: later }),
    put(id, { status: "Resolved", assignedAgentId: "eve" }),
    issues.close(id),
    issues.pause(id),
    issues.remove(id, { confirm: true }),
  ]);

/** The agent's second run of an issue, and its first run, which it released. */
const twice = Effect.gen(function* () {
  const first = yield* executing("bot");
  yield* Runs.Runs.use(({ finish }) => finish("bot", first.runId, { outcome: "released" }));
  const { started } = yield* heartbeat("bot");
  return { id: first.issue.id, ended: first.runId, live: started[0]?.runId ?? "none" };
});

const outcomeOf = (runId: string) =>
  Runs.Runs.use(({ list }) =>
    Effect.map(list("bot"), ({ items }) => items.find(({ id }) => id === runId)?.outcome),
  );

describe("Hand-ins by agents' keys", () => {
  check(
    "[hand-in.acting] an agent changes what a run protects only by a call that acts for that run",
    Effect.gen(function* () {
      const { id, live } = yield* twice;
      const other = yield* executing("bot");
      const before = yield* get(id);
      const held = { _tag: "Held", runId: live, agentId: "bot" };
      for (const call of yield* changes(id)) {
        assert.deepInclude(yield* refusal(bot(call)), held);
        assert.deepInclude(yield* refusal(acting(other.runId)(call)), held);
        assert.deepInclude(yield* refusal(eve(call)), held);
      }
      assert.deepStrictEqual(yield* get(id), before);
      yield* bot(put(id, { title: "Another", priority: "high" }));
      yield* acting(live)(put(id, { notBefore: later }));
      yield* acting(live)(put(id, { status: "Resolved" }));
      assert.strictEqual(yield* outcomeOf(live), "resolved");
    }),
  );

  check(
    "[hand-in.only-run] a change of only the status needs no run to be named if the agent had no other on the issue",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      const held = { _tag: "Held", runId, agentId: "bot" };
      const [, , ...others] = yield* changes(issue.id);
      for (const call of others) assert.deepInclude(yield* refusal(bot(call)), held);
      yield* bot(put(issue.id, { status: "PendingReview", title: "Done" }));
      assert.strictEqual(yield* outcomeOf(runId), "review");
    }),
  );

  check(
    "[hand-in.ended] a call that acts for a run that ended or has to stop changes no issue",
    Effect.gen(function* () {
      const { ended, id } = yield* twice;
      const free = yield* create();
      const reason = "statusChanged";
      for (const issueId of [id, free.id]) {
        for (const call of yield* changes(issueId)) {
          const refused = { _tag: "RunEnded", runId: ended, reason };
          assert.deepInclude(yield* refusal(acting(ended)(call)), refused);
        }
      }
      const stopping = yield* executing("bot");
      yield* Issues.Issues.use((issues) => issues.close(stopping.issue.id));
      assert.deepInclude(
        yield* refusal(acting(stopping.runId)(put(free.id, { status: "Resolved" }))),
        { _tag: "RunEnded", runId: stopping.runId, reason: "closed" },
      );
      const title = acting(ended)(put(id, { title: "Another" }));
      assert.deepInclude(yield* refusal(title), { _tag: "RunEnded", runId: ended, reason });
    }),
  );

  check(
    "[hand-in.ended] a key of no agent is refused as well when its call acts for an ended run",
    Effect.gen(function* () {
      const { ended, id } = yield* twice;
      const call = put(id, { status: "Resolved" });
      const asRun = Effect.provideService(CurrentRun.CurrentRun, { id: ended, agentId: "bot" });
      assert.strictEqual((yield* refusal(asRun(call)))._tag, "RunEnded");
      yield* call;
    }),
  );
});
