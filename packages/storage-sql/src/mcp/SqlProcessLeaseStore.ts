import { ProcessLeaseStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { clause } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<ProcessLeaseStore.ProcessLease>("process_leases", (cells, row) => ({
  serverId: cells.plain("server_id", row.serverId),
  nodeId: cells.plain("node_id", row.nodeId),
  url: cells.plain("url", row.url),
  expiresAt: cells.plain("expires_at", row.expiresAt),
}));

/** Leases of processes in the current `SqlClient`. */
export const layer: Layer.Layer<ProcessLeaseStore.ProcessLeaseStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ProcessLeaseStore.ProcessLeaseStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const byServer = Prepared.one(sql, table, "WHERE server_id = ?");
      const put = Prepared.upsert(sql, table, ["server_id"]);
      return ProcessLeaseStore.ProcessLeaseStore.of({
        get: (serverId) => mapped(byServer(serverId)),
        put: (lease) => mapped(Effect.asVoid(put([lease]))),
        remove: (serverId, nodeId) =>
          mapped(
            Prepared.execute(
              sql,
              clause`DELETE FROM process_leases
              WHERE server_id = ${serverId} AND node_id = ${nodeId}`,
            ),
          ),
      });
    }),
  );
