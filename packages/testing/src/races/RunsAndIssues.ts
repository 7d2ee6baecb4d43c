import { assert } from "@effect/vitest";
import {
  Attachments,
  AttachmentStore,
  Comments,
  CommentStore,
  Issue,
  Issues,
  LinkStore,
  Links,
  Projects,
  Runs,
  RunStore,
} from "@quartermaster/core";
import { Effect, Option, Result, Stream } from "effect";
import * as Callers from "../model/Callers.ts";
import * as Invariants from "../model/Invariants.ts";
import { everything } from "../Suite.ts";
import { type Call, create, type Race, type World } from "./World.ts";

/** Races over runs and over the deletion of issues and projects. */

const admin = Callers.as(Callers.user("root", { role: "Admin" }));

/** Creates an issue with a live run of the round's agent. */
export const executing = (world: World) =>
  Effect.gen(function* () {
    const runs = yield* Runs.Runs;
    const issue = yield* create(world, { assignedAgentId: world.agentId });
    const { started } = yield* runs.heartbeat(world.agentId);
    const [run] = started;
    if (run === undefined) return yield* Effect.die("The issue was not claimed");
    return { issueId: issue.id, runId: run.runId };
  });

/** Races a pause against a call of the agent. If the pause succeeds, the run does not continue. */
const pauseAgainst = <A, E>(
  name: string,
  call: (agentId: string, runId: string, issueId: string) => Call<A, E>,
): Race => ({
  name,
  check: Effect.fnUntraced(function* (world) {
    const { agentId, run } = world;
    const { issueId, runId } = yield* run(executing(world));
    const pause = Issues.Issues.use((issues) => issues.pause(issueId));
    const [paused] = yield* world.both(pause, call(agentId, runId, issueId));
    const next = yield* run(Effect.result(Runs.Runs.use((runs) => runs.turn(agentId, runId))));
    const goesOn = Result.isSuccess(next) && next.success.action === "continue";
    assert.strictEqual(goesOn, false, "The run of a paused or finished issue goes on");
    const issue = yield* run(Issues.Issues.use((issues) => issues.get(issueId)));
    assert.strictEqual(issue.paused, Result.isSuccess(paused));
    yield* run(Invariants.check(world.projectId, [agentId]));
  }),
});

/** Races a deletion against a call. If the issue is deleted, nothing of it remains. */
const deleteAgainst = <A, E, B, E2>(
  name: string,
  call: (world: World, issueId: string) => Call<A, E>,
  left: (issueId: string) => Call<B, E2>,
  nothing: B,
): Race => ({
  name,
  check: Effect.fnUntraced(function* (world) {
    const { agentId, run } = world;
    const { id } = yield* run(create(world, { assignedAgentId: agentId }));
    const remove = Issues.Issues.use((issues) => issues.remove(id, { confirm: true }));
    const [removed] = yield* world.both(remove, call(world, id));
    assert.isTrue(Result.isSuccess(removed));
    assert.deepStrictEqual(yield* run(left(id)), nothing);
    yield* run(Invariants.check(world.projectId, [agentId]));
  }),
});

const comment = (issueId: string, content: string) =>
  Comments.Comments.use((comments) => comments.create(issueId, { content, authorType: "User" }));

/** Races a creation against the deletion of its project. The project of an issue exists. */
const creationAgainstDeletion: Race = {
  name: "a project is not deleted while an issue is created in it",
  check: Effect.fnUntraced(function* (world) {
    const { projectId, round, run } = world;
    yield* run(Projects.Projects.use((projects) => projects.create({ id: projectId })));
    const remove = admin(Projects.Projects.use((projects) => projects.remove(projectId)));
    // The deletion checks the project in several steps before it removes it.
    const later = Effect.replicateEffect(Effect.yieldNow, round % 50, { discard: true });
    const [created] = yield* world.both(Effect.andThen(later, create(world)), remove);
    const issue = yield* Effect.fromResult(created);
    const project = yield* Effect.option(
      run(Projects.Projects.use((projects) => projects.get(projectId))),
    );
    assert.isTrue(Option.isSome(project), "The issue has no project");
    const prefix = Option.getOrThrow(project).prefix;
    const { key } = yield* run(Issues.Issues.use((issues) => issues.get(issue.id)));
    assert.isTrue(key.startsWith(`${prefix}-`), key);
  }),
};

