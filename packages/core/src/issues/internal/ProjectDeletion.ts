import { Effect } from "effect";
import { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { isLive } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { AuditLog } from "../../audit/AuditLog.ts";
import { getOrNotFound } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { WebhookRow } from "../../webhooks/Webhook.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import { ProjectInUse } from "../IssueErrors.ts";
import { IssueStore } from "../IssueStore.ts";
import { ProjectStore } from "../ProjectStore.ts";
import * as ProjectRecords from "./ProjectRecords.ts";

/** Runs, or deliveries to webhooks, that are removed per transaction. */
const removedAtOnce = 1_000;

/** The deletion of a project without issues, with everything that belongs only to it. */
export const make = Effect.gen(function* () {
  const store = yield* ProjectStore;
  const issues = yield* IssueStore;
  const runs = yield* RunStore;
  const webhooks = yield* WebhookStore;
  const events = yield* EventLog;
  const audit = yield* AuditLog;
  const { record } = yield* ProjectRecords.make;
  const { transact } = yield* Transactor;

  /** The project, if nothing keeps it. */
  const check = Effect.fnUntraced(function* (projectId: string) {
    const project = yield* getOrNotFound("project", projectId, store.get(projectId));
    const counts = Object.values(yield* issues.countByStatus([projectId]));
    const count = counts.reduce((sum, more) => sum + more, 0);
    const now = yield* Timestamp.now;
    const live = (yield* runs.notEndedIn(projectId)).some((run) => isLive(run, now));
    if (count > 0 || live) return yield* new ProjectInUse({ issues: count });
    return project;
  });

  const webhooksOf = (projectId: string) =>
    Effect.map(webhooks.list, (rows) => rows.filter((row) => row.projectId === projectId));

  const removeWebhook = Effect.fnUntraced(function* (
    { id, name, status, statusReason }: WebhookRow,
    principal: Principal.Principal,
  ) {
    const actor = Principal.actorOf(principal);
    yield* webhooks.removeDeliveries(id, removedAtOnce);
    yield* webhooks.remove(id);
    yield* events.record([
      {
        kind: "webhook.deleted",
        projectId: null,
        relatedProjectId: null,
        subjectId: id,
        actor,
        data: { name, status, statusReason },
      },
    ]);
    const subject = { type: "webhook", id, name } as const;
    yield* audit.record([{ action: "webhook.deleted", actor, subject, changes: [] }]);
  });

  return Span.fn("Projects.remove")(function* (projectId: string) {
    const principal = yield* Principal.requireUnbound("Admin");
    if (principal.agentId !== null) return yield* new Forbidden({ requiredRole: null });
    // Runs and deliveries may be many, so small transactions remove most of them first.
    const step = Effect.gen(function* () {
      yield* check(projectId);
      const removed = yield* Effect.forEach(yield* webhooksOf(projectId), ({ id }) =>
        webhooks.removeDeliveries(id, removedAtOnce),
      );
      return Math.max(yield* runs.removeIn(projectId, removedAtOnce), ...removed);
    });
    yield* transact(step).pipe(Effect.repeat({ while: (count) => count === removedAtOnce }));
    yield* transact(
      Effect.gen(function* () {
        const project = yield* check(projectId);
        for (const webhook of yield* webhooksOf(projectId)) {
          yield* removeWebhook(webhook, principal);
        }
        yield* runs.removeIn(projectId, removedAtOnce);
        yield* store.remove(projectId);
        yield* record("project.deleted", project, principal, {});
      }),
    );
  });
});
