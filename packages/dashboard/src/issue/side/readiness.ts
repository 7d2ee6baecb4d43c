import { timeOf } from "../../data/issues/activityWords.ts";
import type { Issue, Readiness } from "../../data/issues/issue.ts";
import { lostText } from "../../data/runWords.ts";

type Reason = Readiness["reasons"][number];

const fieldOf = (data: Reason["data"], name: string): unknown =>
  (data as Readonly<Record<string, unknown>> | null)?.[name];

const iso = (value: unknown): string => (typeof value === "string" ? timeOf(value) : "later");

const notOpen: Readonly<Record<Issue["status"], string>> = {
  Open: "it is not open",
  InProgress: "it is not open",
  WaitingOnDependency: "it depends on another issue",
  PendingReview: "it waits for a review",
  Resolved: "it is resolved",
  Closed: "it is closed",
};

const clauseOf = ({ code, data, detail }: Reason, issue: Issue, project: string): string | null => {
  switch (code) {
    case "notOpen":
      return notOpen[issue.status];
    case "paused":
      return "it is paused until a person resumes it";
    case "tooManyAttempts":
      return `it is paused after ${issue.attempts} attempts`;
    case "notBefore":
      return `it is deferred until ${iso(fieldOf(data, "notBefore"))}`;
    case "blocked":
      return "other issues have to be done first";
    case "agentPaused":
      return `its agent ${issue.assignedAgentId ?? ""} is paused`;
    case "projectPaused":
      return `its project ${project} is paused`;
    case "awaitingAnswer":
      return "a question waits for an answer";
    case "callInFlight":
      return "a tool call of its last run is still in flight";
    case "unassigned":
      return "no agent is assigned";
    case "agentSilent":
    case "leaseExpired":
    case "running":
      return null;
    default:
      return detail;
  }
};

/** The readiness of the issue as one sentence, with the reason if no agent picks it up. */
export const readinessOf = (
  { ready, reasons }: Readiness,
  issue: Issue,
  /** The name of its project. */
  project: string,
  now: number,
): { readonly text: string; readonly tone: "ready" | "running" | "silent" | "waits" } => {
  const has = (code: Reason["code"]) => reasons.some((reason) => reason.code === code);
  const agent = issue.assignedAgentId ?? "its agent";
  const lostRun = fieldOf(reasons.find(({ code }) => code === "leaseExpired")?.data ?? null, "run");
  const lostAt =
    (lostRun as { readonly leaseExpiresAt: string } | undefined)?.leaseExpiresAt ?? null;
  if (has("running") && has("paused")) {
    return { tone: "waits", text: `Paused: ${agent} stops at its next turn.` };
  }
  if (has("running")) return { tone: "running", text: `${agent} works on it now.` };
  if (ready && lostAt !== null) {
    const text = `${lostText(lostAt, now)}.`;
    return {
      tone: "silent",
      text: has("agentSilent") ? `${text} ${agent} has not sent one for a while.` : text,
    };
  }
  if (ready && has("agentSilent")) {
    return { tone: "silent", text: `Ready, but ${agent} has not sent a heartbeat for a while.` };
  }
  if (ready) return { tone: "ready", text: `Ready: ${agent} picks it up with its next heartbeat.` };
  if (issue.status === "Resolved" || issue.status === "Closed") {
    return { tone: "waits", text: issue.status === "Closed" ? "Done: closed." : "Done: resolved." };
  }
  const clauses = reasons.flatMap((reason) => clauseOf(reason, issue, project) ?? []);
  const needless = has("blocked")
    ? clauses.filter((text) => text !== notOpen[issue.status])
    : clauses;
  return {
    tone: "waits",
    text: `Not picked up: ${new Intl.ListFormat("en", { type: "conjunction" }).format(needless)}.`,
  };
};
