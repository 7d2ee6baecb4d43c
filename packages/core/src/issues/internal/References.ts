import { Context, Effect, Layer, Option, type Result } from "effect";
import { IssueKeys } from "../../access/IssueKeys.ts";
import { CurrentPrincipal, sees } from "../../access/Principal.ts";
import { Agents } from "../../agents/Agents.ts";
import {
  type InvalidRequest,
  type LimitExceeded,
  NotFound,
  type StorageError,
  UnknownReference,
} from "../../CommonErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import { Directory } from "../../Directory.ts";
import * as Id from "../../Id.ts";
import * as Input from "../../Input.ts";
import type { IssueRow } from "../Issue.ts";
import { ExternalRefTaken } from "../IssueErrors.ts";
import { IssueStore } from "../IssueStore.ts";

/** The assignees and the goal in the body of a request. */
export interface Assignment {
  readonly assignedAgentId?: string | null | undefined;
  readonly assigneeUserId?: string | null | undefined;
  readonly goalId?: string | null | undefined;
}

/** The directory's response about an assignment: the assignment, or its refusal. */
export type CheckedAssignment = Result.Result<Assignment, UnknownReference | StorageError>;

const directoryKinds = {
  assignedAgentId: "agent",
  assigneeUserId: "user",
  goalId: "goal",
} as const;

/** Checks the ids in a request. */
export class References extends Context.Service<
  References,
  {
    /**
     * Returns the project's id, if the id is valid, the principal sees the project and the
     * directory knows it.
     */
    project(
      id: string,
    ): Effect.Effect<string, InvalidRequest | NotFound | StorageError, CurrentPrincipal>;
    /** An issue that the current principal may see. `field` names the field in the refusal. */
    issue(
      field: string,
      id: string,
    ): Effect.Effect<IssueRow, UnknownReference | StorageError, CurrentPrincipal>;
    /**
     * Fails if an issue of the project other than `issueId` (null for a new one) has this external
     * reference. Runs in the current transaction.
     */
    unusedExternalRef(
      projectId: string,
      externalRef: string | null | undefined,
      issueId: string | null,
    ): Effect.Effect<void, ExternalRefTaken | StorageError>;
    /**
     * Asks the host's directory about the ids. Call it before the transaction, because the
     * directory may be slow. A refusal is a value, so that a missing issue is reported first.
     */
    check(named: Assignment): Effect.Effect<CheckedAssignment>;
    /**
     * Fails with the refusal, or registers a new agent, in the current transaction. Returns the id of the
     * agent if it is new. A principal that is bound to projects registers no agent. With
     * `CoreOptions.strictAgents` a new agent is rejected.
     */
    assign(
      checked: CheckedAssignment,
    ): Effect.Effect<
      string | null,
      UnknownReference | LimitExceeded | StorageError,
      CurrentPrincipal
    >;
    /** Warns of an agent that was never seen, unless it is the current principal. */
    warnings(
      assignment: Pick<Assignment, "assignedAgentId">,
    ): Effect.Effect<ReadonlyArray<string>, StorageError, CurrentPrincipal>;
  }
>()("@quartermaster/core/issues/internal/References") {
  static readonly layerNoDeps = Layer.effect(
    References,
    Effect.gen(function* () {
      const store = yield* IssueStore;
      const directory = yield* Directory;
      const agents = yield* Agents;
      const { idOf } = yield* IssueKeys;
      const { strictAgents } = yield* CoreOptions;
      const decodeProjectId = Input.decoder(Id.ProjectId, "projectId");

      const project = Effect.fnUntraced(function* (id: string) {
        const principal = yield* CurrentPrincipal;
        const projectId = yield* decodeProjectId(id);
        return sees(principal, projectId) && (yield* directory.knows("project", projectId))
          ? projectId
          : yield* new NotFound({ resource: "project", id });
      });

      const issue = Effect.fnUntraced(function* (field: string, id: string) {
        const principal = yield* CurrentPrincipal;
        const row = yield* store.get(yield* idOf(id));
        return Option.isSome(row) && sees(principal, row.value.projectId)
          ? row.value
          : yield* new UnknownReference({ field, id });
      });

      const unusedExternalRef = Effect.fnUntraced(function* (
        projectId: string,
        externalRef: string | null | undefined,
        issueId: string | null,
      ) {
        if (externalRef == null) return;
        const found = Option.getOrNull(yield* store.idOfExternalRef(projectId, externalRef));
        if (found !== null && found !== issueId) {
          return yield* new ExternalRefTaken({ issueId: found });
        }
      });

      const check = Effect.fnUntraced(function* (named: Assignment) {
        for (const field of ["assignedAgentId", "assigneeUserId", "goalId"] as const) {
          const id = named[field];
          if (id != null && !(yield* directory.knows(directoryKinds[field], id))) {
            return yield* new UnknownReference({ field, id });
          }
        }
        return named;
      }, Effect.result);

      const assign = Effect.fnUntraced(function* (checked: CheckedAssignment) {
        const { assignedAgentId } = yield* Effect.fromResult(checked);
        if (assignedAgentId == null) return null;
        if (!strictAgents) {
          // The limit of registered agents is one of all projects.
          const { projects } = yield* CurrentPrincipal;
          const isNew = projects === null && (yield* agents.ensure(assignedAgentId));
          return isNew ? assignedAgentId : null;
        }
        yield* Effect.catchTag(agents.exists(assignedAgentId), "NotFound", () =>
          Effect.fail(new UnknownReference({ field: "assignedAgentId", id: assignedAgentId })),
        );
        return null;
      });

      const warnings = Effect.fnUntraced(function* ({
        assignedAgentId: id,
      }: Pick<Assignment, "assignedAgentId">) {
        const { agentId } = yield* CurrentPrincipal;
        if (id == null || id === agentId || (yield* agents.wasSeen(id))) return [];
        return [`No agent ${id} has ever sent a heartbeat.`];
      });

      return References.of({ project, issue, unusedExternalRef, check, assign, warnings });
    }),
  );
}
