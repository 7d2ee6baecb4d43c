import { assert, describe, it } from "@effect/vitest";
import { Event } from "@quartermaster/core";
import * as Sentences from "../../src/deliveries/internal/Sentences.ts";
import * as Subscriptions from "../../src/deliveries/internal/Subscriptions.ts";

const event = (
  kind: Event.EventKind,
  data: Record<string, unknown> = {},
  fields: Partial<Event.EventRow> = {},
): Event.EventRow => ({
  seq: 1,
  id: "evt_1",
  kind,
  projectId: null,
  relatedProjectId: null,
  subjectId: "subject",
  issueKey: null,
  actor: { type: "User", id: "ada" },
  data,
  createdAt: "2026-11-28T12:00:00.000Z",
  ...fields,
});

const system = { actor: { type: "System", id: "quartermaster" } } as const;

describe("Subscriptions", () => {
  const webhook = { id: "whk_1", kinds: ["attention"], projectId: null };
  const wants = (row: Event.EventRow) => Subscriptions.wants(webhook, row);

  it("[webhooks.attention] attention has each event for which a person has to act, and no other", () => {
    for (const row of [
      event("issue.asked"),
      event("issue.statusChanged", { from: "InProgress", to: "PendingReview" }),
      event("issue.paused", { cause: "failed" }),
      event("issue.paused", { cause: "tooManyAttempts", attempts: 3 }),
      event("issue.paused", { cause: "questionExpired" }),
      event("issue.effectEnded", { state: "unknown" }),
      event("mcp.failed", {}, system),
      event("mcp.toolsChanged", {}, system),
      event("webhook.failing", {}, system),
    ]) {
      assert.isTrue(wants(row), `${row.kind} ${JSON.stringify(row.data)}`);
    }
    for (const row of [
      event("issue.created"),
      event("issue.answered"),
      event("issue.statusChanged", { from: "PendingReview", to: "Open" }),
      event("issue.paused", {}),
      event("issue.paused", { cause: "person" }),
      event("issue.effectEnded", { state: "succeeded" }),
      event("mcp.toolsChanged"),
      event("webhook.failing", {}, { ...system, subjectId: webhook.id }),
    ]) {
      assert.isFalse(wants(row), `${row.kind} ${JSON.stringify(row.data)}`);
    }
  });

  it("[webhooks.attention] with a project attention is only of its issues", () => {
    const bound = { ...webhook, projectId: "shop" };
    assert.isTrue(Subscriptions.wants(bound, event("issue.asked", {}, { projectId: "shop" })));
    assert.isFalse(Subscriptions.wants(bound, event("issue.asked", {}, { projectId: "other" })));
    assert.isFalse(Subscriptions.wants(bound, event("mcp.failed", {}, system)));
  });
});

describe("Sentences", () => {
  it("[webhooks.text] every kind of event is one sentence", () => {
    const datas = [
      {},
      { state: "unknown", to: "PendingReview", cause: "failed", reason: "exit 1" },
    ];
    for (const kind of Event.EventKind.literals) {
      for (const data of datas) {
        const about = kind.startsWith("issue.") ? { key: "SHOP-1", title: "Mend" } : null;
        const row = event(kind, data, { issueKey: about?.key ?? null });
        assert.match(Sentences.of(row, about), /^[^?!]+[^?!. ]\.$/);
        assert.notMatch(Sentences.of(row, about), /\. /);
      }
    }
  });
});
