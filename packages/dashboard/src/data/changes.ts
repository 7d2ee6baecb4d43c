import type { Event, IssueGraph } from "@quartermaster/client";
import type { QueryFilters, QueryKey } from "@tanstack/react-query";
import { patchIssueRows } from "./issues/issueEvents.ts";
import type { Data } from "./live/data.ts";
import { invalidate, throttled } from "./live/query.ts";
import { preparationStore } from "./servers/preparation.ts";

type Ids = ReadonlySet<string>;

const all = (name: string) => (): QueryFilters => ({ queryKey: [name] });

/** Selects the queries whose key contains the subject of an event. */
const ofSubject =
  (name: string) =>
  (ids: Ids): QueryFilters => ({
    queryKey: [name],
    predicate: ({ queryKey: [, id] }) => typeof id === "string" && ids.has(id),
  });

const isOfIssue = ([name, , part]: QueryKey, expected: string) =>
  name === "issue" && part === expected;

/** The queries by group. An event invalidates whole groups. */
const groups = {
  accessOfAll: all("access"),
  accessOfServer: ofSubject("access"),
  agents: all("agents"),
  agentTools: all("agent tools"),
  agentWork: all("agent work"),
  catalog: all("catalog"),
  feed: all("feed"),
  graphs: all("graph"),
  inbox: all("inbox"),
  issue: ofSubject("issue"),
  keys: all("keys"),
  lastWords: ofSubject("last words"),
  /** The note and the last line of a run, after new entries of its log or a new note. */
  runNow: (ids: Ids): QueryFilters => ({
    queryKey: ["run"],
    predicate: ({ queryKey: [, id, part] }) =>
      typeof id === "string" && ids.has(id) && (part === undefined || part === "last line"),
  }),
  /** The timeline and the calls of such a run. */
  runUntilNow: (ids: Ids): QueryFilters => ({
    queryKey: ["run"],
    predicate: ({ queryKey: [, id, part] }) =>
      typeof id === "string" && ids.has(id) && (part === "timeline" || part === "calls"),
  }),
  /** The neighborhood graphs that contain the subject of an event. */
  neighbors: (ids: Ids, { queries }: Data): QueryFilters => ({
    predicate: ({ queryKey }) =>
      isOfIssue(queryKey, "neighbors") &&
      queries.getQueryData<IssueGraph>(queryKey)?.nodes.some(({ id }) => ids.has(id)) === true,
  }),
  projects: all("projects"),
  readiness: (): QueryFilters => ({
    predicate: ({ queryKey }) => isOfIssue(queryKey, "readiness"),
  }),
  readyIssues: all("ready issues"),
  roots: all("roots"),
  runs: all("run"),
  servers: all("servers"),
  toolsOfServer: ofSubject("tools"),
  views: all("views"),
  webhooks: all("webhooks"),
} as const;

type Group = keyof typeof groups;

/** The groups that a change to an agent or a project affects. */
const pickUp = ["agentWork", "readiness", "readyIssues", "runs"] as const;
/** The groups of an event that affects no other issue. */
const issueOnly = [
  "agentWork",
  "feed",
  "graphs",
  "inbox",
  "issue",
  "neighbors",
  "readyIssues",
  "roots",
  "runs",
] as const;
const issue = [...issueOnly, "readiness"] as const;
const issueCount = [...issue, "projects"] as const;
const server = ["agentTools", "inbox", "servers"] as const;
const agent = [...pickUp, "agents", "inbox"] as const;

