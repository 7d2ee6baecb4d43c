import { assert, describe } from "@effect/vitest";
import { Agents, Comments, Issues, Principal, Runs } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { type Call, check, create, executing, heartbeat, refusal, turn } from "../support/World.ts";

describe("Acting for an agent", () => {
  check(
    "[runs.acting] an agent's key acts only for itself, an Editor without projects for any agent, one with projects for none",
    Effect.gen(function* () {
      const runs = yield* Runs.Runs;
      const { runId } = yield* executing();
      const calls: ReadonlyArray<Call> = [
        heartbeat("bot", { capacity: -1 }),
        turn(runId),
        runs.finish("bot", runId, { outcome: "lost" as "failed" }),
      ];
      for (const call of calls) {
        for (const principal of [
          Callers.agent("other"),
          Callers.user("bob", { projects: ["project"] }),
        ]) {
          const refused = yield* refusal(Callers.as(principal)(call));
          assert.deepInclude(refused, { _tag: "Forbidden", requiredRole: null });
        }
        const viewer = Callers.as(Callers.user("eve", { role: "Viewer" }));
        assert.deepInclude(yield* refusal(viewer(call)), { requiredRole: "Editor" });
      }
      assert.deepInclude(yield* Callers.as(Callers.agent("bot"))(turn(runId)), {
        action: "continue",
      });
    }),
  );

  check(
    "an agent's principal acts for that agent only, and writes in its name",
    Effect.gen(function* () {
      const runs = yield* Runs.Runs;
      const { issue, runId } = yield* executing();
      const asAgent = Callers.as(Principal.agent("bot"));
      assert.deepInclude(yield* asAgent(turn(runId)), { action: "continue" });
      const comments = yield* Comments.Comments;
      const { authorId, authorType } = yield* asAgent(
        comments.create(issue.id, { content: "Done.", authorType: "Agent" }),
      );
      assert.deepStrictEqual([authorType, authorId], ["Agent", "bot"]);
      const other = Callers.as(Principal.agent("other"));
      const refused = yield* refusal(other(runs.finish("bot", runId, { outcome: "review" })));
      assert.deepInclude(refused, { _tag: "Forbidden", requiredRole: null });
    }),
  );

  check(
    "[runs.acting.bound-agent] an agent with projects picks up only their issues and sees only their runs",
    Effect.gen(function* () {
      const runs = yield* Runs.Runs;
      const bound = Callers.as(Callers.agent("bot", { projects: ["here"] }));
      const hidden = yield* executing("bot");
      yield* create({ assignedAgentId: "bot" }, "there");
      const mine = yield* create({ assignedAgentId: "bot" }, "here");
      const { started } = yield* bound(heartbeat("bot", { capacity: 50 }));
      assert.deepStrictEqual(
        started.map(({ issue }) => issue.id),
        [mine.id],
      );
      assert.lengthOf((yield* bound(runs.list("bot"))).items, 1);
      assert.strictEqual((yield* refusal(bound(turn(hidden.runId))))._tag, "NotFound");
      const named = { capacity: 0, runs: [hidden.runId] };
      const unknown = [{ runId: hidden.runId, issueId: null, reason: "unknown" as const }];
      assert.deepInclude(yield* bound(heartbeat("bot", named)), { renewed: [], stop: unknown });
      const issues = yield* Issues.Issues;
      yield* issues.pause(hidden.issue.id);
      assert.deepStrictEqual((yield* bound(heartbeat("bot", { capacity: 0 }))).stop, []);
      assert.deepStrictEqual((yield* bound(heartbeat("bot", named))).stop, unknown);
      const agents = yield* Agents.Agents;
      const active = Effect.map(agents.list(), ({ items }) => items[0]?.activeRuns);
      assert.deepStrictEqual([yield* active, yield* bound(active)], [2, 1]);
    }),
  );

  check(
    "[agents.registered] PUT, a heartbeat and an assignment register an agent; a read does not",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      const runs = yield* Runs.Runs;
      const admin = Callers.as(Callers.user("root", { role: "Admin" }));
      yield* refusal(runs.list("read"));
      yield* refusal(turn("run_none", "read"));
      yield* admin(agents.put("put", { name: " Putter " }));
      yield* admin(agents.put("put"));
      yield* heartbeat("beat");
      yield* create({ assignedAgentId: "assigned" });
      const { items } = yield* agents.list({ order: "asc" });
      assert.deepStrictEqual(
        items.map(({ id, name }) => [id, name]),
        [
          ["put", "Putter"],
          ["beat", "beat"],
          ["assigned", "assigned"],
        ],
      );
      assert.deepInclude(yield* refusal(agents.put("x")), { requiredRole: "Admin" });
      const renamed = yield* admin(agents.put("beat", { name: "Beater" }));
      assert.deepInclude(renamed, { name: "Beater", lastHeartbeatAt: "1970-01-01T00:00:00.000Z" });
    }),
  );
});
