import { isReleasing } from "../../agents/Releasing.ts";
import type { RunRow } from "../../agents/Run.ts";
import * as Timestamp from "../../Timestamp.ts";
import type { IssueFacts } from "../IssueStore.ts";
import { type Change, type Entry, freeStatus, move, touched, unchanged } from "./Change.ts";

const delays = { first: 60, most: 1_800 };

/**
 * Seconds between the attempt with this number and the next one: none after the first, then 60,
 * 120, ... 1,800.
 */
const delayAfter = (attempts: number): number =>
  attempts < 2 ? 0 : Math.min(delays.most, delays.first * 2 ** (attempts - 2));

/** When the next attempt may start after the one with this number, which ended at the time `at`. */
const nextStart = (attempts: number, at: Timestamp.Timestamp): Timestamp.Timestamp | null => {
  const delay = delayAfter(attempts);
  return delay === 0 ? null : Timestamp.addSeconds(at, delay);
};

/**
 * Returns the attempt that a run of a halted runner cost, and ends the pause if that attempt caused
 * it. The entry names the run.
 */
export const returned = (
  { issue, openBlockers }: Pick<IssueFacts, "issue" | "openBlockers">,
  runId: string,
  now: Timestamp.Timestamp,
): Change => {
  const attempts = Math.max(0, issue.attempts - 1);
  const isLifted = issue.pausedBecause === "tooManyAttempts";
  const changes = {
    attempts: { from: issue.attempts, to: attempts },
    ...(isLifted ? { paused: { from: true, to: false } } : {}),
  };
  return {
    ...move(
      issue,
      isLifted ? freeStatus({ openBlockers }) : issue.status,
      "update",
      now,
      { attempts, notBefore: null, pausedBecause: isLifted ? null : issue.pausedBecause },
      [{ kind: "updated", data: { changes, cause: "runnerHalted", runId } }],
    ),
    stop: null,
  };
};

/**
 * Counts a run that died or failed at the time `at`: the next one starts after a delay, and
 * `maxAttempts` (0 for no limit) pauses the issue.
 */
export const attempted = (
  facts: Pick<IssueFacts, "issue" | "openBlockers">,
  entry: Entry,
  at: Timestamp.Timestamp,
  maxAttempts: number,
  now: Timestamp.Timestamp,
): Change => {
  const { issue } = facts;
  const attempts = issue.attempts + 1;
  if (maxAttempts > 0 && attempts >= maxAttempts) {
    return {
      ...move(
        issue,
        freeStatus(facts),
        "pause",
        now,
        { attempts, notBefore: null, pausedBecause: "tooManyAttempts" },
        [entry, { kind: "paused", data: { cause: "tooManyAttempts", attempts } }],
      ),
      stop: null,
    };
  }
  const notBefore = nextStart(attempts, at);
  return { ...unchanged(touched({ ...issue, attempts, notBefore }, now)), entries: [entry] };
};

/**
 * Ends a run whose lease expired. If its session was deleted, the delay is that after an attempt, and none is counted.
 */
export const expired = (
  facts: Pick<IssueFacts, "issue" | "openBlockers">,
  entry: Entry,
  run: Pick<RunRow, "leaseExpiresAt" | "releaseAt">,
  maxAttempts: number,
  now: Timestamp.Timestamp,
): Change => {
  const { issue } = facts;
  const at = run.leaseExpiresAt;
  if (!isReleasing(run)) return attempted(facts, entry, at, maxAttempts, now);
  const notBefore = nextStart(issue.attempts + 1, at);
  return { ...unchanged(touched({ ...issue, notBefore }, now)), entries: [entry] };
};