/** The groups that each kind of event invalidates. `patchIssueRows` patches rows of issues instead. */
const changedBy: { readonly [Kind in Event["kind"]]: ReadonlyArray<Group> } = {
  "issue.created": issueCount,
  "issue.updated": issue,
  "issue.statusChanged": issueCount,
  "issue.commented": [...issueOnly, "lastWords"],
  "issue.commentEdited": [...issueOnly, "lastWords"],
  "issue.commentDeleted": [...issueOnly, "lastWords"],
  "issue.attached": issueOnly,
  "issue.detached": issueOnly,
  "issue.linked": issue,
  "issue.unlinked": issue,
  "issue.pickedUp": issue,
  "issue.deferred": issue,
  "issue.paused": issue,
  "issue.resumed": issue,
  "issue.stopped": issue,
  "issue.finished": issue,
  "issue.leaseExpired": issue,
  "issue.asked": issue,
  "issue.answered": issue,
  "issue.questionExpired": issue,
  "issue.questionWithdrawn": issue,
  "issue.effectSent": [],
  "issue.effectEnded": ["inbox", "issue"],
  "issue.effectSettled": issue,
  "issue.effectsReset": ["issue"],
  "issue.deleted": issueCount,
  // Its issue has `issue.stopped` and `issue.pickedUp`.
  "run.takenOver": [],
  "project.updated": [...pickUp, "projects"],
  "project.deleted": ["projects", "views", "webhooks"],
  "view.created": ["views"],
  "view.updated": ["views"],
  "view.deleted": ["views"],
  "run.logged": ["runNow", "runUntilNow"],
  "mcp.installed": server,
  "mcp.updated": [...server, "toolsOfServer"],
  "mcp.preparing": server,
  "mcp.prepared": server,
  "mcp.verified": [...server, "toolsOfServer", "accessOfServer"],
  "mcp.enabled": [...server, "toolsOfServer"],
  "mcp.disabled": server,
  "mcp.failed": server,
  "mcp.recovered": [...server, "toolsOfServer"],
  "mcp.toolsChanged": [...server, "toolsOfServer", "accessOfServer"],
  "mcp.accessChanged": [...server, "accessOfServer"],
  "mcp.uninstalled": [...server, "toolsOfServer", "accessOfServer"],
  "mcp.catalogChanged": [...server, "catalog"],
  "agent.registered": [...agent, "accessOfAll"],
  "agent.updated": [...agent, "agentTools"],
  "agent.deleted": [...agent, "accessOfAll"],
  "key.created": ["keys"],
  "key.deleted": ["keys"],
  "webhook.created": ["webhooks"],
  "webhook.updated": ["inbox", "webhooks"],
  "webhook.failing": ["inbox", "webhooks"],
  "webhook.deleted": ["inbox", "webhooks"],
};

const groupNames = Object.keys(groups).filter((name): name is Group => name in groups);

/** The shortest times between two refreshes of a group, in milliseconds, where it is not a second. A log may grow each second. */
const pauses: { readonly [Name in Group]?: number } = { runNow: 100, runUntilNow: 3_000 };

/** Collects the subjects of events and invalidates the group now and then. Only visible queries refetch. */
const refresher = (data: Data, group: Group) => {
  const stale = new Set<string>();
  const refresh = throttled(() => {
    const ids = new Set(stale);
    stale.clear();
    return invalidate(data.queries, groups[group](ids, data));
  }, pauses[group] ?? 1_000);
  return (ids: ReadonlyArray<string>) => {
    for (const id of ids) stale.add(id);
    refresh();
  };
};

/** Keeps the query cache up to date with the event stream. */
export const followChanges = (data: Data): void => {
  const { queries, stream } = data;
  const refreshers = groupNames.map((group) => [group, refresher(data, group)] as const);
  // Data that arrived before the stream opened may have changed in between.
  stream.onOpen(
    () => void queries.invalidateQueries({ predicate: ({ state }) => state.dataUpdatedAt > 0 }),
  );
  stream.onGap(() => void queries.invalidateQueries());
  stream.onEvents((events) => {
    for (const [group, refresh] of refreshers) {
      const of = events.filter(({ kind }) => changedBy[kind]?.includes(group));
      if (of.length > 0) refresh(of.map(({ subjectId }) => subjectId));
    }
  });
  stream.onEvents(data.store(preparationStore).onEvents);
  patchIssueRows(data);
};
