import { type CatalogEntry, CatalogStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { SqlClient } from "effect/sql";
import { clause } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<{ readonly id: string; readonly entry: CatalogEntry.CatalogEntry }>(
  "catalog_entries",
  (cells, row) => ({
    id: cells.plain("id", row.id),
    entry: cells.json("entry", row.entry),
  }),
);

/** Catalog entries of Owners in the current `SqlClient`. */
export const layer: Layer.Layer<CatalogStore.CatalogStore, never, SqlClient.SqlClient> =
  Layer.effect(
    CatalogStore.CatalogStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const byId = Prepared.one(sql, table, "WHERE id = ?");
      const select = Prepared.select(sql, table);
      const put = Prepared.upsert(sql, table, ["id"]);
      return CatalogStore.CatalogStore.of({
        get: (id) =>
          mapped(
            Effect.map(
              byId(id),
              Option.map(({ entry }) => entry),
            ),
          ),
        list: mapped(
          Effect.map(select(clause`ORDER BY seq`), (rows) => rows.map(({ entry }) => entry)),
        ),
        put: (entry) => mapped(Effect.asVoid(put([{ id: entry.id, entry }]))),
        remove: (id) =>
          mapped(Prepared.execute(sql, clause`DELETE FROM catalog_entries WHERE id = ${id}`)),
      });
    }),
  );
