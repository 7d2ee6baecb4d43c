import { assert } from "@effect/vitest";
import { Issues, Links } from "@quartermaster/core";
import { Effect, Result } from "effect";
import * as Invariants from "../model/Invariants.ts";
import { type Call, create, type Race, type World } from "./World.ts";

/** Races over blockers and their dependents. */

const put = (id: string, status: "Open" | "Resolved" | "WaitingOnDependency") =>
  Issues.Issues.use((issues) => issues.update(id, { status }));

const get = (id: string) => Issues.Issues.use((issues) => issues.get(id));

const block = (id: string, targetIssueId: string) =>
  Links.Links.use((links) => links.create(id, { linkType: "Blocks", targetIssueId }));

/** Checks all invariants of the round's issues. */
const consistent = ({ agentId, projectId, run }: World) =>
  run(Invariants.check(projectId, [agentId]));

/** Creates a blocker with the given status and an issue that it blocks. */
const blocked = (world: World): Call<{ blocker: string; issue: string }, unknown> =>
  Effect.gen(function* () {
    const blocker = yield* create(world);
    const issue = yield* create(world, {
      blockedByIssueId: blocker.id,
      assignedAgentId: world.agentId,
    });
    return { blocker: blocker.id, issue: issue.id };
  });

export const races: ReadonlyArray<Race> = [
  {
    name: "two blockers resolved at the same time open their dependent",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const [first, second, issue] = yield* run(
        Effect.all([create(world), create(world), create(world)]),
      );
      yield* run(Effect.all([block(first.id, issue.id), block(second.id, issue.id)]));
      yield* world.both(put(first.id, "Resolved"), put(second.id, "Resolved"));
      assert.strictEqual((yield* run(get(issue.id))).status, "Open");
      yield* consistent(world);
    }),
  },
  {
    name: "two links that would close a cycle of four issues are not both created",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const [a, b, c, d] = yield* run(
        Effect.all([create(world), create(world), create(world), create(world)]),
      );
      yield* run(Effect.all([block(a.id, b.id), block(c.id, d.id)]));
      const created = yield* world.both(block(b.id, c.id), block(d.id, a.id));
      assert.deepStrictEqual(
        created.filter(Result.isFailure).map(({ failure }) => failure._tag),
        ["DependencyCycle"],
      );
      yield* consistent(world);
    }),
  },
  {
    name: "a blocker does not close under a dependent that reopens",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const { blocker, issue } = yield* run(blocked(world));
      yield* run(put(issue, "Resolved"));
      const close = Issues.Issues.use((issues) => issues.close(blocker));
      const [closed, reopened] = yield* world.both(close, put(issue, "WaitingOnDependency"));
      assert.isFalse(Result.isSuccess(closed) && Result.isSuccess(reopened));
      yield* consistent(world);
    }),
  },
  {
    name: "an issue resumes or waits for a blocker that reopens, as the result of the resume says",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const { blocker, issue } = yield* run(blocked(world));
      yield* run(put(blocker, "Resolved"));
      yield* run(Issues.Issues.use((issues) => issues.update(issue, { status: "InProgress" })));
      yield* run(Issues.Issues.use((issues) => issues.pause(issue)));
      const resume = Issues.Issues.use((issues) => issues.resume(issue));
      const [resumed] = yield* world.both(resume, put(blocker, "Open"));
      const { status } = yield* run(get(issue));
      assert.strictEqual(status, Result.isSuccess(resumed) ? "InProgress" : "WaitingOnDependency");
      yield* consistent(world);
    }),
  },
];
