import type { BriefIssue } from "@quartermaster/client";

/** A property that issues are filtered by: an open question, a file, or a pause after failures. */
export type Has = "question" | "files" | "failure";
export type Sort = "created" | "updated" | "priority";

/** Values of which an issue has one. */
export interface Values {
  readonly status?: ReadonlyArray<BriefIssue["status"]> | undefined;
  readonly priority?: ReadonlyArray<BriefIssue["priority"]> | undefined;
  /** Agents and people. */
  readonly assigneeId?: ReadonlyArray<string> | undefined;
  readonly goalId?: ReadonlyArray<string> | undefined;
  readonly has?: ReadonlyArray<Has> | undefined;
}

/** The filter of a list of issues, and its order. An issue has to match every field that is set. */
export interface IssueFilter extends Values {
  readonly projectId?: ReadonlyArray<string> | undefined;
  /** Texts as the API takes them: the issue has one of the labels of each. */
  readonly label?: ReadonlyArray<string> | undefined;
  /** Values that the issue has none of. */
  readonly not?: (Values & { readonly label?: ReadonlyArray<string> | undefined }) | undefined;
  readonly paused?: boolean | undefined;
  /** Whether the agent's next heartbeat picks the issue up. */
  readonly ready?: boolean | undefined;
  readonly silentAgent?: boolean | undefined;
  readonly updatedSince?: string | undefined;
  readonly updatedBefore?: string | undefined;
  readonly createdAfter?: string | undefined;
  readonly q?: string | undefined;
  /** Default: `created`, newest first. */
  readonly sort?: Sort | undefined;
}

const listOf = (values: ReadonlyArray<string> | undefined) => values?.join(",");

/** A label as part of a text with commas. */
export const escaped = (label: string): string => label.replaceAll(",", "\\,");

/** The labels of a text with commas. */
export const labelsOf = (text: string): ReadonlyArray<string> =>
  text.split(/(?<!\\),/).map((label) => label.replaceAll("\\,", ","));

/** The query of a filter. */
export const queryOf = ({
  assigneeId,
  goalId,
  has,
  not = {},
  priority,
  status,
  ...rest
}: IssueFilter) => ({
  ...rest,
  status: listOf(status),
  priority: listOf(priority),
  assigneeId: listOf(assigneeId),
  goalId: listOf(goalId),
  has: listOf(has),
  "not.status": listOf(not.status),
  "not.priority": listOf(not.priority),
  "not.assigneeId": listOf(not.assigneeId),
  "not.goalId": listOf(not.goalId),
  "not.label": listOf(not.label?.map(escaped)),
  "not.has": listOf(not.has),
});

/** Whether rows cannot tell for some issues if they belong to the list, so that events refresh it. */
export const isOfServer = ({ has, not, ready, silentAgent }: IssueFilter): boolean =>
  ready !== undefined ||
  silentAgent !== undefined ||
  has?.includes("files") === true ||
  not?.has?.includes("files") === true;

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

const isOne = <A>(values: ReadonlyArray<A>, ...own: ReadonlyArray<A | null>): boolean =>
  own.some((value) => value !== null && values.includes(value));

/** The filters on values that a row has, as pairs of values and the row's own. */
const excludes = (filter: IssueFilter, issue: BriefIssue): boolean => {
  const { not = {} } = filter;
  const { assignedAgentId, assigneeUserId, goalId, labels, priority, status } = issue;
  const fails = <A>(
    only: ReadonlyArray<A> | undefined,
    none: ReadonlyArray<A> | undefined,
    ...own: ReadonlyArray<A | null>
  ) => (only !== undefined && !isOne(only, ...own)) || isOne(none ?? [], ...own);
  return (
    fails(filter.status, not.status, status) ||
    fails(filter.priority, not.priority, priority) ||
    fails(filter.assigneeId, not.assigneeId, assignedAgentId, assigneeUserId) ||
    fails(filter.goalId, not.goalId, goalId) ||
    fails(undefined, not.label, ...labels) ||
    filter.label?.every((text) => isOne(labelsOf(text), ...labels)) === false ||
    (filter.projectId !== undefined && !filter.projectId.includes(issue.projectId)) ||
    (filter.paused !== undefined && issue.paused !== filter.paused) ||
    (filter.updatedSince !== undefined && issue.updatedAt < filter.updatedSince) ||
    (filter.updatedBefore !== undefined && issue.updatedAt >= filter.updatedBefore) ||
    (filter.createdAfter !== undefined && issue.createdAt <= filter.createdAfter)
  );
};

