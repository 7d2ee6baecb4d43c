import { Command, Flag } from "effect/cli";
import {
  allProjects,
  connection,
  described,
  example,
  issue,
  lazily,
  limit,
  limitTo,
  listAlias,
  text,
} from "../Options.ts";
import { filters } from "./IssueFilterFlags.ts";
import { project } from "./IssueFlags.ts";

/** The commands that read issues. Their code is in `IssueReads.ts` and `IssueGraph.ts`. */

const reads = () => import("./IssueReads.ts");

/** `issue list`, and its short form. */
const listAs = <const Name extends string>(name: Name, path: string) =>
  Command.make(
    name,
    {
      ...connection,
      ...filters,
      limit: limitTo(100),
    },
    lazily(() => reads().then(({ list }) => list)),
  ).pipe(
    described("List issues of a project, or of all projects, newest first"),
    example(
      `${path} --project shop --status open,pendingReview --not-label later`,
      "List issues of a project",
    ),
  );

/** `issue show`, and its short form. */
const showAs = (path: string) =>
  Command.make(
    "show",
    { ...connection, issue },
    lazily(() => reads().then(({ show }) => show)),
  ).pipe(
    described("Print an issue, its links and its newest comments"),
    example(`${path} SHOP-142`, "Print an issue"),
  );

const why = Command.make(
  "why",
  { ...connection, issue },
  lazily(() => reads().then(({ why }) => why)),
).pipe(
  described("Print whether the next heartbeat starts an issue, and if not, why"),
  example("issue why SHOP-142", "Print why an issue does not start"),
);

const log = Command.make(
  "log",
  { ...connection, issue, limit },
  lazily(() => reads().then(({ log }) => log)),
).pipe(
  described("Print the timeline of an issue, oldest entry first"),
  example("issue log SHOP-142", "Print the timeline of an issue"),
);

const ready = Command.make(
  "ready",
  {
    ...connection,
    project,
    allProjects,
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
  example("issue graph SHOP-142", "Print the blockers and dependents of an issue"),
);

export const short = [listAs("ls", "ls"), showAs("show")] as const;

export const commands = [
  listAs("list", "issue list").pipe(listAlias),
  ready,
  showAs("issue show"),
  why,
  graph,
  log,
] as const;
