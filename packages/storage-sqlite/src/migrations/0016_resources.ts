import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Whether a server has resources, which the next connection tells. */
export const resources = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql.unsafe(`ALTER TABLE mcp_servers ADD COLUMN has_resources TEXT`).unprepared,
);
