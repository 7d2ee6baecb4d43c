import { silenceOf } from "../../issues/Readiness.ts";
import * as IssueLifecycle from "../../issues/rules/IssueLifecycle.ts";
import type { InstalledServerRow } from "../../mcp/InstalledServer.ts";
import * as Text from "../../Text.ts";
import type { Timestamp } from "../../Timestamp.ts";
import type { WebhookRow } from "../../webhooks/Webhook.ts";
import { type InboxItem, priorityOf } from "../InboxItem.ts";
import type {
  InboxAgent,
  InboxEffect,
  InboxHalted,
  InboxIssue,
  InboxKey,
  InboxMention,
  InboxQuestion,
  InboxRoot,
} from "../InboxStore.ts";

/** Rows of the inbox as items with their keys. */

export interface Entry {
  readonly key: InboxKey;
  readonly item: InboxItem;
}

/** The number of characters of a question or a mention that its item contains. */
const promptUnits = 500;

const nothing = {
  projectId: null,
  issueId: null,
  issueKey: null,
  questionId: null,
  callId: null,
  serverId: null,
  agentId: null,
  blocks: null,
};

const entry = (
  id: string,
  item: Partial<InboxItem> & Pick<InboxItem, "kind" | "since" | "priority" | "title" | "detail">,
): Entry => ({
  key: { priority: item.priority, since: item.since, id },
  item: { ...nothing, ...item },
});

const issueFields = ({
  assignedAgentId,
  id,
  key,
  priority,
  projectId,
  title,
}: InboxQuestion["issue"]) => ({
  priority,
  projectId,
  issueId: id,
  issueKey: key,
  agentId: assignedAgentId,
  title,
});

const clipped = (text: string): string =>
  text.length <= promptUnits ? text : `${Text.start(text, promptUnits - 1)}…`;

export const ofQuestion = ({ issue, question }: InboxQuestion): Entry =>
  entry(question.id, {
    kind: "question",
    since: question.createdAt,
    ...issueFields(issue),
    questionId: question.id,
    detail: clipped(question.prompt),
  });

export const ofEffect = ({ effect, issue }: InboxEffect): Entry =>
  entry(effect.callId, {
    kind: "effectUnknown",
    since: effect.sentAt,
    ...issueFields(issue),
    callId: effect.callId,
    serverId: effect.serverId,
    detail: `The reply of ${effect.server}/${effect.tool} was lost. Look whether the call happened, then settle it.`,
  });

export const ofMention = ({ issue, mention, text }: InboxMention): Entry =>
  entry(`@${issue.id}`, {
    kind: "mentioned",
    since: mention.since,
    ...issueFields(issue),
    ...(mention.textId === issue.id ? {} : { commentId: mention.textId }),
    detail: clipped(text),
  });

const ofIssue = (
  kind: "review" | "failed" | "tooManyAttempts" | "blockedChain",
  issue: InboxIssue,
  detail: string,
): Entry => entry(issue.id, { kind, since: issue.updatedAt, ...issueFields(issue), detail });

export const ofReview = (issue: InboxIssue): Entry =>
  ofIssue("review", issue, "The agent handed the issue in. Review it.");

export const ofPaused = (because: "failed" | "tooManyAttempts", issue: InboxIssue): Entry =>
  ofIssue(
    because,
    issue,
    because === "failed"
      ? "The agent finished its run as failed. Resume the issue when the work can succeed."
      : `${issue.attempts} runs died or failed. Fix the cause, then resume the issue.`,
  );

export const ofRoot = (root: InboxRoot, now: Timestamp): Entry => {
  const { agentPaused, blocks, issue, projectPaused } = root;
  const facts = { issue, agentPaused, projectPaused, liveRun: null, openBlockers: [] };
  const reasons = IssueLifecycle.obstacles({ ...facts, openQuestions: [], callUntil: null }, now);
  const blocked = blocks === 1 ? "1 issue" : `${blocks === 100 ? "100 or more" : blocks} issues`;
  return ofIssue(
    "blockedChain",
    issue,
    [`The issue blocks ${blocked}.`, ...reasons.map(({ detail }) => detail)].join(" "),
  );
};

export const ofAgent = (agent: InboxAgent, now: Timestamp): Entry =>
  entry(agent.id, {
    kind: "agentSilent",
    since: agent.lastHeartbeatAt ?? agent.createdAt,
    priority: priorityOf.agentSilent,
    agentId: agent.id,
    title: agent.name,
    detail: silenceOf(agent.id, agent.lastHeartbeatAt, now)?.detail ?? "",
  });

export const ofHalted = ({ halted, id, name }: InboxHalted): Entry =>
  entry(id, {
    kind: "runnerHalted",
    since: halted.since,
    priority: priorityOf.runnerHalted,
    agentId: id,
    title: name,
    detail: halted.reason,
  });

export const ofServer = (
  kind: "serverError" | "toolsChanged",
  { id, name, outage, updatedAt }: InstalledServerRow,
): Entry =>
  entry(id, {
    kind,
    since: (kind === "serverError" ? outage?.since : null) ?? updatedAt,
    priority: priorityOf[kind],
    serverId: id,
    title: name,
    detail:
      kind === "serverError"
        ? (outage?.reason ?? "The server failed.")
        : "Changed or new tools are withheld. Verify the server to accept them.",
  });

const failures: Readonly<Record<string, string>> = {
  noSuccess: "An event failed ten times, and none succeeded for 72 hours.",
  tooManyWaiting: "More than 100,000 deliveries waited for it.",
};

export const ofWebhook = ({ id, name, statusReason, updatedAt }: WebhookRow): Entry =>
  entry(id, {
    kind: "webhookFailing",
    since: updatedAt,
    priority: priorityOf.webhookFailing,
    webhookId: id,
    title: name,
    detail: `${failures[statusReason ?? ""] ?? "It is failing."} Nothing is sent to it. Enable it when its receiver works again.`,
  });
