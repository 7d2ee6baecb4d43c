import { type Event, EventStore } from "@quartermaster/core";
import { Clause, KeyText, Prepared, Table } from "@quartermaster/storage-sql";
import { Effect, Layer, Option, Stream } from "effect";
import { SqlClient } from "effect/sql";
import { mapped } from "../client/StorageErrors.ts";

const { always, among, clause, limit } = Clause;

const table = Table.make<Event.EventRow>("events", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  kind: cells.plain("kind", row.kind),
  projectId: cells.plain("project_id", row.projectId),
  relatedProjectId: cells.plain("related_project_id", row.relatedProjectId),
  subjectId: cells.plain("subject_id", row.subjectId),
  issueKey: cells.derived("issue_key", KeyText.ofEvent, row.issueKey),
  actor: cells.actor("actor", row.actor),
  data: cells.json("data", row.data),
  createdAt: cells.plain("created_at", row.createdAt),
}));

/**
 * Restricts events to projects. One project is read through its index; several are filtered from
 * all events.
 */
const inProjects = (projects: ReadonlyArray<string>) => {
  const [only] = projects;
  const own =
    projects.length === 1 && only !== undefined
      ? clause`project_id = ${only}`
      : among("+project_id", projects);
  return clause`${own} AND (related_project_id IS NULL
    OR ${among("related_project_id", projects)})`;
};

/** Events in the current `SqlClient`. */
export const layer: Layer.Layer<EventStore.EventStore, never, SqlClient.SqlClient> = Layer.effect(
  EventStore.EventStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = Prepared.insert(sql, table);
    const select = Prepared.select(sql, table);
    const seq = (text: string) => Prepared.query<readonly [seq: number]>(sql, text);
    const lastSeq = seq("SELECT seq FROM events WHERE seq > 0 ORDER BY seq DESC LIMIT 1");
    const seqOf = seq("SELECT seq FROM events WHERE id = ?");
    return EventStore.EventStore.of({
      append: (events) => mapped(Effect.asVoid(insert(events))),
      lastSeq: mapped(Effect.map(lastSeq(), ([row]) => row?.[0] ?? 0)),
      seqOf: (eventId) =>
        mapped(Effect.map(seqOf(eventId), ([row]) => Option.fromNullishOr(row?.[0]))),
      list: ({ kinds, projects }, range) =>
        mapped(
          select(clause`WHERE ${projects === null ? always : inProjects(projects)}
            AND ${among("kind", kinds)} AND seq > ${range.after} AND seq <= ${range.until}
            ORDER BY seq ${limit(range.limit)}`),
        ),
      // SQLite does not notify other processes, so core polls for their events.
      bell: Stream.never,
      prune: (before, count) =>
        mapped(
          Prepared.count(
            sql,
            clause`DELETE FROM events WHERE seq IN (
              SELECT seq FROM (SELECT seq, created_at FROM events ORDER BY seq ${limit(count)})
              WHERE created_at < ${before}
            ) RETURNING 1`,
          ),
        ),
    });
  }),
);
