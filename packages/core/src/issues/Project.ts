import { Schema } from "effect";
import { Timestamp } from "../Timestamp.ts";
import { StatusCounts } from "./Issue.ts";

export const AgentsMay = Schema.Literals(["resolve", "review", "approve"]);
export type AgentsMay = typeof AgentsMay.Type;

/** A project of the host, as its changes return it. */
export const Project = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The project's id, chosen by the host." }),
  paused: Schema.Boolean.annotateKey({
    description: "While true, no heartbeat claims an issue of the project.",
  }),
  agentsMay: AgentsMay.annotateKey({
    description:
      "How agents hand in. `resolve`: agents resolve their own work, and people end reviews. `review`: as `resolve`, but what an agent resolves becomes a review. `approve`: agents end reviews too.",
  }),
}).annotate({ identifier: "Project", description: "A project of the host." });
export interface Project extends Schema.Schema.Type<typeof Project> {}

/** A project as lists of projects have it. */
export const ProjectSummary = Schema.Struct({
  id: Project.fields.id,
  counts: StatusCounts.annotateKey({ description: "The project's issues by status." }),
  paused: Project.fields.paused,
  agentsMay: Project.fields.agentsMay,
  lastActivityAt: Schema.NullOr(Timestamp).annotateKey({
    description:
      "The time of the project's newest retained event, or of the last change of an issue's own fields if that is later; null without both.",
  }),
}).annotate({
  identifier: "ProjectSummary",
  description: "A project and the state of its issues.",
});
export interface ProjectSummary extends Schema.Schema.Type<typeof ProjectSummary> {}

export const ProjectUpdate = Schema.Struct({
  paused: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "True stops the live runs of the project's issues at their next turn and claims none of its issues; false ends the pause. Omitted or null: left alone.",
  }),
  agentsMay: Schema.optionalKey(Schema.NullOr(AgentsMay)).annotateKey({
    description:
      "How agents hand in: `resolve` (the default of a project), `review` or `approve`. Omitted or null: left alone.",
  }),
}).annotate({ identifier: "ProjectUpdate", description: "The body that changes a project." });
export interface ProjectUpdate extends Schema.Schema.Type<typeof ProjectUpdate> {}
