import type { BriefIssue } from "@quartermaster/client";

/** The filter of a list of issues. All fields that are set must match. */
export interface IssueFilter {
  readonly status?: BriefIssue["status"] | undefined;
  readonly projectId?: ReadonlyArray<string> | undefined;
  readonly assigneeId?: string | undefined;
  readonly priority?: BriefIssue["priority"] | undefined;
  /** Issues that have all of these. */
  readonly label?: ReadonlyArray<string> | undefined;
  readonly paused?: boolean | undefined;
  /** Whether the agent's next heartbeat would pick the issue up. */
  readonly ready?: boolean | undefined;
  readonly q?: string | undefined;
}

/** A page of a list, as TanStack Query has it. */
export interface IssuePage {
  readonly items: ReadonlyArray<BriefIssue>;
  readonly next: string | null;
}

/** Whether no heartbeat picks the issue up, whatever else is true. */
const isHeld = ({ assignedAgentId, blockedByCount, paused, status }: BriefIssue): boolean =>
  paused ||
  blockedByCount > 0 ||
  assignedAgentId === null ||
  (status !== "Open" && status !== "InProgress");

/** Whether the list has the issue; null where only the server can decide. `found` are known to match `q`. */
export const belongs = (
  filter: IssueFilter,
  issue: BriefIssue,
  found: ReadonlySet<string> = new Set(),
): boolean | null => {
  const { assigneeId, label, paused, priority, projectId, q, ready, status } = filter;
  if (status !== undefined && issue.status !== status) return false;
  if (priority !== undefined && issue.priority !== priority) return false;
  if (projectId !== undefined && !projectId.includes(issue.projectId)) return false;
  if (
    assigneeId !== undefined &&
    issue.assignedAgentId !== assigneeId &&
    issue.assigneeUserId !== assigneeId
  ) {
    return false;
  }
  if (paused !== undefined && issue.paused !== paused) return false;
  if (label?.every((one) => issue.labels.includes(one)) === false) return false;
  if (ready === true && isHeld(issue)) return false;
  // Ignores other facts that make an issue ready, such as a pause of its agent.
  if (ready === true || (ready === false && !isHeld(issue))) return null;
  return q === undefined || found.has(issue.id) ? true : null;
};

/** Whether `next` is not older than `known`. */
const isNewer = (known: BriefIssue, next: BriefIssue) => next.version >= known.version;

/** The pages with the issues removed. Pages without them stay the same objects. */
export const removeFrom = (
  pages: ReadonlyArray<IssuePage>,
  ids: ReadonlySet<string>,
): ReadonlyArray<IssuePage> => {
  const next = pages.map((page) =>
    page.items.some(({ id }) => ids.has(id))
      ? { ...page, items: page.items.filter(({ id }) => !ids.has(id)) }
      : page,
  );
  return next.some((page, index) => page !== pages[index]) ? next : pages;
};

/**
 * The pages of a list, newest first, with issues as they are now. An issue that no longer matches leaves the
 * list; one that matches takes its place, unless that is beyond what is loaded. `found` are the issues that
 * are known to match the filter's search.
 */
export const patchPages = (
  filter: IssueFilter,
  pages: ReadonlyArray<IssuePage>,
  changed: ReadonlyMap<string, BriefIssue>,
  found?: ReadonlySet<string>,
): ReadonlyArray<IssuePage> => {
  const present = new Set<string>();
  let next = pages.map((page) => {
    if (!page.items.some(({ id }) => changed.has(id))) return page;
    const items = page.items.flatMap((known) => {
      const issue = changed.get(known.id);
      if (issue === undefined || !isNewer(known, issue)) {
        present.add(known.id);
        return [known];
      }
      if (belongs(filter, issue, found) === false) return [];
      present.add(known.id);
      return [issue];
    });
    return { ...page, items };
  });
  for (const issue of changed.values()) {
    if (present.has(issue.id) || belongs(filter, issue, found) !== true) continue;
    const at = next.findIndex(({ items, next: more }) => {
      const last = items.at(-1);
      return more === null || (last !== undefined && last.id < issue.id);
    });
    const page = next[at];
    if (page === undefined) continue;
    const index = page.items.findIndex(({ id }) => id < issue.id);
    const items = page.items.toSpliced(index === -1 ? page.items.length : index, 0, issue);
    next = next.with(at, { ...page, items });
  }
  return next.some((page, index) => page !== pages[index]) ? next : pages;
};
