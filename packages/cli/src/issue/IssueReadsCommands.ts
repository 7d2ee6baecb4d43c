import { Command, Flag } from "effect/cli";
import {
  connection,
  described,
  example,
  issue,
  lazily,
  limit,
  limitTo,
  oneOf,
  text,
} from "../Options.ts";
import { label, priority, project } from "./IssueFlags.ts";

/** The commands that read issues. Their code is in `IssueReads.ts` and `IssueGraph.ts`. */

const reads = () => import("./IssueReads.ts");

const statuses = [
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
  "Resolved",
  "Closed",
] as const;

const list = Command.make(
  "list",
  {
    ...connection,
    project: Flag.optional(project),
    status: oneOf("status", statuses, "Only issues of this status, repeatable").pipe(
      Flag.atLeast(0),
    ),
    label: label("Only issues with this label; several must all be present"),
    externalRef: text("external-ref", "Only the issue with this id in another system"),
    paused: Flag.Boolean("paused").pipe(
      Flag.withDescription("Only paused issues"),
      Flag.withDefault(false),
    ),
    assignee: text("assignee", "Only issues of this agent or user"),
    priority,
    query: text("query", "Only issues with these words in title, description or comments"),
    sort: Flag.Literals("sort", ["created", "updated", "priority"]).pipe(
      Flag.withDescription(
        "The order: newest first (created, updated) or most urgent first (priority)",
      ),
      Flag.withDefault("created" as const),
    ),
    limit: limitTo(100),
  },
  lazily(() => reads().then(({ list }) => list)),
).pipe(
  described("List issues of a project, or of all projects, newest first"),
  example("issue list --project shop --status Open", "List the open issues of a project"),
);

const show = Command.make(
  "show",
  { ...connection, issue },
  lazily(() => reads().then(({ show }) => show)),
).pipe(
  described("Print an issue, its links and its newest comments"),
  example("issue show iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Print an issue"),
);

const why = Command.make(
  "why",
  { ...connection, issue },
  lazily(() => reads().then(({ why }) => why)),
).pipe(
  described("Print whether the next heartbeat starts an issue, and if not, why"),
  example("issue why iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Print why an issue does not start"),
);

const log = Command.make(
  "log",
  { ...connection, issue, limit },
  lazily(() => reads().then(({ log }) => log)),
).pipe(
  described("Print the timeline of an issue, oldest entry first"),
  example("issue log iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Print the timeline of an issue"),
);

const ready = Command.make(
  "ready",
  {
    ...connection,
    project: Flag.optional(project),
    agent: text("agent", "Only issues of this agent"),
    limit: limitTo(100),
  },
  lazily(() => reads().then(({ ready }) => ready)),
).pipe(
  described("List the issues that the next heartbeat of their agent starts"),
  example("issue ready --project shop", "List the ready issues of a project"),
);

const graph = Command.make(
  "graph",
  {
    ...connection,
    issue,
    depth: Flag.Int("depth").pipe(
      Flag.withDescription(
        "The most links between the issue and another one, 1 to 50. Default: 10",
      ),
      Flag.filter(
        (depth) => depth >= 1 && depth <= 50,
        (depth) => `--depth must be from 1 to 50, not ${depth}`,
      ),
      Flag.withDefault(10),
    ),
  },
  lazily(() => import("./IssueGraph.ts").then(({ graph }) => graph)),
).pipe(
  described("Print the blockers and dependents of an issue as trees of up to 500 issues"),
  example(
    "issue graph iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA",
    "Print the blockers and dependents of an issue",
  ),
);

export const commands = [list, ready, show, why, graph, log] as const;
