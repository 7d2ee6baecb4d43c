import type { Event } from "../../events/Event.ts";
import type { IssueRow } from "../../issues/Issue.ts";
import type { WebhookFormat } from "../../webhooks/Webhook.ts";
import * as Sentences from "./Sentences.ts";

/** An event as a webhook sends it. `webhook.test` is in no log. */
export type SentEvent = Omit<Event, "kind"> & { readonly kind: Event["kind"] | "webhook.test" };

export type SentIssue = Pick<
  IssueRow,
  "id" | "key" | "projectId" | "title" | "status" | "priority" | "labels" | "externalRef"
>;

/** Bytes of a body, beyond which the event's own data is left out. */
const maxBytes = 20_000;

const urlOf = (publicUrl: string | null, { key }: SentIssue): string | null =>
  publicUrl === null ? null : `${publicUrl}/issues/${encodeURIComponent(key)}`;

const issueOf = (publicUrl: string | null, issue: SentIssue) => ({
  id: issue.id,
  key: issue.key,
  projectId: issue.projectId,
  title: issue.title,
  status: issue.status,
  priority: issue.priority,
  labels: issue.labels,
  externalRef: issue.externalRef,
  url: urlOf(publicUrl, issue),
});

const standard = (event: SentEvent, issue: SentIssue | null, publicUrl: string | null): string => {
  const data = { ...event, issue: issue === null ? null : issueOf(publicUrl, issue) };
  const envelope = { type: event.kind, timestamp: event.createdAt };
  const body = JSON.stringify({ ...envelope, data });
  return new TextEncoder().encode(body).length <= maxBytes
    ? body
    : JSON.stringify({ ...envelope, data: { ...data, data: null, truncated: true } });
};

const text = (event: SentEvent, issue: SentIssue | null, publicUrl: string | null): string => {
  const { kind } = event;
  const sentence =
    kind === "webhook.test" ? Sentences.ofTest : Sentences.of({ ...event, kind }, issue);
  const url = issue === null ? publicUrl : urlOf(publicUrl, issue);
  return JSON.stringify({ text: url === null ? sentence : `${sentence} ${url}` });
};

/** The body of a request. */
export const of = (
  format: WebhookFormat,
  event: SentEvent,
  issue: SentIssue | null,
  publicUrl: string | null,
): string =>
  format === "text" ? text(event, issue, publicUrl) : standard(event, issue, publicUrl);
