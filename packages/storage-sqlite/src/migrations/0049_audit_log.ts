import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Who changed keys, sessions, access, servers and settings. */
const statements = [
  `CREATE TABLE audit_entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    key_id TEXT,
    address TEXT,
    user_agent TEXT,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    changes TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX audit_entries_at ON audit_entries (at)`,
  `CREATE INDEX audit_entries_actor ON audit_entries (actor_id)`,
  `CREATE INDEX audit_entries_action ON audit_entries (action)`,
];

export const auditLog = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