/** Whether the issue has one of these; null if only the server can decide. */
const hasOne = (wanted: ReadonlyArray<Has>, issue: BriefIssue): boolean | null => {
  const { openQuestions, pausedBecause } = issue;
  const isFailure = pausedBecause === "failed" || pausedBecause === "tooManyAttempts";
  if (wanted.includes("question") && openQuestions > 0) return true;
  if (wanted.includes("failure") && isFailure) return true;
  return wanted.includes("files") ? null : false;
};

/**
 * Whether the issue belongs to the list; null where only the server can decide. `found` contains
 * the ids that match `q`.
 */
export const belongs = (
  filter: IssueFilter,
  issue: BriefIssue,
  found: ReadonlySet<string> = new Set(),
): boolean | null => {
  if (excludes(filter, issue)) return false;
  const { has, not, q, ready, silentAgent } = filter;
  const judged = [
    has === undefined ? true : hasOne(has, issue),
    not?.has === undefined ? false : hasOne(not.has, issue),
  ];
  if (judged[0] === false || judged[1] === true) return false;
  if (ready === true && isHeld(issue)) return false;
  if (silentAgent === true && issue.assignedAgentId === null) return false;
  // The row cannot prove readiness: a paused agent, for example, also prevents it.
  if (ready === true || (ready === false && !isHeld(issue))) return null;
  if (silentAgent !== undefined && issue.assignedAgentId !== null) return null;
  if (judged.includes(null)) return null;
  return q === undefined || found.has(issue.id) ? true : null;
};

const ranks = { urgent: 0, high: 1, normal: 2, low: 3 } as const;

/** Whether one issue comes before another in a list. */
const precedes = (sort: Sort | undefined, one: BriefIssue, other: BriefIssue): boolean => {
  if (sort === "priority" && one.priority !== other.priority) {
    return ranks[one.priority] < ranks[other.priority];
  }
  if (sort === "priority") return one.id < other.id;
  if (sort === "updated" && one.updatedAt !== other.updatedAt) {
    return one.updatedAt > other.updatedAt;
  }
  return one.id > other.id;
};

/** Whether a change moves the issue in the list. */
const moves = (sort: Sort | undefined, known: BriefIssue, issue: BriefIssue): boolean =>
  (sort === "priority" && known.priority !== issue.priority) ||
  (sort === "updated" && known.updatedAt !== issue.updatedAt);

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

/** The row with what the search of a list found in it: a changed row comes without, or from another search. */
const foundAs = (
  { matchedIn, snippet }: Pick<BriefIssue, "matchedIn" | "snippet">,
  issue: BriefIssue,
): BriefIssue => (snippet === issue.snippet ? issue : { ...issue, matchedIn, snippet });

/**
 * Updates the pages of a list in their order. An issue that no longer matches leaves the list. An
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
      const stays = belongs(filter, issue, found);
      if (stays === false) return [];
      if (stays === true && moves(filter.sort, known, issue)) return [];
      present.add(known.id);
      return [foundAs(known, issue)];
    });
    return { ...page, items };
  });
  for (const issue of changed.values()) {
    if (present.has(issue.id) || belongs(filter, issue, found) !== true) continue;
    const at = next.findIndex(({ items, next: more }) => {
      const last = items.at(-1);
      return more === null || (last !== undefined && precedes(filter.sort, issue, last));
    });
    const page = next[at];
    if (page === undefined) continue;
    const index = page.items.findIndex((item) => precedes(filter.sort, issue, item));
    const items = page.items.toSpliced(
      index === -1 ? page.items.length : index,
      0,
      foundAs({}, issue),
    );
    next = next.with(at, { ...page, items });
  }
  return next.some((page, index) => page !== pages[index]) ? next : pages;
};
