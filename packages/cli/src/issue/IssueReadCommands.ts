import { Option } from "effect";
import { Command, Flag } from "effect/cli";
import { connection, example, issue, lazily, limit, limitTo, text } from "../Options.ts";
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
    status: Flag.String("status").pipe(
      Flag.filterMap(
        (text) =>
          Option.fromUndefinedOr(
            statuses.find((status) => status.toLowerCase() === text.toLowerCase()),
          ),
        (text) => `--status must be one of ${statuses.join(", ")}, not ${text}`,
      ),
      Flag.withDescription(`Issues of this status: ${statuses.join(", ")}; repeatable`),
      Flag.atLeast(0),
    ),
    label: label("Issues with this label, and with all of several"),
    externalRef: text("external-ref", "The issue with this id in another system"),
    paused: Flag.Boolean("paused").pipe(
      Flag.withDescription("Only issues that are paused"),
      Flag.withDefault(false),
    ),
    assignee: text("assignee", "Issues of this agent or user"),
    priority,
    query: text("query", "Words in title, description and comments"),
    sort: Flag.Literals("sort", ["created", "updated", "priority"]).pipe(
      Flag.withDescription("The order: newest first (created, updated) or most urgent first"),
      Flag.withDefault("created" as const),
    ),
    limit: limitTo(100),
  },
  lazily(() => reads().then(({ list }) => list)),
).pipe(
  Command.withDescription("List issues of a project, or of all projects, newest first."),
  example("issue list --project shop --status Open", "List the open issues of a project"),
);

const show = Command.make(
  "show",
  { ...connection, issue },
  lazily(() => reads().then(({ show }) => show)),
).pipe(
  Command.withDescription("Print an issue with its links and newest comments."),
  example("issue show iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Print an issue"),
);

const why = Command.make(
  "why",
  { ...connection, issue },
  lazily(() => reads().then(({ why }) => why)),
).pipe(
  Command.withDescription("Print whether the next heartbeat starts the issue, and why not."),
  example("issue why iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Print why an issue does not start"),
);

const log = Command.make(
  "log",
  { ...connection, issue, limit },
  lazily(() => reads().then(({ log }) => log)),
).pipe(
  Command.withDescription("Print the timeline of an issue, oldest first."),
  example("issue log iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Print what happened to an issue"),
);

const ready = Command.make(
  "ready",
  {
    ...connection,
    project: Flag.optional(project),
    agent: text("agent", "Issues of this agent"),
    limit: limitTo(100),
  },
  lazily(() => reads().then(({ ready }) => ready)),
).pipe(
  Command.withDescription("List the issues that the next heartbeat of their agent would start."),
  example("issue ready --project shop", "List what is ready in a project"),
);

const graph = Command.make(
  "graph",
  {
    ...connection,
    issue,
    depth: Flag.Int("depth").pipe(
      Flag.withDescription("How many links away from the issue, 1 to 50 (10)"),
      Flag.filter(
        (depth) => depth >= 1 && depth <= 50,
        (depth) => `--depth must be from 1 to 50, not ${depth}`,
      ),
      Flag.withDefault(10),
    ),
  },
  lazily(() => import("./IssueGraph.ts").then(({ graph }) => graph)),
).pipe(
  Command.withDescription(
    "Print what an issue waits for and what waits for it, as trees of up to 500 issues.",
  ),
  example(
    "issue graph iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA",
    "Print the blockers and dependents of an issue",
  ),
);

export const commands = [list, ready, show, why, graph, log] as const;
