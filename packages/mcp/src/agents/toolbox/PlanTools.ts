import { Id, Issues, Plan } from "@quartermaster/core";
import { Effect, Schema } from "effect";
import { adds, define, type ServiceTool } from "./ServiceTool.ts";

const Arguments = Schema.Struct({
  projectId: Id.ProjectId.annotateKey({ description: "The id of the project." }),
  issues: Plan.Plan.fields.issues,
});

/** Models know the fields from `issue_create`, so the schema has only the fields of a plan. */
const issues = {
  type: "array",
  items: {
    type: "object",
    properties: {
      ref: { type: "string" },
      title: { type: "string" },
      blockedBy: { type: "array", items: { type: "string" } },
    },
    required: ["ref", "title"],
  },
  description:
    "Up to 500 issues with the fields of issue_create; ref is a name in the plan, blockedBy has refs and ids.",
};

/** The tool that creates many issues. */
export const make: Effect.Effect<ReadonlyArray<ServiceTool>, never, Issues.Issues> = Effect.gen(
  function* () {
    const service = yield* Issues.Issues;

    return [
      define({
        name: "plan_create",
        title: "Create a plan",
        description:
          "Creates many issues with their blockers, all or none. Use it to split work up. Returns ref, id, key and status of each.",
        takes: Arguments,
        parameters: { issues },
        annotations: adds,
        run: Effect.fnUntraced(function* ({ projectId, issues }) {
          const created = yield* service.plan(projectId, { issues });
          return {
            issues: created.map(({ issue: { id, key, status }, ref }) => ({
              ref,
              id,
              key,
              status,
            })),
            warnings: [...new Set(created.flatMap(({ warnings }) => warnings))],
          };
        }),
      }),
    ];
  },
);
