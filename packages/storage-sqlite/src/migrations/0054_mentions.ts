import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The names that texts of issues mention, and the comments of users, which end the notice of a mention. */
const statements = [
  `CREATE TABLE mentions (
    issue_id TEXT NOT NULL REFERENCES issues (id),
    name TEXT NOT NULL,
    text_id TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (issue_id, name, text_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX mentions_name ON mentions (name, since)`,
  `CREATE INDEX mentions_since ON mentions (since)`,
  `CREATE INDEX comments_user ON comments (issue_id, author_id, created_at)
    WHERE author_type = 'User'`,
];

export const mentions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
