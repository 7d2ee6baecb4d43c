import { assert, describe } from "@effect/vitest";
import { Agents, CoreOptions, Issues, Runs } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import {
  type Call,
  check,
  checkWith,
  create,
  executing,
  finish,
  heartbeat,
  project,
  put,
  refusal,
} from "../support/World.ts";

const admin = Callers.as(Callers.user("root", { role: "Admin" }));

describe("Agents", () => {
  check(
    "[agents.get] GET returns the agent of the list, with the runs that the caller may see",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      yield* executing("bot");
      yield* create({ assignedAgentId: "bot" }, "here");
      yield* heartbeat("bot");
      const bound = Callers.as(Callers.user("bob", { role: "Viewer", projects: ["here"] }));
      for (const [as, activeRuns] of [
        [admin, 2],
        [bound, 1],
      ] as const) {
        const agent = yield* as(agents.get("bot"));
        assert.deepStrictEqual([agent], (yield* as(agents.list())).items);
        assert.strictEqual(agent.activeRuns, activeRuns);
      }
      const unknown = { _tag: "NotFound", resource: "agent", id: "nobody" };
      assert.deepInclude(yield* refusal(agents.get("nobody")), unknown);
      assert.lengthOf((yield* agents.list()).items, 1);
    }),
  );

  check(
    "[agents.delete] a deleted agent is unknown, and its ended runs come back with it",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      const runs = yield* Runs.Runs;
      const { issue, runId } = yield* executing("bot");
      yield* finish(runId, "resolved");
      yield* put(issue.id, { assignedAgentId: null });
      yield* admin(agents.remove("bot"));
      for (const call of [agents.get("bot"), admin(agents.remove("bot")), runs.list("bot")]) {
        assert.strictEqual((yield* refusal(call))._tag, "NotFound");
      }
      yield* heartbeat("bot");
      assert.deepStrictEqual(
        (yield* runs.list("bot")).items.map(({ id }) => id),
        [runId],
      );
    }),
  );

  check(
    "[agents.delete.in-use] an agent with a live run or an assigned issue is not deleted",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      const { issue } = yield* executing("bot");
      const used = Effect.map(refusal(admin(agents.remove("bot"))), ({ _tag }) =>
        assert.strictEqual(_tag, "InUse"),
      );
      yield* put(issue.id, { assignedAgentId: null });
      yield* used;
      yield* put(issue.id, { assignedAgentId: "bot", status: "Closed" });
      yield* TestClock.adjust("1 hour");
      yield* used;
      yield* agents.get("bot");
      yield* put(issue.id, { assignedAgentId: null });
      yield* admin(agents.remove("bot"));
    }),
  );

  check(
    "[agents.delete.role] only an Admin that is bound to no project deletes an agent",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      yield* heartbeat("bot");
      const bound = Callers.as(Callers.user("bob", { role: "Owner", projects: ["here"] }));
      const forbidden = { _tag: "Forbidden", requiredRole: null };
      assert.deepInclude(yield* refusal(bound(agents.remove("bot"))), forbidden);
      assert.deepInclude(yield* refusal(agents.remove("bot")), { requiredRole: "Admin" });
      yield* agents.get("bot");
    }),
  );

  checkWith(
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      strictAgents: true,
    }),
    "[agents.strict] an assignment to an agent that is not registered is refused and changes nothing",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      const issue = yield* create();
      const unknown = { _tag: "UnknownReference", field: "assignedAgentId", id: "bot" };
      for (const call of [
        create({ title: "Refused", assignedAgentId: "bot" }),
        put(issue.id, { title: "Refused", assignedAgentId: "bot" }),
      ]) {
        assert.deepInclude(yield* refusal(call), unknown);
      }
      assert.deepStrictEqual((yield* Issues.Issues.use((issues) => issues.list(project))).items, [
        issue,
      ]);
      assert.deepStrictEqual((yield* agents.list()).items, []);
      yield* heartbeat("bot");
      yield* put(issue.id, { assignedAgentId: "bot" });
      yield* put(issue.id, { assignedAgentId: null });
      yield* admin(agents.put("other"));
      yield* create({ assignedAgentId: "other" });
    }),
  );

  check(
    "[agents.limit.bound] an assignment by a key that is bound to projects registers no agent, which its first heartbeat does",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      const bound = Callers.as(Callers.user("ed", { role: "Editor", projects: [project] }));
      const { id } = yield* bound(create({ assignedAgentId: "new" }));
      yield* bound(put(id, { assignedAgentId: "newer" }));
      assert.deepStrictEqual((yield* agents.list()).items, []);
      const { started } = yield* heartbeat("newer");
      assert.deepStrictEqual(
        started.map(({ issue }) => issue.id),
        [id],
      );
      assert.lengthOf((yield* agents.list()).items, 1);
    }),
  );

  checkWith(
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      maxAgents: 2,
    }),
    "[agents.limit] no call registers more agents than the limit, and a refused call changes nothing",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      yield* heartbeat("a");
      const issue = yield* create({ assignedAgentId: "b" });
      const calls: ReadonlyArray<Call> = [
        heartbeat("c"),
        create({ title: "Refused", assignedAgentId: "c" }),
        put(issue.id, { title: "Refused", assignedAgentId: "c" }),
        admin(agents.put("c")),
      ];
      for (const call of calls) {
        assert.deepInclude(yield* refusal(call), { _tag: "LimitExceeded", limit: 2 });
      }
      const { items } = yield* Issues.Issues.use((issues) => issues.list(project));
      assert.deepStrictEqual(items, [issue]);
      assert.lengthOf((yield* agents.list()).items, 2);
      yield* heartbeat("a");
      yield* admin(agents.put("b", { name: "Bee" }));
      yield* admin(agents.remove("a"));
      yield* heartbeat("c");
    }),
  );
});
