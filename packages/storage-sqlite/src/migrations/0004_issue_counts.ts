import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/**
 * The number of issues by project and status. Counting a million issues takes about a second, and
 * everything waits in the meantime.
 *
 * Triggers count moves and removals. The store counts insertions: with a trigger, SQLite keeps a
 * journal file for each INSERT, since the UNIQUE id may abort it, which takes 40 µs per issue.
 */
const statements = [
  `CREATE TABLE issue_counts (
    project_id TEXT NOT NULL,
    status TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (project_id, status)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO issue_counts (project_id, status, count)
    SELECT project_id, status, count(*) FROM issues GROUP BY project_id, status`,
  `CREATE TRIGGER issues_moved AFTER UPDATE OF status ON issues WHEN old.status <> new.status
  BEGIN
    UPDATE issue_counts SET count = count - 1
      WHERE project_id = old.project_id AND status = old.status;
    INSERT INTO issue_counts (project_id, status, count) VALUES (new.project_id, new.status, 1)
      ON CONFLICT DO UPDATE SET count = count + 1;
  END`,
  `CREATE TRIGGER issues_removed AFTER DELETE ON issues
  BEGIN
    UPDATE issue_counts SET count = count - 1
      WHERE project_id = old.project_id AND status = old.status;
  END`,
];

export const issueCounts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
