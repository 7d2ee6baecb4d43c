import type { Timestamp } from "../../Timestamp.ts";
import type { IssueRow } from "../Issue.ts";
import type { IssueFacts } from "../IssueStore.ts";
import { isAwaited } from "../QuestionTime.ts";
import type { Reason } from "../Readiness.ts";

/** A reason of readiness that forbids the claim. */
export type Obstacle = Pick<Reason, "code" | "detail" | "data">;

/** The facts that the rule of the pick-up needs about an issue. */
type Facts = Omit<IssueFacts, "issue" | "expiredRun"> & {
  readonly issue: Pick<
    IssueRow,
    "status" | "pausedBecause" | "attempts" | "notBefore" | "assignedAgentId" | "projectId"
  >;
};

/**
 * The reasons why an issue cannot be picked up; empty if it can. Readiness returns them.
 * `IssueStore.claimable` is the same rule as one atomic query in each storage, and the suite of
 * that port compares the two.
 */
export const obstacles = (facts: Facts, now: Timestamp): ReadonlyArray<Obstacle> => {
  const { callUntil, issue, openBlockers, liveRun, openQuestions } = facts;
  const { attempts, notBefore, pausedBecause } = issue;
  const reasons: Array<Obstacle> = [];
  const add = (code: Obstacle["code"], detail: string, data: Obstacle["data"] = null) =>
    reasons.push({ code, detail, data });
  if (issue.status !== "Open" && issue.status !== "InProgress") {
    add("notOpen", `The issue is ${issue.status}.`);
  }
  if (pausedBecause !== null) add("paused", "The issue is paused. A person has to resume it.");
  if (pausedBecause === "tooManyAttempts") {
    add("tooManyAttempts", `${attempts} runs died or failed.`, { attempts });
  }
  if (notBefore !== null && notBefore > now) {
    add("notBefore", `The issue is deferred until ${notBefore}.`, { notBefore });
  }
  if (openBlockers.length > 0) add("blocked", "A blocker of the issue is open.");
  if (facts.agentPaused) add("agentPaused", `The agent ${issue.assignedAgentId} is paused.`);
  if (facts.projectPaused) add("projectPaused", `The project ${issue.projectId} is paused.`);
  const awaited = openQuestions.filter((question) => isAwaited(question, now));
  if (awaited.length > 0) {
    const questionIds = awaited.map(({ id }) => id);
    add("awaitingAnswer", "A person has to answer a question first.", { questionIds });
  }
  if (issue.assignedAgentId === null) {
    add("unassigned", "No agent is assigned. Assign one.");
  }
  if (liveRun !== null) {
    add(
      "running",
      `The run ${liveRun.id} of the agent ${liveRun.agentId} holds the issue until ${liveRun.leaseExpiresAt}.`,
    );
  }
  if (callUntil !== null && callUntil > now) {
    add("callInFlight", "A tool call for a run of the issue is still in flight.", {
      until: callUntil,
    });
  }
  return reasons;
};
