import { type Agent, AgentStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { among, beyond, type Clause, clause, ordered, raw } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";
import * as IdleHeartbeats from "./IdleHeartbeats.ts";

const table = Table.make<Agent.AgentRow>("agents", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  name: cells.plain("name", row.name),
  lastHeartbeatAt: cells.plain("last_heartbeat_at", row.lastHeartbeatAt),
  paused: cells.boolean("paused", row.paused),
  toolMode: cells.plain("tool_mode", row.toolMode),
  callsNeedRun: cells.boolean("calls_need_run", row.callsNeedRun),
  createdAt: cells.plain("created_at", row.createdAt),
  halted: cells.json("halted", row.halted),
}));

/** Agents in the current `SqlClient`. */
export const layer: Layer.Layer<AgentStore.AgentStore, never, SqlClient.SqlClient> = Layer.effect(
  AgentStore.AgentStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const get = Prepared.one(sql, table, "WHERE id = ?");
    const counted = (statement: Clause) =>
      mapped(
        Effect.map(
          Prepared.run<readonly [count: number]>(sql, statement),
          ([row]) => row?.[0] ?? 0,
        ),
      );
    const idleHeartbeat = IdleHeartbeats.make(sql);
    const isThere = Effect.map((rows: number) => rows > 0);
    return AgentStore.AgentStore.of({
      register: (agentId, now) =>
        mapped(
          Prepared.count(
            sql,
            clause`INSERT INTO agents (id, name, created_at) VALUES (${agentId}, ${agentId}, ${now})
              ON CONFLICT (id) DO NOTHING RETURNING seq`,
          ).pipe(isThere),
        ),
      update: ({ callsNeedRun, id, name, paused, toolMode }) =>
        mapped(
          Prepared.execute(
            sql,
            clause`UPDATE agents SET name = ${name}, paused = ${paused ? 1 : 0},
              tool_mode = ${toolMode}, calls_need_run = ${callsNeedRun ? 1 : 0} WHERE id = ${id}`,
          ),
        ),
      heartbeat: (agentId, now) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [isHalted: number]>(
              sql,
              clause`UPDATE agents SET last_heartbeat_at = ${now} WHERE id = ${agentId}
                RETURNING halted IS NOT NULL`,
            ),
            ([row]) => (row === undefined ? null : row[0] === 1),
          ),
        ),
      idleHeartbeat,
      halt: (agentId, halted) =>
        mapped(
          Prepared.execute(
            sql,
            clause`UPDATE agents SET halted = ${halted === null ? null : JSON.stringify(halted)}
              WHERE id = ${agentId}`,
          ),
        ),
      get: (agentId) => mapped(get(agentId)),
      remove: (agentId) =>
        mapped(
          Effect.forEach(
            [
              clause`DELETE FROM mcp_access WHERE agent_id = ${agentId}`,
              clause`DELETE FROM snoozes WHERE item_id = ${agentId}`,
              clause`DELETE FROM agents WHERE id = ${agentId}`,
            ],
            (statement) => Prepared.execute(sql, statement),
            { discard: true },
          ),
        ),
      count: counted(clause`SELECT count(*) FROM agents`),
      countSince: (since) =>
        counted(clause`SELECT count(*) FROM agents WHERE last_heartbeat_at >= ${since}`),
      isAssigned: (agentId) =>
        mapped(
          Prepared.count(
            sql,
            // The index of assigned agents starts with the project: one lookup per project instead
            // of one per issue.
            clause`WITH RECURSIVE n (project_id) AS (
                SELECT min(project_id) FROM issues
                UNION ALL
                SELECT (SELECT min(project_id) FROM issues i WHERE i.project_id > n.project_id)
                FROM n WHERE n.project_id IS NOT NULL
              )
              SELECT 1 FROM n WHERE EXISTS (
                SELECT 1 FROM issues i
                WHERE i.project_id = n.project_id AND i.assigned_agent_id = ${agentId}
              ) LIMIT 1`,
          ).pipe(isThere),
        ),
      list: (projects, now, slice) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [activeRuns: number, ...ReadonlyArray<unknown>]>(
              sql,
              clause`SELECT (SELECT count(*) FROM runs r WHERE r.agent_id = agents.id
                  AND r.status <> 'ended' AND r.lease_expires_at > ${now}
                  AND ${among("r.project_id", projects)}),
                ${raw(table.select())}
                FROM agents WHERE ${beyond(slice)} ${ordered(slice)}`,
            ),
            (rows) => rows.map((cells) => ({ ...table.toRow(cells, 1), activeRuns: cells[0] })),
          ),
        ),
    });
  }),
);
