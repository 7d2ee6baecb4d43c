import { Effect, Layer, Option } from "effect";
import { type Agent, AgentStore } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Keyset from "../sql/Keyset.ts";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";

interface Columns {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly last_heartbeat_at: string | null;
  readonly created_at: string;
}

const toRow = (columns: Columns): Agent.AgentRow => ({
  seq: columns.seq,
  id: columns.id,
  name: columns.name,
  lastHeartbeatAt: columns.last_heartbeat_at,
  createdAt: columns.created_at,
});

/** Agents in the present `SqlClient`. */
export const layer: Layer.Layer<AgentStore.AgentStore, never, SqlClient.SqlClient> = Layer.effect(
  AgentStore.AgentStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const register = Prepared.query(
      sql,
      `INSERT INTO agents (id, name, created_at) VALUES (?, ?, ?)
        ON CONFLICT (id) DO NOTHING RETURNING seq`,
    );
    const heartbeat = Prepared.query(
      sql,
      "UPDATE agents SET last_heartbeat_at = ? WHERE id = ? RETURNING seq",
    );
    const get = Prepared.objects<Columns>(sql, "SELECT * FROM agents WHERE id = ?");
    return AgentStore.AgentStore.of({
      register: (agentId, now) =>
        mapped(Effect.map(register(agentId, agentId, now), (rows) => rows.length > 0)),
      rename: (agentId, name) =>
        mapped(Effect.asVoid(sql`UPDATE agents SET name = ${name} WHERE id = ${agentId}`)),
      heartbeat: (agentId, now) =>
        mapped(Effect.map(heartbeat(now, agentId), (rows) => rows.length > 0)),
      get: (agentId) =>
        mapped(
          Effect.map(get(agentId), ([columns]) => Option.map(Option.fromNullishOr(columns), toRow)),
        ),
      list: (projects, now, slice) =>
        mapped(
          Effect.map(
            sql<Columns & { readonly active_runs: number }>`SELECT agents.*,
                (SELECT count(*) FROM runs r WHERE r.agent_id = agents.id
                  AND r.status <> 'ended' AND r.lease_expires_at > ${now}
                  AND ${projects === null ? sql`1 = 1` : sql`r.project_id IN ${Batch.list(sql, projects)}`}
                ) AS active_runs
              FROM agents WHERE ${Keyset.beyond(sql, slice)} ${Keyset.ordered(sql, slice)}`,
            (rows) => rows.map((row) => ({ ...toRow(row), activeRuns: row.active_runs })),
          ),
        ),
    });
  }),
);
