import { SnoozeStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { clause, limit } from "../sql/Clause.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<SnoozeStore.Snooze>("snoozes", (cells, row) => ({
  principal: cells.plain("principal", row.principal),
  kind: cells.plain("kind", row.kind),
  itemId: cells.plain("item_id", row.itemId),
  since: cells.plain("since", row.since),
  until: cells.plain("until", row.until),
}));

/** Snoozed items of the inbox in the current `SqlClient`. */
export const layer: Layer.Layer<SnoozeStore.SnoozeStore, never, SqlClient.SqlClient> = Layer.effect(
  SnoozeStore.SnoozeStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = Prepared.select(sql, table);
    const put = Prepared.upsert(sql, table, ["principal", "kind", "item_id"]);
    return SnoozeStore.SnoozeStore.of({
      list: (principal, now) =>
        mapped(select(clause`WHERE principal = ${principal} AND until > ${now}`)),
      put: (snooze) => mapped(Effect.asVoid(put([snooze]))),
      remove: ({ itemId, kind, principal }) =>
        mapped(
          Prepared.execute(
            sql,
            clause`DELETE FROM snoozes
              WHERE principal = ${principal} AND kind = ${kind} AND item_id = ${itemId}`,
          ),
        ),
      prune: (now, count) =>
        mapped(
          Prepared.count(
            sql,
            clause`DELETE FROM snoozes WHERE ${Locks.batch(
              sql,
              "snoozes",
              "principal, kind, item_id",
              clause`WHERE until <= ${now} ORDER BY until ${limit(count)}`,
            )} RETURNING 1`,
          ),
        ),
    });
  }),
);
