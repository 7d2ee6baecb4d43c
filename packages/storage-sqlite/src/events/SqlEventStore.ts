import { Effect, Layer, Option, Stream } from "effect";
import { type Event, EventStore } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";

interface Columns {
  readonly seq: number;
  readonly id: string;
  readonly kind: Event.EventKind;
  readonly project_id: string | null;
  readonly related_project_id: string | null;
  readonly subject_id: string;
  readonly actor_type: Event.EventRow["actor"]["type"];
  readonly actor_id: string;
  readonly created_at: string;
  readonly data: string;
}

const toRow = (columns: Columns): Event.EventRow => ({
  seq: columns.seq,
  id: columns.id,
  kind: columns.kind,
  projectId: columns.project_id,
  relatedProjectId: columns.related_project_id,
  subjectId: columns.subject_id,
  actor: { type: columns.actor_type, id: columns.actor_id },
  data: JSON.parse(columns.data) as Event.EventRow["data"],
  createdAt: columns.created_at,
});

const toColumns = (event: Omit<Event.EventRow, "seq">) => ({
  id: event.id,
  kind: event.kind,
  project_id: event.projectId,
  related_project_id: event.relatedProjectId,
  subject_id: event.subjectId,
  actor_type: event.actor.type,
  actor_id: event.actor.id,
  created_at: event.createdAt,
  data: JSON.stringify(event.data),
});

/** One project is followed through its index; several are picked from all that happened. */
const inProjects = (sql: SqlClient.SqlClient, projects: ReadonlyArray<string>) => {
  const [only] = projects;
  const own =
    projects.length === 1 && only !== undefined
      ? sql`project_id = ${only}`
      : sql`+project_id IN ${Batch.list(sql, projects)}`;
  return sql`${own} AND (related_project_id IS NULL
    OR related_project_id IN ${Batch.list(sql, projects)})`;
};

const list = (
  sql: SqlClient.SqlClient,
  query: EventStore.EventQuery,
  range: { readonly after: number; readonly until: number; readonly limit: number },
) =>
  Effect.map(
    sql<Columns>`SELECT * FROM events
      WHERE ${query.projects === null ? sql`1 = 1` : inProjects(sql, query.projects)}
        AND ${query.kinds === null ? sql`1 = 1` : sql`kind IN ${Batch.list(sql, query.kinds)}`}
        AND seq > ${range.after} AND seq <= ${range.until}
      ORDER BY seq LIMIT ${range.limit} + 0`,
    (rows) => rows.map(toRow),
  );

/** Events in the present `SqlClient`. */
export const layer: Layer.Layer<EventStore.EventStore, never, SqlClient.SqlClient> = Layer.effect(
  EventStore.EventStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = Prepared.insert(sql, "events");
    return EventStore.EventStore.of({
      append: (events) => mapped(Effect.asVoid(insert(events.map(toColumns)))),
      lastSeq: mapped(
        Effect.map(
          sql<Columns>`SELECT seq FROM events WHERE seq > 0 ORDER BY seq DESC LIMIT 1`,
          ([columns]) => columns?.seq ?? 0,
        ),
      ),
      seqOf: (eventId) =>
        mapped(
          Effect.map(sql<Columns>`SELECT seq FROM events WHERE id = ${eventId}`, ([columns]) =>
            Option.fromNullishOr(columns?.seq),
          ),
        ),
      list: (query, range) => mapped(list(sql, query, range)),
      // SQLite does not notify other processes: core finds their events by polling.
      bell: Stream.never,
      prune: (before, limit) =>
        mapped(
          Effect.map(
            sql`DELETE FROM events WHERE seq IN (
              SELECT seq FROM (SELECT seq, created_at FROM events ORDER BY seq LIMIT ${limit})
              WHERE created_at < ${before}
            ) RETURNING 1`,
            (rows) => rows.length,
          ),
        ),
    });
  }),
);
