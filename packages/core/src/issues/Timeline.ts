import { Context, Effect, Layer } from "effect";
import type { Actor } from "../Actor.ts";
import type { StorageError } from "../CommonErrors.ts";
import { EventLog } from "../events/EventLog.ts";
import * as Id from "../Id.ts";
import * as Timestamp from "../Timestamp.ts";
import { ActivityStore } from "./ActivityStore.ts";
import type { Entry } from "./rules/IssueLifecycle.ts";

/** An entry for the timeline of an issue. For `relatedProjectId` see `ActivityRow`. */
export interface NewActivity extends Entry {
  readonly issue: {
    readonly id: string;
    readonly projectId: string;
    readonly key?: string | null;
  };
  readonly relatedProjectId?: string | undefined;
}

/** Writes the timelines of issues, and an event for each entry, in the current transaction. */
export class Timeline extends Context.Service<
  Timeline,
  {
    /** Appends entries, in this order. */
    record(actor: Actor, entries: ReadonlyArray<NewActivity>): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/issues/Timeline") {
  static readonly layerNoDeps = Layer.effect(
    Timeline,
    Effect.gen(function* () {
      const store = yield* ActivityStore;
      const events = yield* EventLog;
      const newId = yield* Id.generator;

      const record = Effect.fnUntraced(function* (
        actor: Actor,
        entries: ReadonlyArray<NewActivity>,
      ) {
        if (entries.length === 0) return;
        const createdAt = yield* Timestamp.now;
        const rows = yield* Effect.forEach(
          entries,
          ({ issue, kind, data, relatedProjectId = null }) =>
            Effect.map(newId("evt"), (id) => ({
              id,
              kind,
              actor,
              data,
              createdAt,
              relatedProjectId,
              issueId: issue.id,
              projectId: issue.projectId,
              issueKey: issue.key ?? null,
            })),
        );
        yield* store.append(rows.map(({ issueKey: _, projectId: __, ...row }) => row));
        yield* events.record(
          rows.map(({ issueId, kind, ...row }) => ({
            ...row,
            kind: `issue.${kind}` as const,
            subjectId: issueId,
          })),
        );
      });

      return Timeline.of({ record });
    }),
  );
}
