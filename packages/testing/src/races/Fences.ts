import { assert } from "@effect/vitest";
import {
  Agents,
  Attachments,
  CurrentRun,
  EventStore,
  Issues,
  Links,
  Questions,
  Runs,
  RunStore,
  Workers,
} from "@quartermaster/core";
import { Effect, Option, Result, Stream } from "effect";
import { TestClock } from "effect/testing";
import * as Callers from "../model/Callers.ts";
import * as Invariants from "../model/Invariants.ts";
import { executing } from "./RunsAndIssues.ts";
import { type Call, create, type Race, type World } from "./World.ts";

/** Races between the end of a run and the writes of calls that act for it. */

const admin = Callers.as(Callers.user("root", { role: "Admin" }));

/** Writes to other issues than the run's own; each round takes the next one. */
const writes: ReadonlyArray<
  (world: World, issueId: string, other: string) => Call<unknown, { readonly _tag: string }>
> = [
  (_, issueId) => Issues.Issues.use((issues) => issues.update(issueId, { title: "Another" })),
  (world) => create(world),
  (_, issueId, targetIssueId) =>
    Links.Links.use((links) => links.create(issueId, { linkType: "RelatedTo", targetIssueId })),
  (_, issueId) =>
    Questions.Questions.use((questions) => questions.ask(issueId, { prompt: "Which?" })),
  (_, issueId) =>
    Attachments.Attachments.use((attachments) =>
      attachments.upload(issueId, {
        fileName: "a.txt",
        contentType: "text/plain",
        bytes: Stream.make(new Uint8Array([1])),
      }),
    ),
];

/** Races a write against what stops or ends its run. The write comes first, or fails with `RunEnded`. */
const endAgainstWrite = <A, E>(
  name: string,
  end: (world: World, issueId: string, runId: string) => Call<A, E>,
): Race => ({
  name,
  check: Effect.fnUntraced(function* (world) {
    const { agentId, round, run } = world;
    const { issueId, runId } = yield* run(executing(world));
    const [{ id }, { id: other }] = [yield* run(create(world)), yield* run(create(world))];
    const after = yield* run(EventStore.EventStore.use((events) => events.lastSeq));
    const write = writes[round % writes.length];
    if (write === undefined) return yield* Effect.die("no write");
    const acting = Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId });
    const [ended, written] = yield* world.both(
      end(world, issueId, runId),
      acting(write(world, id, other)),
    );
    assert.isTrue(Result.isSuccess(ended));
    const rows = yield* run(
      EventStore.EventStore.use((events) =>
        Effect.flatMap(events.lastSeq, (until) =>
          events.list({ projects: null, kinds: null }, { after, until, limit: 100 }),
        ),
      ),
    );
    const isEnd = (row: (typeof rows)[number]) => [issueId, agentId].includes(row.subjectId);
    const first = rows.findIndex(isEnd);
    const last = rows.findLastIndex((row) => !isEnd(row));
    if (Result.isSuccess(written)) {
      assert.isAtLeast(last, 0);
      assert.isBelow(last, first, "A write of a run came after its end");
    } else {
      assert.strictEqual(written.failure._tag, "RunEnded");
      assert.strictEqual(last, -1, "A refused write left an event");
    }
    const again = yield* run(Effect.result(acting(write(world, id, other))));
    assert.isTrue(Result.isFailure(again) && again.failure._tag === "RunEnded");
    yield* run(Invariants.check(world.projectId, [agentId]));
  }),
});

/** Races the takeover of a run by its own worker against a pause of its issue. One run is left, and it has to stop. */
const takeoverAgainstPause: Race = {
  name: "a takeover and a pause leave one run, which has to stop",
  check: Effect.fnUntraced(function* (world) {
    const { agentId, run } = world;
    const { issueId, runId } = yield* run(executing(world));
    const worker = { id: `worker-${world.round}`, runId: null, isShared: false };
    const workers = Workers.Workers;
    yield* run(workers.use((service) => service.turn(agentId, worker, runId)));
    const [taken, paused] = yield* world.both(
      workers.use((service) => service.takeOver(agentId, worker, runId)),
      Issues.Issues.use((issues) => issues.pause(issueId)),
    );
    assert.isTrue(Result.isSuccess(paused));
    if (Result.isFailure(taken)) assert.strictEqual(taken.failure._tag, "RunEnded");
    const left = yield* run(RunStore.RunStore.use((store) => store.notEnded(agentId)));
    const holder = (Result.isSuccess(taken) ? taken.success.run?.runId : runId) ?? "";
    assert.deepStrictEqual(
      left.map(({ id, status, stopReason }) => ({ id, status, stopReason })),
      [{ id: holder, status: "stopping", stopReason: "paused" }],
    );
    yield* run(Invariants.check(world.projectId, [agentId]));
  }),
};

/** Ends expired runs until this one is among them: a sweep passes over rows that the write holds. */
const endedByLease = (runId: string) =>
  Effect.andThen(
    Runs.Runs.use((runs) => runs.endExpired),
    RunStore.RunStore.use((runs) => runs.get(runId)),
  ).pipe(
    Effect.repeat({
      until: (run) => Effect.succeed(Option.isSome(run) && run.value.status === "ended"),
    }),
  );

export const races: ReadonlyArray<Race> = [
  takeoverAgainstPause,
  endAgainstWrite("no write of a paused issue's run comes after the pause", (_, issueId) =>
    Issues.Issues.use((issues) => issues.pause(issueId)),
  ),
  endAgainstWrite("no write of a run comes after the reassignment of its issue", (_, issueId) =>
    Issues.Issues.use((issues) => issues.update(issueId, { assignedAgentId: null })),
  ),
  endAgainstWrite("no write of a run comes after the deletion of its issue", (_, issueId) =>
    Issues.Issues.use((issues) => issues.remove(issueId, { confirm: true })),
  ),
  endAgainstWrite("no write of a run comes after the pause of its agent", ({ agentId }) =>
    admin(Agents.Agents.use((agents) => agents.put(agentId, { paused: true }))),
  ),
  endAgainstWrite("no write of a run comes after the end of its lease", (_, __, runId) =>
    Effect.andThen(TestClock.adjust("5 minutes"), endedByLease(runId)),
  ),
  endAgainstWrite("no write of a run comes after its finish", ({ agentId }, _, runId) =>
    Runs.Runs.use((runs) => runs.finish(agentId, runId, { outcome: "released" })),
  ),
];
