import type { BriefIssue } from "@quartermaster/client";

/** The filter of a list of issues. An issue has to match every field that is set. */
export interface IssueFilter {
  readonly status?: BriefIssue["status"] | undefined;
  readonly projectId?: ReadonlyArray<string> | undefined;
  readonly assigneeId?: string | undefined;
  readonly priority?: BriefIssue["priority"] | undefined;
  /** The issue has every one of these labels. */
  readonly label?: ReadonlyArray<string> | undefined;
  readonly paused?: boolean | undefined;
  /** Whether the agent's next heartbeat picks the issue up. */
  readonly ready?: boolean | undefined;
  readonly q?: string | undefined;
}

/** A page of a list in the shape of TanStack Query. */
export interface IssuePage {
  readonly items: ReadonlyArray<BriefIssue>;
  readonly next: string | null;
}

/** Whether the fields of the row rule out a pickup: the agent, blockers, a pause or the status prevent it. */
const isHeld = ({ assignedAgentId, blockedByCount, paused, status }: BriefIssue): boolean =>
  paused ||
  blockedByCount > 0 ||
  assignedAgentId === null ||
  (status !== "Open" && status !== "InProgress");

/**
 * Whether the issue belongs to the list; null where only the server can decide. `found` contains
 * the ids that match `q`.
 */
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
  // The row cannot prove readiness: a paused agent, for example, also prevents it.
  if (ready === true || (ready === false && !isHeld(issue))) return null;
  return q === undefined || found.has(issue.id) ? true : null;
};

/** Whether `next` is at least as new as `known`. */
const isNewer = (known: BriefIssue, next: BriefIssue) => next.version >= known.version;

/** Removes issues from pages. Pages without them keep their identity, so React skips them. */
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
 * Updates the pages of a list, newest first. An issue that no longer matches leaves the list. An
 * issue that now matches moves to its position, unless that lies beyond the loaded pages. `found`
 * contains the ids that match the search of the filter.
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
