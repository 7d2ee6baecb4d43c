import { Flag } from "effect/cli";
import { allProjects, someOf, text, texts } from "../Options.ts";
import { label, priorities, project } from "./IssueFlags.ts";

/** The options that filter a list of issues. `IssueFilters` makes the query of them. */

const statuses = [
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
  "Resolved",
  "Closed",
] as const;
const properties = ["question", "files", "failure"] as const;

const isTrue = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false));

const moment = "a duration before now such as 7d, or a time in ISO 8601";

export const filters = {
  project,
  allProjects,
  view: text("view", "The filters of a saved view, by its name or id; other options replace them"),
  status: someOf("status", statuses, "Only issues of these statuses"),
  priority: someOf("priority", priorities, "Only issues of these priorities"),
  assignee: texts("assignee", "Only issues of these agents or users"),
  goal: texts("goal", "Only issues of these goals"),
  label: label("Only issues with one of these labels, separated by commas; several must all match"),
  has: someOf("has", properties, "Only issues with an open question, files or a failure"),
  notStatus: someOf("not-status", statuses, "No issues of these statuses"),
  notPriority: someOf("not-priority", priorities, "No issues of these priorities"),
  notAssignee: texts("not-assignee", "No issues of these agents or users"),
  notGoal: texts("not-goal", "No issues of these goals"),
  notLabel: texts("not-label", "No issues with these labels"),
  notHas: someOf("not-has", properties, "No issues with an open question, files or a failure"),
  updatedSince: text("updated-since", `Only issues that changed since then: ${moment}`),
  updatedBefore: text("updated-before", `Only issues that have not changed since then: ${moment}`),
  createdAfter: text("created-after", `Only issues that were created after then: ${moment}`),
  externalRef: text("external-ref", "Only the issue with this id in another system"),
  paused: isTrue("paused", "Only paused issues"),
  silentAgent: isTrue(
    "silent-agent",
    "Only issues whose agent has sent no heartbeat for 10 minutes",
  ),
  query: text(
    "query",
    "Only issues with these words, also of comments and file names; the last one may be a prefix",
  ),
  sort: Flag.optional(
    Flag.Literals("sort", ["relevance", "created", "updated", "priority"]).pipe(
      Flag.withDescription(
        "The order: best match first (relevance, the default with --query), newest first (created, updated) or most urgent first (priority)",
      ),
    ),
  ),
};
