import type { StopReason } from "../../agents/Run.ts";
import type { Timestamp } from "../../Timestamp.ts";
import type { ActivityKind, StatusCause } from "../Activity.ts";
import { isOpen, type IssueRow, type IssueState, type IssueStatus } from "../Issue.ts";

/**
 * Changes of an issue as values: `IssueLifecycle` decides them, and `Transitions` carries them out.
 */

/** An entry for the timeline of the issue. */
export interface Entry {
  readonly kind: ActivityKind;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A notice to dependents: they no longer wait for the issue, or they wait for it again. */
export type Notice = "blockerResolved" | "blockerClosed" | "blockerDeleted" | "blockerReopened";

/** The decision of a rule. */
export interface Change<Row extends IssueState = IssueRow> {
  /** The issue after the change. */
  readonly issue: Row;
  /** Empty if nothing changed. */
  readonly entries: ReadonlyArray<Entry>;
  /** The reason why the run that holds the issue has to stop; null if it may continue. */
  readonly stop: StopReason | null;
  /** The notice to dependents; null if there is none. */
  readonly notice: Notice | null;
}

export const unchanged = <Row extends IssueState>(issue: Row): Change<Row> => ({
  issue,
  entries: [],
  stop: null,
  notice: null,
});

/** Combines two changes in order, with the first reason to stop and the last notice. */
export const andThen = (first: Change, second: Change): Change => ({
  issue: second.issue,
  entries: [...first.entries, ...second.entries],
  stop: first.stop ?? second.stop,
  notice: second.notice ?? first.notice,
});

/** The status of an issue that no run holds any longer. */
export const freeStatus = (facts: { readonly openBlockers: ReadonlyArray<unknown> }): IssueStatus =>
  facts.openBlockers.length > 0 ? "WaitingOnDependency" : "Open";

const noticeOf = (from: IssueStatus, to: IssueStatus): Notice | null => {
  if (isOpen(from) === isOpen(to)) return null;
  if (isOpen(to)) return "blockerReopened";
  return to === "Resolved" ? "blockerResolved" : "blockerClosed";
};

const stopOf = (from: IssueStatus, to: IssueStatus): StopReason | null => {
  if (from === to || to === "InProgress") return null;
  if (to === "Resolved") return "resolved";
  if (to === "Closed") return "closed";
  return to === "WaitingOnDependency" ? "blocked" : "statusChanged";
};

/** The issue with a new status and its timestamps. */
const withStatus = <Row extends IssueState>(issue: Row, to: IssueStatus, now: Timestamp): Row =>
  issue.status === to
    ? issue
    : {
        ...issue,
        status: to,
        resumed: false,
        startedAt: issue.startedAt ?? (to === "InProgress" ? now : null),
        resolvedAt: to === "Resolved" ? now : isOpen(to) ? null : issue.resolvedAt,
        closedAt: to === "Closed" ? now : null,
      };

export const touched = <Row extends IssueState>(issue: Row, now: Timestamp): Row => ({
  ...issue,
  version: issue.version + 1,
  updatedAt: now,
});

const statusEntry = (from: IssueStatus, to: IssueStatus, cause: StatusCause): Array<Entry> =>
  from === to ? [] : [{ kind: "statusChanged", data: { from, to, cause } }];

/** A change to another status, with additional `fields` and `entries`. */
export const move = <Row extends IssueState>(
  issue: Row,
  to: IssueStatus,
  cause: StatusCause,
  now: Timestamp,
  fields: Partial<Pick<IssueState, "pausedBecause" | "attempts" | "notBefore">> = {},
  entries: ReadonlyArray<Entry> = [],
): Change<Row> => ({
  issue: touched({ ...withStatus(issue, to, now), ...fields }, now),
  entries: [...entries, ...statusEntry(issue.status, to, cause)],
  stop: stopOf(issue.status, to),
  notice: noticeOf(issue.status, to),
});
