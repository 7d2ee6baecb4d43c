import { Effect } from "effect";
import type { Actor } from "../../Actor.ts";
import * as Id from "../../Id.ts";
import * as Timestamp from "../../Timestamp.ts";
import type { IssueCreate } from "../IssueInput.ts";
import { IssueStore } from "../IssueStore.ts";
import * as Mentioning from "../Mentioning.ts";
import type { ProjectRow } from "../Project.ts";
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
  const mention = yield* Mentioning.make;
  const newId = yield* Id.generator;

  return Effect.fnUntraced(function* (
    body: IssueCreate,
    context: {
      readonly project: ProjectRow;
      readonly createdBy: Actor;
      readonly isBlocked: boolean;
    },
  ) {
    const { createdBy, isBlocked, project } = context;
    const projectId = project.id;
    yield* references.unusedExternalRef(projectId, body.externalRef, null);
    const now = yield* Timestamp.now;
    const issue = yield* store.insert({
      id: yield* newId("iss"),
      projectId,
      prefix: project.prefix,
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
    const { description, id, notBefore, status } = issue;
    yield* mention({
      issueId: id,
      textId: id,
      before: null,
      after: description,
      actor: createdBy,
      at: now,
    });
    yield* timeline.record(createdBy, [
      { issue, kind: "created", data: { status } },
      ...(notBefore === null ? [] : [{ issue, kind: "deferred" as const, data: { notBefore } }]),
    ]);
    return issue;
  });
});
