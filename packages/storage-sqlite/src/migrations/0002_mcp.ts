import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/**
 * Installed servers and what belongs to them, which goes with them; the records of calls stay.
 * `mcp_access` names servers by `seq`, so that an agent's grants come in the servers' order.
 */
const statements = [
  `CREATE TABLE mcp_servers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    former_status TEXT NOT NULL,
    known INTEGER NOT NULL,
    tools_changed INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    tools_version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    last_verification TEXT,
    entry TEXT NOT NULL
  ) STRICT`,

  `CREATE TABLE mcp_secrets (
    server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    key_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    sealed TEXT NOT NULL,
    PRIMARY KEY (server_id, name)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE mcp_tools (
    server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    accepted TEXT,
    current TEXT,
    PRIMARY KEY (server_id, position)
  ) STRICT`,

  `CREATE TABLE mcp_access (
    agent_id TEXT NOT NULL,
    server_seq INTEGER NOT NULL REFERENCES mcp_servers (seq) ON DELETE CASCADE,
    granted INTEGER NOT NULL,
    tools TEXT,
    PRIMARY KEY (agent_id, server_seq)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX mcp_access_server ON mcp_access (server_seq)`,

  `CREATE TABLE tool_calls (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL,
    server_id TEXT,
    tool TEXT NOT NULL,
    started_at TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX tool_calls_agent ON tool_calls (agent_id)`,
  `CREATE INDEX tool_calls_server ON tool_calls (server_id)`,
  `CREATE INDEX tool_calls_agent_server ON tool_calls (agent_id, server_id)`,
  `CREATE INDEX tool_calls_started ON tool_calls (started_at)`,
];

export const mcp = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
