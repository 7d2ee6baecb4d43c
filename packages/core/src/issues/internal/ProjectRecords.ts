import { Effect, Record } from "effect";
import * as Principal from "../../access/Principal.ts";
import { AuditLog } from "../../audit/AuditLog.ts";
import type { StorageError } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Span from "../../internal/Span.ts";
import { visible } from "../IssueAccess.ts";
import type { Project, ProjectRow } from "../Project.ts";
import { ProjectStore } from "../ProjectStore.ts";

export type Changes = Record<string, { readonly from: unknown; readonly to: unknown } | null>;

/** Reads projects, and records their changes. */
export const make = Effect.gen(function* () {
  const store = yield* ProjectStore;
  const events = yield* EventLog;
  const audit = yield* AuditLog;

  const complete = (row: ProjectRow): Effect.Effect<Project, StorageError> =>
    Effect.map(Effect.all([store.isPaused(row.id), store.agentsMay(row.id)]), (settings) => ({
      ...row,
      paused: settings[0],
      agentsMay: settings[1],
    }));

  const get = Span.fn("Projects.get")(function* (projectId: string) {
    return yield* complete(
      yield* visible("project", projectId, store.get(projectId), ({ id }) => id),
    );
  });

  const record = Effect.fnUntraced(function* (
    action: "project.created" | "project.updated" | "project.deleted",
    { id, name }: ProjectRow,
    by: Principal.Principal,
    changes: Changes,
  ) {
    if (action === "project.updated" && Record.isEmptyRecord(changes)) return;
    const actor = Principal.actorOf(by);
    yield* events.record([
      {
        kind: action === "project.deleted" ? action : "project.updated",
        projectId: id,
        relatedProjectId: null,
        subjectId: id,
        actor,
        data: action === "project.deleted" ? { name } : { changes },
      },
    ]);
    const subject = { type: "project", id, name } as const;
    yield* audit.record([{ action, actor, subject, changes: Object.keys(changes) }]);
  });

  return { complete, get, record };
});
