import { type Activity, ActivityStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { always, among, beyond, clause, ordered } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<Activity.ActivityRow>("activity", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  issueId: cells.plain("issue_id", row.issueId),
  kind: cells.plain("kind", row.kind),
  actor: cells.actor("actor", row.actor),
  data: cells.json("data", row.data),
  relatedProjectId: cells.plain("related_project_id", row.relatedProjectId),
  createdAt: cells.plain("created_at", row.createdAt),
}));

/** Timelines in the current `SqlClient`. */
export const layer: Layer.Layer<ActivityStore.ActivityStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ActivityStore.ActivityStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const append = Prepared.append(sql, table);
      const select = Prepared.select(sql, table);
      const related = (projects: ReadonlyArray<string> | null) =>
        projects === null
          ? always
          : clause`(related_project_id IS NULL OR ${among("related_project_id", projects)})`;
      return ActivityStore.ActivityStore.of({
        append: (entries) => mapped(Effect.asVoid(append(entries))),
        list: (issueId, projects, slice) =>
          mapped(
            select(clause`WHERE issue_id = ${issueId} AND ${beyond(slice)}
              AND ${related(projects)} ${ordered(slice)}`),
          ),
      });
    }),
  );
