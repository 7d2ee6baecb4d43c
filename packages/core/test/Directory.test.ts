import { assert, describe } from "@effect/vitest";
import { Agents, Directory, Issues, Keys } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Deferred, Effect, Fiber, Latch, Layer } from "effect";
import { type Call, checkWith, create, heartbeat, put, refusal } from "./support/World.ts";

/** A directory of the host in which only the id `known` exists. */
const strict = Layer.succeed(Directory.Directory, {
  knows: (_, id) => Effect.succeed(id === "known"),
});

describe("A directory that refuses", () => {
  checkWith(
    strict,
    "[directory.path] unknown projects and agents in a path are not found",
    Effect.gen(function* () {
      const [agents, issues] = [yield* Agents.Agents, yield* Issues.Issues];
      const admin = Callers.as(Callers.user("root", { role: "Admin" }));
      const calls: ReadonlyArray<readonly [Call, string]> = [
        [create({}, "unknown"), "project"],
        [issues.list("unknown"), "project"],
        [heartbeat("unknown"), "agent"],
        [admin(agents.put("unknown")), "agent"],
      ];
      for (const [call, resource] of calls) {
        assert.deepInclude(yield* refusal(call), { _tag: "NotFound", resource, id: "unknown" });
      }
      yield* heartbeat("known");
      assert.lengthOf((yield* agents.list()).items, 1);
    }),
  );

  checkWith(
    strict,
    "[directory.body] unknown agents, users, goals and projects in a body are refused by field",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const owner = Callers.as(Callers.user("root", { role: "Owner" }));
      const { id } = yield* create({ assignedAgentId: "known", goalId: "known" }, "known");
      const key = { name: "A key", role: "Editor" } as const;
      const calls: Array<readonly [Call, string]> = [
        [owner(keys.create({ ...key, agentId: "unknown" })), "agentId"],
        [owner(keys.create({ ...key, userId: "unknown" })), "userId"],
        [owner(keys.create({ ...key, projects: ["known", "unknown"] })), "projects"],
      ];
      for (const field of ["assignedAgentId", "assigneeUserId", "goalId"] as const) {
        calls.push([create({ [field]: "unknown" }, "known"), field]);
        calls.push([put(id, { [field]: "unknown", status: "WaitingOnDependency" }), field]);
      }
      for (const [call, field] of calls) {
        const refused = yield* refusal(call);
        assert.deepInclude(refused, { _tag: "UnknownReference", field, id: "unknown" });
      }
      assert.strictEqual((yield* put(id, { assignedAgentId: null, goalId: "known" })).version, 2);
    }),
  );
});

/** A directory whose response for the id `slow` waits for `answers`. */
const asked = Deferred.makeUnsafe<void>();
const answers = Latch.makeUnsafe(false);
const slow = Layer.succeed(Directory.Directory, {
  knows: (_, id) =>
    id === "slow"
      ? Effect.as(Effect.andThen(Deferred.succeed(asked, undefined), answers.await), true)
      : Effect.succeed(true),
});

describe("A directory that is slow", () => {
  checkWith(
    slow,
    "[directory.slow] a slow directory does not delay other callers' changes",
    Effect.gen(function* () {
      const { id } = yield* create({}, "p");
      const changes = [create({ assigneeUserId: "slow" }, "p"), put(id, { goalId: "slow" })];
      const waiting = yield* Effect.forEach(changes, (change) => Effect.forkChild(change));
      yield* Deferred.await(asked);
      assert.strictEqual((yield* create({ title: "another" }, "p")).title, "another");
      answers.openUnsafe();
      const [made, changed] = yield* Effect.forEach(waiting, (fiber) => Fiber.join(fiber));
      assert.deepInclude(made, { assigneeUserId: "slow" });
      assert.deepInclude(changed, { goalId: "slow" });
    }),
  );
});
