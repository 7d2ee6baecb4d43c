import { Schema } from "effect";
import { Timestamp } from "../Timestamp.ts";
import { StatusCounts } from "./Issue.ts";

export const AgentsMay = Schema.Literals(["resolve", "review", "approve"]);
export type AgentsMay = typeof AgentsMay.Type;

/** A project of the host, in the form that its changes return. */
export const Project = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The project's id, chosen by the host." }),
  paused: Schema.Boolean.annotateKey({
    description: "While true, no heartbeat claims issues of the project.",
  }),
  agentsMay: AgentsMay.annotateKey({
    description:
      "The hand-in rules for agents. `resolve`: agents can resolve their own work, and only people end reviews. `review`: work that an agent resolves becomes a review. `approve`: agents can also end reviews.",
  }),
}).annotate({ identifier: "Project", description: "A project of the host." });
export interface Project extends Schema.Schema.Type<typeof Project> {}

/** A project in the form of lists of projects. */
export const ProjectSummary = Schema.Struct({
  id: Project.fields.id,
  counts: StatusCounts.annotateKey({ description: "The project's issues by status." }),
  paused: Project.fields.paused,
  agentsMay: Project.fields.agentsMay,
  lastActivityAt: Schema.NullOr(Timestamp).annotateKey({
    description:
      "The time of the project's newest retained event, or of the last change of an issue's own fields if that is later; null if there is neither.",
  }),
}).annotate({
  identifier: "ProjectSummary",
  description: "A project with the number of its issues by status.",
});
export interface ProjectSummary extends Schema.Schema.Type<typeof ProjectSummary> {}

export const ProjectUpdate = Schema.Struct({
  paused: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "True pauses the project: its live runs stop at their next turn, and no heartbeat claims its issues. False resumes it. Omitted or null: no change.",
  }),
  agentsMay: Schema.optionalKey(Schema.NullOr(AgentsMay)).annotateKey({
    description:
      "The hand-in rules for agents: `resolve` (the default of a project), `review` or `approve`. Omitted or null: no change.",
  }),
}).annotate({
  identifier: "ProjectUpdate",
  description: "The body of a request that changes a project.",
});
export interface ProjectUpdate extends Schema.Schema.Type<typeof ProjectUpdate> {}
