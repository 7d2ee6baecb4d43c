import {
  priorities,
  type IssueFilter,
  type Priority,
  type Status,
  statuses,
} from "../data/issues/issues.ts";

/**
 * The search parameters of the screen's URL. All are optional, and unknown parameters are dropped.
 */
export interface WorkSearch {
  readonly view?: "list" | undefined;
  readonly project?: ReadonlyArray<string> | undefined;
  readonly status?: Status | undefined;
  readonly priority?: Priority | undefined;
  /** The id of an agent or a person. */
  readonly assignee?: string | undefined;
  /** The issue has every one of these labels. */
  readonly label?: ReadonlyArray<string> | undefined;
  readonly paused?: boolean | undefined;
  readonly ready?: boolean | undefined;
  readonly q?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const texts = (value: unknown): ReadonlyArray<string> | undefined => {
  const found = [value].flat().filter((one) => typeof one === "string" && one !== "");
  return found.length === 0 ? undefined : (found as ReadonlyArray<string>);
};

const oneOf = <A extends string>(values: ReadonlyArray<A>, value: unknown): A | undefined =>
  values.find((one) => one === value);

const flag = (value: unknown): boolean | undefined =>
  value === "true" || value === true
    ? true
    : value === "false" || value === false
      ? false
      : undefined;

export const workSearch = (search: Record<string, unknown>): WorkSearch => ({
  view: search["view"] === "list" ? "list" : undefined,
  project: texts(search["project"]),
  status: oneOf(statuses, search["status"]),
  priority: oneOf(priorities, search["priority"]),
  assignee: text(search["assignee"]),
  label: texts(search["label"])?.slice(0, 32),
  paused: flag(search["paused"]),
  ready: flag(search["ready"]),
  q: text(search["q"]),
});

/** Converts the parameters to the filter of the API. */
export const filterOf = ({ assignee, project, view: _, ...filters }: WorkSearch): IssueFilter =>
  Object.fromEntries(
    Object.entries({ ...filters, assigneeId: assignee, projectId: project }).filter(
      ([, value]) => value !== undefined,
    ),
  );
