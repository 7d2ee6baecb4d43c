import type { RunOutcome, RunRow } from "../../agents/Run.ts";
import * as Timestamp from "../../Timestamp.ts";
import type { IssueFacts } from "../IssueStore.ts";
import { attempted } from "./Attempts.ts";
import { type Change, type Entry, freeStatus, move } from "./Change.ts";

/** The hand-in of a run. `retry` is for `failed`, `keepAttempts` and `retryAfterSeconds` for `released`. */
export interface HandIn {
  readonly outcome: RunOutcome;
  readonly retry: boolean;
  readonly keepAttempts: boolean;
  readonly retryAfterSeconds: number | null;
}

/** Hands the issue in. `failed` pauses it, unless it has to be tried again. */
export const finish = (
  facts: IssueFacts,
  run: Pick<RunRow, "id">,
  { keepAttempts, outcome, retry, retryAfterSeconds }: HandIn,
  maxAttempts: number,
  now: Timestamp.Timestamp,
): Change => {
  const { issue } = facts;
  const entry: Entry = { kind: "finished", data: { runId: run.id, outcome } };
  if (outcome === "failed") {
    if (retry) return attempted(facts, entry, now, maxAttempts, now);
    const paused: Entry = { kind: "paused", data: { cause: "failed" } };
    const failed = {
      attempts: issue.attempts + 1,
      notBefore: null,
      pausedBecause: "failed",
    } as const;
    return {
      ...move(issue, freeStatus(facts), "finished", now, failed, [entry, paused]),
      stop: null,
    };
  }
  const to = {
    resolved: "Resolved",
    review: "PendingReview",
    released: freeStatus(facts),
  } as const;
  const notBefore =
    retryAfterSeconds === null ? null : Timestamp.addSeconds(now, retryAfterSeconds);
  const fields = { attempts: keepAttempts ? issue.attempts : 0, notBefore };
  return { ...move(issue, to[outcome], "finished", now, fields, [entry]), stop: null };
};
