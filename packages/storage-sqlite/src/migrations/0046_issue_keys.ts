import { ProjectPrefix } from "@quartermaster/core";
import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Projects, their prefixes, and the numbers of their issues. */
const tables = [
  `CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    prefix TEXT NOT NULL,
    name TEXT,
    description TEXT
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE project_prefixes (
    prefix TEXT PRIMARY KEY,
    project_id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX project_prefixes_project ON project_prefixes (project_id)`,
  `CREATE TABLE issue_numbers (
    project_id TEXT PRIMARY KEY,
    last INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `ALTER TABLE issues ADD COLUMN number INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE events ADD COLUMN issue_key TEXT`,
];

/** Numbers the issues of each project in the order of their creation. */
const numbers = [
  `UPDATE issues SET number = numbered.number
    FROM (
      SELECT seq, row_number() OVER (PARTITION BY project_id ORDER BY seq) AS number FROM issues
    ) AS numbered
    WHERE numbered.seq = issues.seq`,
  `CREATE UNIQUE INDEX issues_number ON issues (project_id, number) WHERE number > 0`,
  `INSERT INTO issue_numbers SELECT project_id, max(number) FROM issues GROUP BY project_id`,
  `INSERT INTO project_prefixes SELECT prefix, id FROM projects`,
];

const run = (sql: SqlClient.SqlClient, statements: ReadonlyArray<string>) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true });

export const issueKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  yield* run(sql, tables);
  const ids = yield* sql<{ readonly id: string }>`
    SELECT project_id AS id FROM issue_counts WHERE count > 0
    UNION SELECT project_id FROM paused_projects
    UNION SELECT project_id FROM project_settings ORDER BY 1`;
  const taken = new Set<string>();
  const projects = ids.map(({ id }) => {
    let tries = 0;
    let prefix = ProjectPrefix.fromId(id, tries, 0);
    while (taken.has(prefix)) prefix = ProjectPrefix.fromId(id, ++tries, (taken.size * 0.618) % 1);
    taken.add(prefix);
    return [id, prefix];
  });
  yield* sql`INSERT INTO projects (id, prefix)
    SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(projects)})`;
  yield* run(sql, numbers);
});
