import { type AuditEntry, AuditStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { always, among, beyond, clause, limit, ordered } from "../sql/Clause.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<AuditEntry.AuditRow>("audit_entries", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  at: cells.plain("at", row.at),
  actor: cells.actor("actor", row.actor),
  keyId: cells.plain("key_id", row.keyId),
  address: cells.plain("address", row.address),
  userAgent: cells.plain("user_agent", row.userAgent),
  action: cells.plain("action", row.action),
  subject: cells.json("subject", row.subject),
  changes: cells.json("changes", row.changes),
}));

/** The audit log in the current `SqlClient`. */
export const layer: Layer.Layer<AuditStore.AuditStore, never, SqlClient.SqlClient> = Layer.effect(
  AuditStore.AuditStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const append = Prepared.append(sql, table);
    const select = Prepared.select(sql, table);
    return AuditStore.AuditStore.of({
      append: (entries) => mapped(Effect.asVoid(append(entries))),
      list: ({ actions, actor, from, to }, slice) =>
        mapped(
          select(clause`WHERE ${among("action", actions)}
            AND ${actor === null ? always : clause`actor_id = ${actor}`}
            AND ${from === null ? always : clause`at >= ${from}`}
            AND ${to === null ? always : clause`at < ${to}`}
            AND ${beyond(slice)} ${ordered(slice)}`),
        ),
      prune: (before, count) =>
        mapped(
          Prepared.count(
            sql,
            clause`DELETE FROM audit_entries WHERE ${Locks.batch(
              sql,
              "audit_entries",
              "seq",
              clause`WHERE at < ${before} ORDER BY at ${limit(count)}`,
            )} RETURNING 1`,
          ),
        ),
    });
  }),
);
