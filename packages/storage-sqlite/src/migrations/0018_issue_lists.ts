import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/**
 * The indexes of lists of issues: by status, by label, of paused issues and of issues that may be ready,
 * each in the three orders of lists. `issue_labels` repeats the columns that its lists are ordered by.
 *
 * Triggers change and remove the rows of `issue_labels`. The store inserts the rows of a new issue: a
 * trigger would slow every INSERT down, see 0004_issue_counts.
 */
const mayBeReady = `assigned_agent_id IS NOT NULL AND status IN ('Open', 'InProgress')
      AND paused_because IS NULL`;
const ofIssue = (issue: "old" | "new") => `project_id = ${issue}.project_id
      AND label IN (SELECT value FROM json_each(${issue}.labels)) AND seq = ${issue}.seq`;

const statements = [
  `CREATE INDEX issues_status_updated ON issues (project_id, status, updated_at)`,
  `CREATE INDEX issues_status_priority ON issues (project_id, status, priority)`,
  `CREATE INDEX issues_paused_created ON issues (project_id) WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_paused_updated ON issues (project_id, updated_at)
    WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_paused_priority ON issues (project_id, priority)
    WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_ready_created ON issues (project_id) WHERE ${mayBeReady}`,
  `CREATE INDEX issues_ready_updated ON issues (project_id, updated_at) WHERE ${mayBeReady}`,
  `CREATE INDEX issues_ready_priority ON issues (project_id, priority) WHERE ${mayBeReady}`,
  `CREATE TABLE issue_labels (
    project_id TEXT NOT NULL,
    label TEXT NOT NULL,
    seq INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    priority INTEGER NOT NULL,
    PRIMARY KEY (project_id, label, seq)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX issue_labels_updated ON issue_labels (project_id, label, updated_at, seq)`,
  `CREATE INDEX issue_labels_priority ON issue_labels (project_id, label, priority, seq)`,
  `INSERT INTO issue_labels (project_id, label, seq, updated_at, priority)
    SELECT project_id, value, seq, updated_at, priority FROM issues, json_each(labels)`,
  `CREATE TRIGGER issues_relabeled AFTER UPDATE OF labels ON issues WHEN old.labels <> new.labels
  BEGIN
    DELETE FROM issue_labels WHERE ${ofIssue("old")};
    INSERT INTO issue_labels (project_id, label, seq, updated_at, priority)
      SELECT new.project_id, value, new.seq, new.updated_at, new.priority
      FROM json_each(new.labels);
  END`,
  `CREATE TRIGGER issues_labeled_changed AFTER UPDATE OF updated_at, priority ON issues
    WHEN new.labels <> '[]'
      AND (old.updated_at <> new.updated_at OR old.priority <> new.priority)
  BEGIN
    UPDATE issue_labels SET updated_at = new.updated_at, priority = new.priority
      WHERE ${ofIssue("new")};
  END`,
  `CREATE TRIGGER issues_labeled_removed AFTER DELETE ON issues WHEN old.labels <> '[]'
  BEGIN
    DELETE FROM issue_labels WHERE ${ofIssue("old")};
  END`,
];

export const issueLists = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
