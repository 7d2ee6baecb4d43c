import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** What happened, by hour and by day, and how far it is counted. */
const statements = [
  `CREATE TABLE stats (
    bucket TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (bucket, kind, id, starts_at)
  ) STRICT`,
  `CREATE INDEX stats_starts ON stats (starts_at)`,
  `CREATE TABLE stats_cursors (
    source TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

export const stats = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
