import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Lists of issues that are saved under a name. */
const statements = [
  `CREATE TABLE saved_views (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    project_id TEXT,
    created_by_type TEXT NOT NULL,
    created_by_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX saved_views_own ON saved_views (created_by_type, created_by_id)
    WHERE project_id IS NULL`,
  `CREATE INDEX saved_views_project ON saved_views (project_id) WHERE project_id IS NOT NULL`,
];

export const savedViews = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
