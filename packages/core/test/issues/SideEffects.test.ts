import { assert, describe } from "@effect/vitest";
import { CoreOptions, Idempotency, Issue, Issues } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { check, checkWith, heartbeat, refusal } from "../support/World.ts";

const never = (agentId: string) => `No agent ${agentId} has ever sent a heartbeat.`;

const effectsOf = ({ created, warnings }: Issue.SideEffects) => ({ created, warnings });

const create = (input: { readonly assignedAgentId?: string } = {}) =>
  Issues.Issues.use((issues) => issues.create("project", { title: "Mend the roof", ...input }));

const update = (issueId: string, assignedAgentId: string | null) =>
  Issues.Issues.use((issues) => issues.update(issueId, { assignedAgentId }));

describe("Side effects of requests", () => {
  check(
    "[issues.created] a creation and a PUT report the project and the agent that they created",
    Effect.gen(function* () {
      const first = yield* create({ assignedAgentId: "bto" });
      assert.deepStrictEqual(effectsOf(first), {
        created: { project: "project", agent: "bto" },
        warnings: [never("bto")],
      });
      const second = yield* create({ assignedAgentId: "bto" });
      assert.deepStrictEqual(effectsOf(second), {
        created: { project: null, agent: null },
        warnings: [never("bto")],
      });
      const changed = yield* update(second.id, "other");
      assert.deepStrictEqual(effectsOf(changed), {
        created: { project: null, agent: "other" },
        warnings: [never("other")],
      });
      yield* heartbeat("other");
      for (const agentId of ["other", null]) {
        assert.deepStrictEqual(effectsOf(yield* update(second.id, agentId)), Issue.noSideEffects);
      }
      const renamed = yield* Issues.Issues.use(({ update }) => update(first.id, { title: "b" }));
      assert.deepStrictEqual(effectsOf(renamed), Issue.noSideEffects);
    }),
  );

  check(
    "[issues.created.plan] the first issue of a plan has the project, and the first that names an agent has it",
    Effect.gen(function* () {
      const plan = (projectId: string) =>
        Issues.Issues.use((issues) =>
          issues.plan(projectId, {
            issues: [
              { ref: "a", title: "a" },
              { ref: "b", title: "b", assignedAgentId: "bto" },
              { ref: "c", title: "c", assignedAgentId: "bto", goalId: "goal" },
            ],
          }),
        );
      const none = { project: null, agent: null };
      assert.deepStrictEqual((yield* plan("shop")).map(effectsOf), [
        { created: { ...none, project: "shop" }, warnings: [] },
        { created: { ...none, agent: "bto" }, warnings: [never("bto")] },
        { created: none, warnings: [never("bto")] },
      ]);
      yield* heartbeat("bto");
      const repeated = (yield* plan("shop")).map(effectsOf);
      assert.deepStrictEqual(repeated, [
        Issue.noSideEffects,
        Issue.noSideEffects,
        Issue.noSideEffects,
      ]);
    }),
  );

  check(
    "[issues.created.replay] a repeated request reports the creations of the first one",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const once = <A, E, R>(idempotencyKey: string, call: Effect.Effect<A, E, R>) => {
        const request = { keyId: "key_1", idempotencyKey, content: "POST" };
        const repeatable = Effect.provideService(call, Idempotency.CurrentRequest, request);
        return Effect.all([repeatable, repeatable]);
      };
      const input = { title: "a", assignedAgentId: "bto" };
      const [first, again] = yield* once("1", issues.create("shop", input));
      assert.deepStrictEqual(again, first);
      assert.deepStrictEqual(again.created, { project: "shop", agent: "bto" });
      const planned = [
        { ref: "a", title: "a" },
        { ref: "b", title: "b", assignedAgentId: "other" },
      ];
      const [plan, repeated] = yield* once("2", issues.plan("web", { issues: planned }));
      assert.deepStrictEqual(repeated, plan);
      assert.deepStrictEqual(
        repeated.map(({ created }) => created),
        [
          { project: "web", agent: null },
          { project: null, agent: "other" },
        ],
      );
    }),
  );

  check(
    "[issues.created.bound] a caller that is bound to projects registers no agent, and is warned; an agent is not warned of itself",
    Effect.gen(function* () {
      const bound = Callers.as(Callers.user("eve", { projects: ["project"] }));
      const { created, warnings } = yield* bound(create({ assignedAgentId: "bto" }));
      assert.deepStrictEqual([created.agent, warnings], [null, [never("bto")]]);
      const own = yield* Callers.as(Callers.agent("bot"))(create({ assignedAgentId: "bot" }));
      assert.deepStrictEqual(own.warnings, []);
    }),
  );

  checkWith(
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      strictAgents: true,
    }),
    "[issues.created.strict] with strictAgents an assignment to an agent that is not registered is refused",
    Effect.gen(function* () {
      const { id } = yield* create();
      for (const call of [create({ assignedAgentId: "bto" }), update(id, "bto")]) {
        const error = yield* refusal(call);
        assert.deepInclude(error, { _tag: "UnknownReference", field: "assignedAgentId" });
      }
    }),
  );
});
