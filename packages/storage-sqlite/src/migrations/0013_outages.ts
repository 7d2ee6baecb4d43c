import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/**
 * Since when and why a server is in `error`, and when it is tried again. Servers that were enabled before they
 * failed are due as soon as a node runs.
 */
const statements = [
  `ALTER TABLE mcp_servers ADD COLUMN outage TEXT`,
  `UPDATE mcp_servers SET outage = json_object(
      'since', updated_at,
      'reason', CASE json_extract(last_verification, '$.status')
        WHEN 'error' THEN json_extract(last_verification, '$.details')
        ELSE 'The server failed too often.' END,
      'attempts', 0,
      'retryAt', CASE former_status WHEN 'enabled' THEN updated_at END)
    WHERE status = 'error'`,
];

export const outages = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
