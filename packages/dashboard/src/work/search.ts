import {
  type Has,
  type IssueFilter,
  labelsOf,
  priorities,
  type Priority,
  type Sort,
  type Status,
  statuses,
} from "../data/issues/issues.ts";

/** The filters that take several values, and whose values `not.` excludes. */
export interface ValueSearch {
  readonly status?: ReadonlyArray<Status> | undefined;
  readonly priority?: ReadonlyArray<Priority> | undefined;
  /** The ids of agents and people. */
  readonly assignee?: ReadonlyArray<string> | undefined;
  readonly goal?: ReadonlyArray<string> | undefined;
  /** The issue has one label of each text. With `not.`, it has none of the labels. */
  readonly label?: ReadonlyArray<string> | undefined;
  readonly has?: ReadonlyArray<Has> | undefined;
}

export type ValueField = keyof ValueSearch;

type Excluded = { readonly [Field in ValueField as `not.${Field}`]?: ValueSearch[Field] };

/** The columns of the list, in their order. */
export const columns = ["facts", "key", "person", "agent", "created", "updated", "since"] as const;
export type Column = (typeof columns)[number];
export const defaultColumns: ReadonlyArray<Column> = ["facts", "key", "agent", "since"];

export const sorts = ["created", "updated", "priority"] as const;
export const groupings = ["status", "priority"] as const;
export type Grouping = (typeof groupings)[number];

export const times = ["updatedSince", "updatedBefore", "createdAfter"] as const;

/**
 * The search parameters of the screen's URL. All are optional, and unknown parameters are dropped. Times
 * are ISO 8601, or a number of hours or days before now, such as `7d`.
 */
export interface WorkSearch extends ValueSearch, Excluded {
  readonly view?: "list" | undefined;
  readonly project?: ReadonlyArray<string> | undefined;
  readonly paused?: boolean | undefined;
  readonly ready?: boolean | undefined;
  readonly silentAgent?: boolean | undefined;
  readonly updatedSince?: string | undefined;
  readonly updatedBefore?: string | undefined;
  readonly createdAfter?: string | undefined;
  readonly sort?: Sort | undefined;
  readonly group?: Grouping | undefined;
  readonly columns?: ReadonlyArray<Column> | undefined;
  readonly q?: string | undefined;
}

/** The most values of a filter. */
const most = 32;

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const some = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> | undefined =>
  values.length === 0 ? undefined : [...new Set(values)].slice(0, most);

const texts = (value: unknown): ReadonlyArray<string> =>
  [value].flat().filter((one): one is string => typeof one === "string" && one !== "");

/** Values that are repeated, or separated by commas. */
const parts = (value: unknown): ReadonlyArray<string> =>
  texts(value).flatMap((one) => one.split(","));

const ids = (value: unknown) =>
  some(parts(value).filter((id) => /^[A-Za-z0-9._:-]{1,128}$/.test(id)));

const among = <A extends string>(values: ReadonlyArray<A>, value: unknown) => {
  const found = parts(value);
  return some(values.filter((one) => found.includes(one)));
};

const oneOf = <A extends string>(values: ReadonlyArray<A>, value: unknown): A | undefined =>
  values.find((one) => one === value);

const flag = (value: unknown): boolean | undefined =>
  value === "true" || value === true
    ? true
    : value === "false" || value === false
      ? false
      : undefined;

const relative = /^(\d{1,4})([hd])$/;

const time = (value: unknown): string | undefined =>
  typeof value === "string" && (relative.test(value) || !Number.isNaN(Date.parse(value)))
    ? value
    : undefined;

const has = ["question", "files", "failure"] as const;

export const workSearch = (search: Record<string, unknown>): WorkSearch => ({
  view: search["view"] === "list" ? "list" : undefined,
  project: ids(search["project"]),
  status: among(statuses, search["status"]),
  priority: among(priorities, search["priority"]),
  assignee: ids(search["assignee"]),
  goal: ids(search["goal"]),
  label: some(texts(search["label"])),
  has: among(has, search["has"]),
  "not.status": among(statuses, search["not.status"]),
  "not.priority": among(priorities, search["not.priority"]),
  "not.assignee": ids(search["not.assignee"]),
  "not.goal": ids(search["not.goal"]),
  "not.label": some(texts(search["not.label"])),
  "not.has": among(has, search["not.has"]),
  paused: flag(search["paused"]),
  ready: flag(search["ready"]),
  silentAgent: flag(search["silentAgent"]),
  updatedSince: time(search["updatedSince"]),
  updatedBefore: time(search["updatedBefore"]),
  createdAfter: time(search["createdAfter"]),
  sort: oneOf(sorts, search["sort"]),
  group: oneOf(groupings, search["group"]),
  columns: among(columns, search["columns"]),
  q: text(search["q"]),
});

const hour = 3_600_000;

/** A time of the URL as a timestamp. Relative times change once an hour. */
const timeAt = (value: string | undefined, now: number): string | undefined => {
  const [, count, unit] = value?.match(relative) ?? [];
  if (count === undefined) return value;
  const start = Math.floor(now / hour) * hour - Number(count) * (unit === "d" ? 24 : 1) * hour;
  return new Date(start).toISOString();
};

const defined = <A extends object>(values: A): A =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as A;

/** Converts the parameters to the filter of a list, at a time in milliseconds. */
export const filterOf = (search: WorkSearch, now: number): IssueFilter => {
  const not = defined({
    status: search["not.status"],
    priority: search["not.priority"],
    assigneeId: search["not.assignee"],
    goalId: search["not.goal"],
    label: search["not.label"]?.flatMap(labelsOf),
    has: search["not.has"],
  });
  return defined({
    projectId: search.project,
    status: search.status,
    priority: search.priority,
    assigneeId: search.assignee,
    goalId: search.goal,
    label: search.label,
    has: search.has,
    not: Object.keys(not).length === 0 ? undefined : not,
    paused: search.paused,
    ready: search.ready,
    silentAgent: search.silentAgent,
    updatedSince: timeAt(search.updatedSince, now),
    updatedBefore: timeAt(search.updatedBefore, now),
    createdAfter: timeAt(search.createdAfter, now),
    sort: search.sort,
    q: search.q,
  });
};
