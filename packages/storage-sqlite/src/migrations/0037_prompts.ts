import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Prompts of servers, which are pinned like tools. */
export const prompts = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql.unsafe(`ALTER TABLE mcp_tools ADD COLUMN kind TEXT NOT NULL DEFAULT 'tool'`).unprepared,
);
