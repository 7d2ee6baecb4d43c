import { type SavedView, SavedViewStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { among, beyond, clause, ordered, raw } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<SavedView.SavedViewRow>("saved_views", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  name: cells.plain("name", row.name),
  query: cells.plain("query", row.query),
  projectId: cells.plain("project_id", row.projectId),
  createdBy: cells.actor("created_by", row.createdBy),
  createdAt: cells.plain("created_at", row.createdAt),
  updatedAt: cells.plain("updated_at", row.updatedAt),
}));

const changing = Table.part(table, ["name", "query", "project_id", "updated_at"]);

/** Saved views in the current `SqlClient`. */
export const layer: Layer.Layer<SavedViewStore.SavedViewStore, never, SqlClient.SqlClient> =
  Layer.effect(
    SavedViewStore.SavedViewStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insert = Prepared.insertOne(sql, table);
      const update = Prepared.update(sql, "saved_views", changing);
      const select = Prepared.select(sql, table);
      const get = Prepared.one(sql, table, "WHERE id = ?");
      const remove = Prepared.query(sql, "DELETE FROM saved_views WHERE id = ?");
      const own = "created_by_type = ? AND created_by_id = ? AND project_id IS NULL";
      const count = (where: string) => {
        const query = Prepared.query<readonly [count: number]>(
          sql,
          `SELECT count(*) FROM saved_views WHERE ${where}`,
        );
        return (...params: ReadonlyArray<string>) =>
          mapped(Effect.map(query(...params), ([row]) => row?.[0] ?? 0));
      };
      const countOwn = count(own);
      const countShared = count("project_id = ?");
      return SavedViewStore.SavedViewStore.of({
        insert: (view) => mapped(insert(view)),
        update: (view) => mapped(Effect.asVoid(update([view]))),
        remove: (viewId) => mapped(Effect.asVoid(remove(viewId))),
        get: (viewId) => mapped(get(viewId)),
        list: ({ owner, projects }, slice) => {
          const isOwn = { text: own, params: [owner.type, owner.id] };
          const isShared =
            projects === null ? raw("project_id IS NOT NULL") : among("project_id", projects);
          return mapped(
            select(clause`WHERE (${isOwn} OR ${isShared}) AND ${beyond(slice)} ${ordered(slice)}`),
          );
        },
        countOwn: ({ id, type }) => countOwn(type, id),
        countShared: (projectId) => countShared(projectId),
      });
    }),
  );
