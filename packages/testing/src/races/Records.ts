import { assert } from "@effect/vitest";
import {
  EffectStore,
  IssueEffects,
  RunLogs,
  Runs,
  RunStore,
  RunUsage,
  UsageStore,
  Workers,
} from "@quartermaster/core";
import { Effect, Result } from "effect";
import { TestClock } from "effect/testing";
import { executing } from "./RunsAndIssues.ts";
import { create, type Race } from "./World.ts";

/** Races over the records of runs: logs, usage and takeovers, and over resets of effects. */

const texts = (name: string) => Array.from({ length: 3 }, (_, n) => `${name} ${n}`);

const writing = (agentId: string, runId: string, writer: string, from = 0) =>
  RunLogs.RunLogs.use((logs) =>
    logs.append(agentId, runId, {
      writer,
      from,
      entries: texts(writer).map((text) => ({ stream: "stdout", text })),
    }),
  );

const report = (key: string, values: { readonly session?: string } = {}) => ({
  key,
  model: "model",
  inputTokens: 10,
  outputTokens: 5,
  ...(values.session === undefined ? {} : { cumulative: true, session: values.session }),
});

const reporting = (agentId: string, runId: string, ...usage: Array<ReturnType<typeof report>>) =>
  RunUsage.RunUsage.use((runUsage) => runUsage.report(agentId, runId, { usage }));

const tokensOf = (runId: string) =>
  UsageStore.UsageStore.use((store) =>
    Effect.map(store.ofRuns([runId]), (found) => found.get(runId)?.inputTokens ?? 0),
  );

export const races: ReadonlyArray<Race> = [
  {
    name: "two writers of a log lose no entry, and each entry has a number of its own",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, run } = world;
      const { runId } = yield* run(executing(world));
      yield* world.both(writing(agentId, runId, "one"), writing(agentId, runId, "two"));
      const { entries } = yield* run(RunLogs.RunLogs.use((logs) => logs.read(agentId, runId)));
      assert.deepStrictEqual(
        entries.map(({ n }) => n),
        [1, 2, 3, 4, 5, 6],
      );
      assert.sameMembers(
        entries.map(({ text }) => text),
        [...texts("one"), ...texts("two")],
      );
    }),
  },
  {
    name: "a repeated request to a log stores its entries once",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, run } = world;
      const { runId } = yield* run(executing(world));
      yield* world.both(writing(agentId, runId, "one"), writing(agentId, runId, "one"));
      const { entries } = yield* run(RunLogs.RunLogs.use((logs) => logs.read(agentId, runId)));
      assert.deepStrictEqual(
        entries.map(({ text }) => text),
        texts("one"),
      );
    }),
  },
  {
    name: "the same usage report counts once",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, run } = world;
      const { runId } = yield* run(executing(world));
      yield* world.both(
        reporting(agentId, runId, report("one")),
        reporting(agentId, runId, report("one"), report("two")),
      );
      assert.strictEqual(yield* run(tokensOf(runId)), 20);
    }),
  },
  {
    name: "the total of a session counts once, although two reports have it",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, round, run } = world;
      const { runId } = yield* run(executing(world));
      const session = `session-${round}`;
      yield* world.both(
        reporting(agentId, runId, report("one", { session })),
        reporting(agentId, runId, report("two", { session })),
      );
      assert.strictEqual(yield* run(tokensOf(runId)), 10);
    }),
  },
  {
    name: "of two workers that take a run over one gets it",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, round, run } = world;
      const { runId } = yield* run(executing(world));
      yield* TestClock.adjust("2 minutes");
      const takeOver = (name: string) =>
        Workers.Workers.use((workers) =>
          workers.takeOver(
            agentId,
            { id: `${name}-${round}`, runId: null, isShared: false },
            runId,
          ),
        );
      const taken = yield* world.both(takeOver("first"), takeOver("second"));
      assert.lengthOf(
        taken.filter((result) => Result.isSuccess(result) && result.success.run !== null),
        1,
      );
      const left = yield* run(RunStore.RunStore.use((store) => store.notEnded(agentId)));
      assert.lengthOf(left, 1);
    }),
  },
  {
    name: "a run is taken over or continues: a turn of its holder and a takeover do not both succeed",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, round, run } = world;
      const { runId } = yield* run(executing(world));
      yield* TestClock.adjust("2 minutes");
      const worker = { id: `worker-${round}`, runId: null, isShared: false };
      const [taken, turned] = yield* world.both(
        Workers.Workers.use((workers) => workers.takeOver(agentId, worker, runId)),
        Runs.Runs.use((runs) => runs.turn(agentId, runId)),
      );
      const isTaken = Result.isSuccess(taken) && taken.success.run !== null;
      const goesOn = Result.isSuccess(turned) && turned.success.action === "continue";
      assert.isTrue(isTaken !== goesOn, "Both or neither succeeded");
      const left = yield* run(RunStore.RunStore.use((store) => store.notEnded(agentId)));
      assert.lengthOf(left, 1);
    }),
  },
  {
    name: "two resets of the effects of an issue start two cycles",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const { id: issueId } = yield* run(create(world));
      const reset = IssueEffects.IssueEffects.use((effects) => effects.reset(issueId));
      yield* world.both(reset, reset);
      const issue = yield* run(
        Effect.flatMap(
          EffectStore.EffectStore.use((store) => store.issue(issueId)),
          Effect.fromOption,
        ),
      );
      assert.strictEqual(issue.cycle, 3);
    }),
  },
];
