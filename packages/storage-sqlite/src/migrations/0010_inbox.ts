import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/**
 * What waits for a person, in the order of the inbox: by priority, then since when, then id. Each index
 * has the few issues of one kind, over all projects or by project.
 *
 * `blocks` is how many Blocks links an issue is the source of: the link store counts them. `priority` of a
 * question is the priority of its issue: triggers copy it, since both change rarely.
 */
const order = "priority, updated_at, id";

/** Open issues that block others and are not picked up, also without a paused agent or project. */
const stuck = `blocks > 0 AND status IN ('Open', 'InProgress')
      AND (assigned_agent_id IS NULL OR paused_because IS NOT NULL OR not_before IS NOT NULL)`;

const statements = [
  `ALTER TABLE issues ADD COLUMN blocks INTEGER NOT NULL DEFAULT 0`,
  `UPDATE issues SET blocks = n.blocks FROM (
    SELECT source_id, count(*) AS blocks FROM links WHERE relation = 'Blocks' GROUP BY source_id
  ) AS n WHERE issues.id = n.source_id`,
  `CREATE INDEX issues_review ON issues (${order}) WHERE status = 'PendingReview'`,
  `CREATE INDEX issues_review_project ON issues (project_id, ${order})
    WHERE status = 'PendingReview'`,
  `CREATE INDEX issues_paused ON issues (paused_because, ${order})
    WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_paused_project ON issues (project_id, paused_because, ${order})
    WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_stuck ON issues (${order})
    WHERE ${stuck}`,
  `CREATE INDEX issues_stuck_project ON issues (project_id, ${order})
    WHERE ${stuck}`,
  `CREATE INDEX issues_blocking_agent ON issues (assigned_agent_id, ${order})
    WHERE blocks > 0 AND status IN ('Open', 'InProgress') AND assigned_agent_id IS NOT NULL`,
  `CREATE INDEX issues_blocking_project ON issues (project_id, ${order})
    WHERE blocks > 0 AND status IN ('Open', 'InProgress')`,
  `CREATE INDEX agents_paused ON agents (id) WHERE paused`,
  `ALTER TABLE questions ADD COLUMN priority INTEGER NOT NULL DEFAULT 2`,
  `UPDATE questions SET priority = issues.priority FROM issues WHERE issues.id = questions.issue_id`,
  `CREATE INDEX questions_inbox ON questions (priority, created_at, id) WHERE status = 'open'`,
  `CREATE INDEX questions_inbox_project ON questions (project_id, priority, created_at, id)
    WHERE status = 'open'`,
  `CREATE TRIGGER questions_asked AFTER INSERT ON questions
  BEGIN
    UPDATE questions SET priority = issues.priority FROM issues
      WHERE issues.id = new.issue_id AND questions.seq = new.seq;
  END`,
  `CREATE TRIGGER issues_prioritized AFTER UPDATE OF priority ON issues
    WHEN old.priority <> new.priority
  BEGIN
    UPDATE questions SET priority = new.priority WHERE issue_id = new.id;
  END`,
];

export const inbox = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
