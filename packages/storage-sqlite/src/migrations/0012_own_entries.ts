import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Catalog entries that Owners create. The copies of installed servers say where they are from. */
const statements = [
  `CREATE TABLE catalog_entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    entry TEXT NOT NULL
  ) STRICT`,
  `UPDATE mcp_servers SET entry = json_set(entry, '$.source', 'builtin')`,
];

export const ownEntries = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
