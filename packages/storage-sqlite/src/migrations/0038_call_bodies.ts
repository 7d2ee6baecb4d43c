import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The arguments and results of calls, sealed. */
const statements = [
  `CREATE TABLE call_bodies (
    call_id TEXT PRIMARY KEY,
    server_id TEXT NOT NULL,
    issue_id TEXT,
    ended_at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    sealed TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX call_bodies_ended ON call_bodies (ended_at, call_id, bytes)`,
  `CREATE INDEX call_bodies_server ON call_bodies (server_id)`,
  `CREATE INDEX call_bodies_issue ON call_bodies (issue_id) WHERE issue_id IS NOT NULL`,
  `CREATE INDEX call_bodies_key ON call_bodies (key_id, call_id)`,
];

export const callBodies = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
