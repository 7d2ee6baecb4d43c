import { Effect, Layer } from "effect";
import { type Activity, ActivityStore, type Page } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Keyset from "../sql/Keyset.ts";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";

interface Columns {
  readonly seq: number;
  readonly id: string;
  readonly issue_id: string;
  readonly kind: Activity.ActivityKind;
  readonly actor_type: Activity.ActivityRow["actor"]["type"];
  readonly actor_id: string;
  readonly related_project_id: string | null;
  readonly created_at: string;
  readonly data: string;
}

const toRow = (columns: Columns): Activity.ActivityRow => ({
  seq: columns.seq,
  id: columns.id,
  issueId: columns.issue_id,
  kind: columns.kind,
  actor: { type: columns.actor_type, id: columns.actor_id },
  data: JSON.parse(columns.data) as Activity.ActivityRow["data"],
  relatedProjectId: columns.related_project_id,
  createdAt: columns.created_at,
});

const toColumns = (entry: Omit<Activity.ActivityRow, "seq">) => ({
  id: entry.id,
  issue_id: entry.issueId,
  kind: entry.kind,
  actor_type: entry.actor.type,
  actor_id: entry.actor.id,
  related_project_id: entry.relatedProjectId,
  created_at: entry.createdAt,
  data: JSON.stringify(entry.data),
});

const list = (
  sql: SqlClient.SqlClient,
  issueId: string,
  projects: ReadonlyArray<string> | null,
  slice: Page.Slice,
) =>
  Effect.map(
    sql<Columns>`SELECT * FROM activity WHERE issue_id = ${issueId}
      AND ${Keyset.beyond(sql, slice)}
      AND ${
        projects === null
          ? sql`1 = 1`
          : sql`(related_project_id IS NULL OR related_project_id IN ${Batch.list(sql, projects)})`
      }
      ${Keyset.ordered(sql, slice)}`,
    (rows) => rows.map(toRow),
  );

/** Timelines in the present `SqlClient`. */
export const layer: Layer.Layer<ActivityStore.ActivityStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ActivityStore.ActivityStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insert = Prepared.insert(sql, "activity");
      return ActivityStore.ActivityStore.of({
        append: (entries) => mapped(Effect.asVoid(insert(entries.map(toColumns)))),
        list: (issueId, projects, slice) => mapped(list(sql, issueId, projects, slice)),
      });
    }),
  );
