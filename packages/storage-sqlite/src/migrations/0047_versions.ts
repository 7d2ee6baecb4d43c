import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The versions of texts, and which comments are hand-ins and answers. */
const statements = [
  `CREATE TABLE versions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    issue_id TEXT NOT NULL REFERENCES issues (id),
    text_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    content TEXT
  ) STRICT`,
  `CREATE INDEX versions_issue ON versions (issue_id, seq)`,
  `CREATE INDEX versions_text ON versions (text_id, seq)`,
  `ALTER TABLE comments ADD COLUMN version INTEGER NOT NULL DEFAULT 1`,
  `ALTER TABLE comments ADD COLUMN edited_at TEXT`,
  `ALTER TABLE comments ADD COLUMN deleted_at TEXT`,
  `ALTER TABLE comments ADD COLUMN deleted_by TEXT`,
  `ALTER TABLE comments ADD COLUMN source_id TEXT`,
  `UPDATE comments SET source_id = runs.id FROM runs WHERE runs.comment_id = comments.id`,
  `UPDATE comments SET source_id = activity.data ->> '$.questionId' FROM activity
    WHERE activity.kind = 'answered' AND activity.data ->> '$.commentId' = comments.id`,
];

export const versions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
