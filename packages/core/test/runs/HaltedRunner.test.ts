import { assert, describe } from "@effect/vitest";
import { Agents, Comments, Inbox, Issues, Runs } from "@quartermaster/core";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, create, heartbeat } from "../support/World.ts";

const reason = "The usage limit of the model is reached.";

/** Starts an issue's next run, and ends it as a failure. Returns the run's id. */
const failing = Effect.gen(function* () {
  yield* TestClock.adjust("30 minutes");
  const [started] = (yield* heartbeat("bot")).started;
  const runId = started?.runId ?? "";
  const runs = yield* Runs.Runs;
  yield* runs.finish("bot", runId, { outcome: "failed", retry: true });
  return runId;
});

const stateOf = (id: string) =>
  Effect.map(
    Issues.Issues.use((issues) => issues.get(id)),
    ({ attempts, notBefore, pausedBecause, status }) => [
      status,
      attempts,
      pausedBecause,
      notBefore,
    ],
  );

const halted = (runs: ReadonlyArray<string> = []) =>
  heartbeat("bot", { capacity: 0, halted: { reason, runs } });

describe("a halted runner", () => {
  check(
    "[heartbeat.halted.attempts] gives the attempts of its runs back once, and ends the pause that they caused",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      const runIds = [yield* failing, yield* failing, yield* failing];
      assert.deepStrictEqual(yield* stateOf(id), ["Open", 3, "tooManyAttempts", null]);
      yield* halted(runIds.slice(2));
      assert.deepStrictEqual(yield* stateOf(id), ["Open", 2, null, null]);
      yield* halted(runIds.slice(2));
      assert.deepStrictEqual(yield* stateOf(id), ["Open", 2, null, null]);
      yield* halted([...runIds, runIds[0] ?? "", "run_unknown"]);
      assert.deepStrictEqual(yield* stateOf(id), ["Open", 0, null, null]);
      const [again] = (yield* heartbeat("bot")).started;
      assert.strictEqual(again?.attempt, 1);
    }),
  );

  check(
    "[heartbeat.halted.attempts] leaves an issue alone that a person changed since, but not one with a comment",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { id } = yield* create({ assignedAgentId: "bot" });
      const first = yield* failing;
      yield* Comments.Comments.use((comments) => comments.create(id, { content: "Why?" }));
      yield* halted([first]);
      assert.deepStrictEqual(yield* stateOf(id), ["InProgress", 0, null, null]);
      const second = yield* failing;
      yield* issues.update(id, { priority: "high" });
      yield* halted([second]);
      assert.deepStrictEqual((yield* stateOf(id)).slice(0, 3), ["InProgress", 1, null]);
    }),
  );

  check(
    "[heartbeat.halted.attempts] gives nothing back for a run of another agent, a released run or a resolved one",
    Effect.gen(function* () {
      const runs = yield* Runs.Runs;
      const { id } = yield* create({ assignedAgentId: "bot" });
      const failed = yield* failing;
      yield* heartbeat("other", { halted: { reason, runs: [failed] } });
      assert.deepStrictEqual((yield* stateOf(id))[1], 1);
      const [started] = (yield* heartbeat("bot")).started;
      yield* runs.finish("bot", started?.runId ?? "", { outcome: "released", keepAttempts: true });
      yield* halted([started?.runId ?? ""]);
      assert.deepStrictEqual((yield* stateOf(id))[1], 1);
    }),
  );

  check(
    "[heartbeat.halted.note] [inbox.halted] is the agent's note and an item of the inbox until a heartbeat without it, or for two hours",
    Effect.gen(function* () {
      const shown = Effect.gen(function* () {
        const { items } = yield* Inbox.Inbox.use((inbox) => inbox.list({ kind: ["runnerHalted"] }));
        const { note } = yield* Agents.Agents.use((agents) => agents.get("bot"));
        return [note, items.map(({ agentId, detail, since }) => [agentId, detail, since])];
      });
      const item = ["bot", reason, "1970-01-01T00:00:00.000Z"];
      yield* halted();
      assert.deepStrictEqual(yield* shown, [reason, [item]]);
      yield* TestClock.adjust("1 hour");
      yield* halted();
      yield* TestClock.adjust("119 minutes");
      assert.deepStrictEqual(yield* shown, [reason, [item]]);
      yield* TestClock.adjust("1 minute");
      assert.deepStrictEqual(yield* shown, [null, []]);
      yield* halted();
      yield* heartbeat("bot");
      assert.deepStrictEqual(yield* shown, [null, []]);
    }),
  );

  check(
    "[runs.finish.attempts] released with keepAttempts keeps the number of attempts, without it starts with 0",
    Effect.gen(function* () {
      const runs = yield* Runs.Runs;
      const { id } = yield* create({ assignedAgentId: "bot" });
      yield* failing;
      for (const [keepAttempts, attempts] of [
        [true, 1],
        [false, 0],
      ] as const) {
        const [started] = (yield* heartbeat("bot")).started;
        const runId = started?.runId ?? "";
        yield* runs.finish("bot", runId, { outcome: "released", keepAttempts });
        assert.deepStrictEqual((yield* stateOf(id))[1], attempts);
      }
      const [started] = (yield* heartbeat("bot")).started;
      const refused = yield* Effect.flip(
        runs.finish("bot", started?.runId ?? "", { outcome: "review", keepAttempts: true }),
      );
      assert.include(refused.message, "keepAttempts");
    }),
  );
});
