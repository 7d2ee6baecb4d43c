import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The number of files of each issue, and indexes for issues with files and by their creation. */
const statements = [
  `ALTER TABLE issues ADD COLUMN files INTEGER NOT NULL DEFAULT 0`,
  `UPDATE issues SET files = counted.files
    FROM (SELECT issue_id, count(*) AS files FROM attachments GROUP BY issue_id) AS counted
    WHERE counted.issue_id = issues.id`,
  `CREATE INDEX issues_files ON issues (project_id) WHERE files > 0`,
  `CREATE INDEX issues_created ON issues (project_id, created_at)`,
];

export const issueFilters = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
