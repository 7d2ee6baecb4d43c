import { Effect } from "effect";
import { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { UnknownReference } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import { Held } from "../IssueErrors.ts";
import { type IssueFacts, IssueStore } from "../IssueStore.ts";
import * as NewProjects from "./NewProjects.ts";
import { References } from "./References.ts";

/** The move of an issue to another project. */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const references = yield* References;
  const projects = yield* NewProjects.make;
  const events = yield* EventLog;

  /**
   * The project that a body names, before the transaction. A refusal is a value, so that a missing
   * issue is reported first.
   */
  const check = Effect.fnUntraced(function* (
    principal: Principal.Principal,
    projectId: string | null | undefined,
  ) {
    if (projectId == null) return null;
    if (principal.agentId !== null) {
      return yield* new Forbidden({
        requiredRole: null,
        explanation: "Only people move issues to another project.",
      });
    }
    return yield* Effect.catchTag(references.project(projectId), "NotFound", ({ id }) =>
      Effect.fail(new UnknownReference({ field: "projectId", id: id ?? projectId })),
    );
  }, Effect.result);

  /**
   * Moves the issue in the current transaction. Returns the facts after it, and the project if it is new.
   * A project where the issue is already changes nothing.
   */
  const move = Effect.fnUntraced(function* (
    principal: Principal.Principal,
    facts: IssueFacts,
    projectId: string,
    externalRef: string | null,
  ) {
    const { issue, liveRun } = facts;
    if (projectId === issue.projectId) return { facts, isMoved: false, created: null };
    if (liveRun !== null) {
      return yield* new Held({ runId: liveRun.id, agentId: liveRun.agentId });
    }
    const { isNew, project } = yield* projects.ofMove(projectId);
    yield* references.unusedExternalRef(projectId, externalRef, issue.id);
    const moved = yield* store.relocate(issue, project);
    // The event of the timeline belongs to the new project. Callers of the old one also get an event.
    yield* events.record([
      {
        kind: "issue.updated",
        projectId: issue.projectId,
        relatedProjectId: null,
        subjectId: issue.id,
        issueKey: issue.key,
        actor: Principal.actorOf(principal),
        data: { changes: { projectId: null } },
      },
    ]);
    return {
      facts: { ...facts, issue: moved },
      isMoved: true,
      created: isNew ? projectId : null,
    };
  });

  return { check, move };
});
