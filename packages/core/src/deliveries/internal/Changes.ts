import { Effect } from "effect";
import { type Actor, system } from "../../Actor.ts";
import type { AuditAction } from "../../audit/AuditEntry.ts";
import { AuditLog } from "../../audit/AuditLog.ts";
import type { StorageError } from "../../CommonErrors.ts";
import type { EventKind } from "../../events/Event.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { WebhookRow, WebhookStatus, WebhookStatusReason } from "../../webhooks/Webhook.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";

/** Changes of a webhook's status, and what follows from them. */

const daySeconds = 24 * 3_600;
/** Deliveries that are skipped per transaction. */
const skippedAtOnce = 1_000;

export const notEnabled = "The webhook is not enabled.";

export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const events = yield* EventLog;
  const audit = yield* AuditLog;
  const { transact } = yield* Transactor;

  /** Records an event of a webhook in the current transaction. */
  const report = (
    kind: Extract<EventKind, `webhook.${string}`>,
    { id, name, status, statusReason }: WebhookRow,
    actor: Actor,
  ) =>
    events.record([
      {
        kind,
        projectId: null,
        relatedProjectId: null,
        subjectId: id,
        actor,
        data: { name, status, statusReason },
      },
    ]);

  /** Records what a caller did in the audit log, in the current transaction. `changes` are names of fields. */
  const note = (
    action: Extract<AuditAction, `webhook.${string}`>,
    { id, name }: WebhookRow,
    actor: Actor,
    changes: ReadonlyArray<string> = [],
  ) => audit.record([{ action, actor, subject: { type: "webhook", id, name }, changes }]);

  /** Sets the status of a webhook in the current transaction. */
  const setStatus = Effect.fnUntraced(function* (
    webhook: WebhookRow,
    status: WebhookStatus,
    statusReason: WebhookStatusReason | null,
    actor: Actor,
  ) {
    const updatedAt = yield* Timestamp.now;
    const next = { ...webhook, status, statusReason, updatedAt };
    yield* store.update(next);
    yield* report("webhook.updated", next, actor);
  });

  /** Makes a webhook failing in the current transaction. Reports that at most once a day. */
  const fail = Effect.fnUntraced(function* (webhook: WebhookRow, reason: WebhookStatusReason) {
    const now = yield* Timestamp.now;
    const { failingAt } = webhook;
    const isReported = failingAt !== null && failingAt > Timestamp.addSeconds(now, -daySeconds);
    const next: WebhookRow = {
      ...webhook,
      status: "failing",
      statusReason: reason,
      updatedAt: now,
      failingAt: isReported ? failingAt : now,
    };
    yield* store.update(next);
    if (!isReported) yield* report("webhook.failing", next, system);
  });

  /** Skips what waits for a webhook that is not enabled, in transactions of their own. */
  const skipWaiting = (webhookId: string): Effect.Effect<void, StorageError> =>
    Effect.flatMap(Timestamp.now, (now) =>
      transact(store.skip(webhookId, notEnabled, now, skippedAtOnce)),
    ).pipe(Effect.repeat({ while: (count) => count > 0 }), Effect.asVoid);

  return { fail, note, report, setStatus, skipWaiting };
});
