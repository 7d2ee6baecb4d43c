import type { Timestamp } from "../../Timestamp.ts";
import type { IssueFacts } from "../IssueStore.ts";
import type { QuestionRow } from "../Question.ts";
import { isDue } from "../QuestionTime.ts";
import { type Change, freeStatus, move, unchanged } from "./Change.ts";

/**
 * The effect of a question's expiry on its issue, as pure functions.
 *
 * With `onExpiry: "pause"` the issue is paused in any status: an issue that is `InProgress` becomes
 * `Open`, and any other keeps its status. An issue that is already paused keeps its reason.
 */

/** Applies the expiry of one question of the issue. */
export const expired = (
  facts: Pick<IssueFacts, "issue" | "openBlockers">,
  question: Pick<QuestionRow, "id" | "onExpiry">,
  now: Timestamp,
): Change => {
  const { issue } = facts;
  const data = { questionId: question.id };
  const entry = { kind: "questionExpired", data } as const;
  if (question.onExpiry === "continue" || issue.pausedBecause !== null) {
    return { ...unchanged(issue), entries: [entry] };
  }
  const to = issue.status === "InProgress" ? freeStatus(facts) : issue.status;
  const paused = { kind: "paused", data: { cause: "questionExpired", ...data } } as const;
  return {
    ...move(issue, to, "pause", now, { pausedBecause: "questionExpired" }, [entry, paused]),
    stop: "paused",
  };
};

/** The facts after this expiry is recorded. */
export const after = (
  { liveRun, openQuestions, ...facts }: IssueFacts,
  { id }: Pick<QuestionRow, "id">,
  { issue, stop }: Change,
): IssueFacts => ({
  ...facts,
  issue,
  liveRun:
    stop !== null && liveRun?.status === "active"
      ? { ...liveRun, status: "stopping", stopReason: stop }
      : liveRun,
  openQuestions: openQuestions.filter((question) => question.id !== id),
});

/** The facts after every expiry is recorded. */
export const recorded = (facts: IssueFacts, now: Timestamp): IssueFacts =>
  facts.openQuestions
    .filter((question) => isDue(question, now))
    .reduce((found, question) => after(found, question, expired(found, question, now)), facts);
