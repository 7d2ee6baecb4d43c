import { Schema } from "effect";
import { ProjectId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";
import { Description, StatusCounts } from "./Issue.ts";

export const AgentsMay = Schema.Literals(["resolve", "review", "approve"]);
export type AgentsMay = typeof AgentsMay.Type;

/** 2 to 10 of `A-Z 0-9`, the first a letter. */
export const Prefix = Schema.String.check(
  Schema.isPattern(/^[A-Z][A-Z0-9]{1,9}$/, {
    expected: "2 to 10 of A-Z 0-9, the first a letter",
  }),
);

/** 1 to 64 characters after trimming. */
export const ProjectName = Text.trimmedBetween(1, 64);

/** A project of the host, in the form that its changes return. */
export const Project = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The project's id, chosen by the host." }),
  prefix: Schema.String.annotateKey({
    description: "The first part of the keys of the project's issues, such as `SHOP`.",
  }),
  name: Schema.NullOr(Schema.String).annotateKey({
    description: "The name that people see; null if it has none.",
  }),
  description: Schema.NullOr(Schema.String).annotateKey({
    description: "The purpose of the project, in Markdown; null if it has none.",
  }),
  paused: Schema.Boolean.annotateKey({
    description: "While true, no heartbeat claims issues of the project.",
  }),
  agentsMay: AgentsMay.annotateKey({
    description:
      "The hand-in rules for agents. `resolve`: agents can resolve their own work, and only people end reviews. `review`: work that an agent resolves becomes a review. `approve`: agents can also end reviews.",
  }),
}).annotate({ identifier: "Project", description: "A project of the host." });
export interface Project extends Schema.Schema.Type<typeof Project> {}

/** The stored form of a project, without its settings. */
export interface ProjectRow extends Pick<Project, "id" | "prefix" | "name" | "description"> {}

/** A project in the form of lists of projects. */
export const ProjectSummary = Schema.Struct({
  id: Project.fields.id,
  prefix: Project.fields.prefix,
  name: Project.fields.name,
  description: Project.fields.description,
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

const prefixOfInput =
  "2 to 10 of `A-Z 0-9`, the first a letter, that no other project has or had. Earlier prefixes continue to work; a project can have 20.";

export const ProjectCreate = Schema.Struct({
  id: ProjectId.annotateKey({
    description: "1 to 128 characters of `A-Z a-z 0-9 . _ : -`.",
  }),
  name: Schema.optionalKey(Schema.NullOr(ProjectName)).pipe(
    Schema.annotateEncoded({ description: "1 to 64 characters after trimming. Default: null." }),
  ),
  prefix: Schema.optionalKey(Schema.NullOr(Prefix)).annotateKey({
    description: `${prefixOfInput} Default: made from the id. Only Admins that are bound to no project can name it.`,
  }),
}).annotate({
  identifier: "ProjectCreate",
  description: "The body of a request that creates a project.",
});
export interface ProjectCreate extends Schema.Schema.Type<typeof ProjectCreate> {}

export const ProjectUpdate = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(ProjectName)).pipe(
    Schema.annotateEncoded({
      description: "1 to 64 characters after trimming. Null clears it. Omitted: no change.",
    }),
  ),
  description: Schema.optionalKey(Schema.NullOr(Description)).annotateKey({
    description: "At most 65,536 characters. Null clears it. Omitted: no change.",
  }),
  prefix: Schema.optionalKey(Schema.NullOr(Prefix)).annotateKey({
    description: `${prefixOfInput} Only Admins that are bound to no project can name it. Omitted or null: no change.`,
  }),
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