export const races: ReadonlyArray<Race> = [
  creationAgainstDeletion,
  pauseAgainst("a renewal does not undo a pause", (agentId, runId) =>
    Effect.andThen(
      Runs.Runs.use((runs) => runs.heartbeat(agentId, { capacity: 0, runs: [runId] })),
      Effect.void,
    ),
  ),
  pauseAgainst("a turn does not undo a pause", (agentId, runId) =>
    Runs.Runs.use((runs) => runs.turn(agentId, runId)),
  ),
  pauseAgainst("a finish and a pause do not both succeed", (agentId, runId) =>
    Runs.Runs.use((runs) => runs.finish(agentId, runId, { outcome: "resolved" })),
  ),
  pauseAgainst("a hand-in by an update and a pause do not both succeed", (agentId, _, issueId) =>
    Callers.as(Callers.agent(agentId))(
      Issues.Issues.use((issues) => issues.update(issueId, { status: "Resolved" })),
    ),
  ),
  deleteAgainst(
    "a deleted issue has no active run",
    ({ agentId }) => Runs.Runs.use((runs) => runs.heartbeat(agentId)),
    (issueId) =>
      RunStore.RunStore.use((runs) =>
        Effect.map(
          runs.ofIssue(issueId),
          Option.exists(({ status }) => status === "active"),
        ),
      ),
    false,
  ),
  deleteAgainst(
    "a deleted issue has no comment",
    (_, issueId) => comment(issueId, "A word"),
    (issueId) => CommentStore.CommentStore.use((store) => store.list(issueId, everything)),
    [],
  ),
  deleteAgainst(
    "a deleted issue has no link",
    (world, issueId) =>
      Effect.flatMap(create(world), ({ id }) =>
        Links.Links.use((links) =>
          links.create(id, { linkType: "RelatedTo", targetIssueId: issueId }),
        ),
      ),
    (issueId) => LinkStore.LinkStore.use((store) => store.list(issueId, null, everything)),
    [],
  ),
  deleteAgainst(
    "a deleted issue has no attachment",
    (_, issueId) =>
      Attachments.Attachments.use((attachments) =>
        attachments.upload(issueId, {
          fileName: "a.txt",
          contentType: "text/plain",
          bytes: Stream.make(new Uint8Array([1])),
        }),
      ),
    (issueId) => AttachmentStore.AttachmentStore.use((store) => store.list(issueId, everything)),
    [],
  ),
  {
    name: "an agent that takes turns gets each comment once",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, run } = world;
      const { issueId, runId } = yield* run(executing(world));
      const words = Array.from({ length: 6 }, (_, n) => `Word ${n}`);
      const turn = Effect.map(
        Runs.Runs.use((runs) => runs.turn(agentId, runId)),
        ({ comments }) => comments.map(({ content }) => content),
      );
      const answers = yield* world.all<ReadonlyArray<string>, unknown>(
        words.flatMap((word) => [Effect.as(comment(issueId, word), []), turn]),
      );
      const received = answers.flatMap((answer) =>
        Result.isSuccess(answer) ? answer.success : [],
      );
      assert.sameMembers([...received, ...(yield* run(turn))], words);
    }),
  },
  {
    name: "heartbeats of an agent at three nodes claim each issue once, in order",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, run } = world;
      const priorities = ["low", "urgent", "normal", "high", "normal", "urgent"] as const;
      const created = yield* run(
        Effect.forEach(priorities, (priority) =>
          create(world, { priority, assignedAgentId: agentId }),
        ),
      );
      const beat = Runs.Runs.use((runs) => runs.heartbeat(agentId, { capacity: 2 }));
      const answers = yield* world.all([beat, beat, beat]);
      const started = answers.map((answer) =>
        Result.isSuccess(answer) ? answer.success.started.map(({ issue }) => issue) : [],
      );
      assert.sameMembers(
        started.flat().map(({ id }) => id),
        created.map(({ id }) => id),
      );
      const rank = ({ priority }: Issue.Issue) => Issue.IssuePriority.literals.indexOf(priority);
      for (const [first, second] of started) {
        if (first === undefined || second === undefined) continue;
        assert.isTrue(
          rank(first) < rank(second) || (rank(first) === rank(second) && first.id < second.id),
        );
      }
      yield* run(Invariants.check(world.projectId, [agentId]));
    }),
  },
];
