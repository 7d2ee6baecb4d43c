import { Effect } from "effect";
import { InvalidRequest } from "../../CommonErrors.ts";
import { AdminEventKind, EventKind, type EventRow } from "../../events/Event.ts";
import type { WebhookRow } from "../../webhooks/Webhook.ts";

/** The events that a webhook gets. */

const adminKinds: ReadonlyArray<string> = AdminEventKind.literals;
const kinds: ReadonlyArray<string> = EventKind.literals;
const notStored = "run.logged";

const isOf = (pattern: string, kind: string): boolean =>
  pattern.endsWith(".*") ? kind.startsWith(pattern.slice(0, -1)) : pattern === kind;

/** Fails for kinds that do not exist, or that a webhook does not get. */
export const check = (
  patterns: ReadonlyArray<string>,
  projectId: string | null,
): Effect.Effect<void, InvalidRequest> => {
  for (const [at, pattern] of patterns.entries()) {
    if (pattern === "attention") continue;
    const matched = kinds.filter((kind) => isOf(pattern, kind));
    const field = `kinds.${at}`;
    if (matched.length === 0) {
      return InvalidRequest.at(
        field,
        "is not a kind of event; use kinds such as issue.created, families such as issue.*, or attention",
      );
    }
    if (pattern === notStored) {
      return InvalidRequest.at(field, "is not sent; read the log of the run instead");
    }
    if (projectId !== null && matched.every((kind) => adminKinds.includes(kind))) {
      return InvalidRequest.at(field, "belongs to no project; leave projectId out to get it");
    }
  }
  return Effect.void;
};

const pauses: ReadonlySet<unknown> = new Set(["failed", "tooManyAttempts", "questionExpired"]);

/** Whether an event reports that a person has to act. A webhook is not told of its own failure. */
const isAttention = ({ actor, data, kind, subjectId }: EventRow, webhookId: string): boolean => {
  switch (kind) {
    case "issue.asked":
    case "mcp.failed":
      return true;
    case "issue.statusChanged":
      return data["to"] === "PendingReview";
    case "issue.paused":
      return pauses.has(data["cause"]);
    case "issue.effectEnded":
      return data["state"] === "unknown";
    case "mcp.toolsChanged":
      return actor.type === "System";
    case "webhook.failing":
      return subjectId !== webhookId;
    default:
      return false;
  }
};

/** Whether a Viewer that is bound to the webhook's project sees the event; true without a project. */
export const isVisible = (
  { projectId }: Pick<WebhookRow, "projectId">,
  event: Pick<EventRow, "kind" | "projectId" | "relatedProjectId">,
): boolean =>
  projectId === null ||
  (event.projectId === projectId &&
    (event.relatedProjectId === null || event.relatedProjectId === projectId) &&
    !adminKinds.includes(event.kind));

/** Whether the webhook gets the event. */
export const wants = (
  webhook: Pick<WebhookRow, "id" | "kinds" | "projectId">,
  event: EventRow,
): boolean =>
  isVisible(webhook, event) &&
  !(event.kind === "webhook.created" && event.subjectId === webhook.id) &&
  webhook.kinds.some((pattern) =>
    pattern === "attention" ? isAttention(event, webhook.id) : isOf(pattern, event.kind),
  );

/** The kinds of which the webhook may want an event. */
export const kindsOf = (patterns: ReadonlyArray<string>): ReadonlyArray<EventKind> =>
  EventKind.literals.filter((kind) =>
    patterns.some((pattern) => pattern === "attention" || isOf(pattern, kind)),
  );
