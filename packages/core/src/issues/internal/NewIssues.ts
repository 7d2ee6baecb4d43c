import { Effect } from "effect";
import type { Actor } from "../../Actor.ts";
import * as Id from "../../Id.ts";
import * as Timestamp from "../../Timestamp.ts";
import type { IssueCreate } from "../IssueInput.ts";
import { IssueStore } from "../IssueStore.ts";
import { Timeline } from "../Timeline.ts";
import { References } from "./References.ts";

/**
 * Writes a new issue and its timeline in the current transaction. An issue with blockers waits; the
 * caller links it to them.
 */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const references = yield* References;
  const timeline = yield* Timeline;
  const newId = yield* Id.generator;

  return Effect.fnUntraced(function* (
    body: IssueCreate,
    context: {
      readonly projectId: string;
      readonly createdBy: Actor;
      readonly isBlocked: boolean;
    },
  ) {
    const { createdBy, isBlocked, projectId } = context;
    yield* references.unusedExternalRef(projectId, body.externalRef, null);
    const now = yield* Timestamp.now;
    const issue = yield* store.insert({
      id: yield* newId("iss"),
      projectId,
      title: body.title,
      description: body.description ?? null,
      status: isBlocked ? "WaitingOnDependency" : "Open",
      priority: body.priority ?? "normal",
      assignedAgentId: body.assignedAgentId ?? null,
      assigneeUserId: body.assigneeUserId ?? null,
      goalId: body.goalId ?? null,
      labels: body.labels ?? [],
      metadata: body.metadata ?? {},
      externalRef: body.externalRef ?? null,
      pausedBecause: null,
      attempts: 0,
      notBefore: body.notBefore ?? null,
      version: 1,
      createdBy,
      createdAt: now,
      updatedAt: now,
      startedAt: null,
      resolvedAt: null,
      closedAt: null,
      resumed: false,
      linkCount: 0,
    });
    const { notBefore, status } = issue;
    yield* timeline.record(createdBy, [
      { issue, kind: "created", data: { status } },
      ...(notBefore === null ? [] : [{ issue, kind: "deferred" as const, data: { notBefore } }]),
    ]);
    return issue;
  });
});
