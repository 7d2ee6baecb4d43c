import { Clock, Effect, Option, type Redacted } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import type { Event, EventRow } from "../../events/Event.ts";
import { EventStore } from "../../events/EventStore.ts";
import { IssueStore } from "../../issues/IssueStore.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import * as Timestamp from "../../Timestamp.ts";
import { ownerOf, type WebhookRow, type WebhookSecretRow } from "../../webhooks/Webhook.ts";
import type { DeliveryRow } from "../../webhooks/WebhookDelivery.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import { WebhookOptions } from "../WebhookOptions.ts";
import { type WebhookResponse, WebhookSender } from "../WebhookSender.ts";
import * as Payload from "./Payload.ts";
import * as Secrets from "./Secrets.ts";
import * as Subscriptions from "./Subscriptions.ts";

/** The outcome of an attempt: the response, or the reason why nothing was sent. */
export type Outcome = Sent | { readonly _tag: "Skipped"; readonly reason: string };

export interface Sent {
  readonly _tag: "Sent";
  readonly response: WebhookResponse;
  readonly durationMs: number;
}

const skipped = (reason: string): Outcome => ({ _tag: "Skipped", reason });

const notSent = (error: string): WebhookResponse => ({
  status: null,
  error,
  text: null,
  retryAfter: null,
  timedOut: false,
});

export const gone = "The event is no longer stored, or the webhook may no longer see it.";
export const issueDeleted = "The issue was deleted.";

const issueIdOf = ({ data, kind, subjectId }: Pick<Event, "data" | "kind" | "subjectId">) => {
  if (kind.startsWith("issue.")) return subjectId;
  const issueId = kind.startsWith("run.") ? data["issueId"] : null;
  return typeof issueId === "string" ? issueId : null;
};

/** Makes the requests of attempts. */
export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const events = yield* EventStore;
  const issues = yield* IssueStore;
  const box = yield* SecretBox;
  const sender = yield* WebhookSender;
  const options = yield* WebhookOptions;
  const { sign } = yield* Secrets.make;

  /** The values of a webhook that no other key than the stored one opens; null if one is missing. */
  const opened = Effect.fnUntraced(function* (webhook: WebhookRow, now: Timestamp.Timestamp) {
    const values = new Map<WebhookSecretRow["name"], Redacted.Redacted<string>>();
    for (const row of yield* store.secrets(webhook.id)) {
      const value = yield* Effect.option(box.open(ownerOf(row), row));
      if (Option.isSome(value)) values.set(row.name, value.value);
    }
    const [url, secret, previous] = [
      values.get("url"),
      values.get("secret"),
      values.get("previous"),
    ];
    if (url === undefined || secret === undefined) return null;
    const both = webhook.previousUntil !== null && webhook.previousUntil > now;
    return { url, secrets: both && previous !== undefined ? [secret, previous] : [secret] };
  });

  /** Sends an event. */
  const send = Effect.fnUntraced(function* (
    webhook: WebhookRow,
    event: Payload.SentEvent,
    issue: Payload.SentIssue | null,
  ): Effect.fn.Return<Sent, StorageError> {
    const started = yield* Clock.currentTimeMillis;
    const values = yield* opened(webhook, Timestamp.ofMillis(started));
    if (values === null) {
      const error =
        "The URL or the secret cannot be decrypted. Set the URL and rotate the secret of the webhook.";
      return { _tag: "Sent", response: notSent(error), durationMs: 0 };
    }
    const body = Payload.of(webhook.format, event, issue, options.publicUrl);
    const seconds = Math.floor(started / 1_000);
    const response = yield* sender.send({
      url: values.url,
      headers: {
        "content-type": "application/json",
        "user-agent": `Quartermaster/${options.version}`,
        "webhook-id": event.id,
        "webhook-timestamp": String(seconds),
        "webhook-signature": yield* sign(values.secrets, event.id, seconds, body),
      },
      body,
    });
    return { _tag: "Sent", response, durationMs: (yield* Clock.currentTimeMillis) - started };
  });

  /** The event of `webhook.test`, which is in no log. */
  const testEvent = (
    webhook: WebhookRow,
    id: string,
    actor: Event["actor"],
    createdAt: Timestamp.Timestamp,
  ): Payload.SentEvent => ({
    id,
    kind: "webhook.test",
    projectId: webhook.projectId,
    subjectId: webhook.id,
    issueKey: null,
    actor,
    data: { name: webhook.name },
    createdAt,
  });

  const sendOf = Effect.fnUntraced(function* (
    webhook: WebhookRow,
    row: EventRow,
  ): Effect.fn.Return<Outcome, StorageError> {
    const { relatedProjectId: _, seq: __, ...event } = row;
    const issueId = issueIdOf(row);
    if (issueId === null) return yield* send(webhook, event, null);
    const issue = Option.getOrNull(yield* issues.get(issueId));
    if (issue === null && row.kind !== "issue.deleted") return skipped(issueDeleted);
    // A Viewer of the project does not see an issue that was moved out of it.
    const seen = issue !== null && (webhook.projectId ?? issue.projectId) === issue.projectId;
    return yield* send(webhook, event, seen ? issue : null);
  });

  /** Makes the attempt of a delivery: reads the event and its issue now, and sends them. */
  const attempt = Effect.fnUntraced(function* (
    webhook: WebhookRow,
    delivery: DeliveryRow,
  ): Effect.fn.Return<Outcome, StorageError> {
    const { createdAt, eventId, eventSeq } = delivery;
    if (eventSeq === 0) {
      return yield* send(webhook, testEvent(webhook, eventId, webhook.createdBy, createdAt), null);
    }
    const [row] = yield* events.list(
      { projects: webhook.projectId === null ? null : [webhook.projectId], kinds: null },
      { after: eventSeq - 1, until: eventSeq, limit: 1 },
    );
    return row?.id === eventId && Subscriptions.isVisible(webhook, row)
      ? yield* sendOf(webhook, row)
      : skipped(gone);
  });

  return { attempt, send, testEvent };
});
