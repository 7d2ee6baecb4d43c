import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Effects, the calls that happen once per issue, and the cycles of their issues. */
const statements = [
  `CREATE TABLE effect_issues (
    issue_id TEXT PRIMARY KEY,
    cycle INTEGER NOT NULL,
    salt TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE effects (
    issue_id TEXT NOT NULL,
    identity TEXT NOT NULL,
    cycle INTEGER NOT NULL,
    n INTEGER NOT NULL,
    call_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    name TEXT,
    arguments TEXT NOT NULL,
    state TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    ended_at TEXT,
    until TEXT NOT NULL,
    node TEXT NOT NULL,
    delivered TEXT NOT NULL,
    settled TEXT,
    summary TEXT,
    result TEXT
  ) STRICT`,
  `CREATE UNIQUE INDEX effects_identity ON effects (issue_id, identity, cycle, n)`,
  `CREATE UNIQUE INDEX effects_call ON effects (call_id)`,
  `CREATE INDEX effects_issue ON effects (issue_id, sent_at, call_id)`,
  `CREATE INDEX effects_until ON effects (until, call_id) WHERE state = 'sent'`,
  `CREATE INDEX effects_result ON effects (server_id) WHERE result IS NOT NULL`,
];

export const effects = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
