import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/**
 * Rows have an integer `seq`, the order of lists, and a text `id`, which is what the world sees.
 * SQLite ends every index in the rowid, which is `seq`: an index over (a, b) is ordered by
 * (a, b, seq). Where `seq` is written out, what follows it is there to be filtered by.
 */
const statements = [
  `CREATE TABLE issues (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    project_id TEXT NOT NULL,
    status TEXT NOT NULL,
    priority INTEGER NOT NULL,
    assigned_agent_id TEXT,
    assignee_user_id TEXT,
    goal_id TEXT,
    paused INTEGER NOT NULL,
    resumed INTEGER NOT NULL,
    link_count INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_by_type TEXT NOT NULL,
    created_by_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    started_at TEXT,
    resolved_at TEXT,
    closed_at TEXT,
    title TEXT NOT NULL,
    description TEXT
  ) STRICT`,
  `CREATE INDEX issues_project ON issues (project_id)`,
  `CREATE INDEX issues_status ON issues (project_id, status)`,
  `CREATE INDEX issues_priority ON issues (project_id, priority, seq, status)`,
  `CREATE INDEX issues_agent ON issues (project_id, assigned_agent_id, seq, status)
    WHERE assigned_agent_id IS NOT NULL`,
  `CREATE INDEX issues_user ON issues (project_id, assignee_user_id, seq, status)
    WHERE assignee_user_id IS NOT NULL`,
  `CREATE INDEX issues_goal ON issues (project_id, goal_id, seq, status)
    WHERE goal_id IS NOT NULL`,
  `CREATE INDEX issues_updated ON issues (project_id, updated_at)`,
  `CREATE INDEX issues_claimable ON issues (assigned_agent_id, resumed DESC, priority)
    WHERE assigned_agent_id IS NOT NULL AND status IN ('Open', 'InProgress') AND paused = 0`,

  `CREATE TABLE links (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    relation TEXT NOT NULL,
    source_id TEXT NOT NULL REFERENCES issues (id),
    source_project_id TEXT NOT NULL,
    target_id TEXT NOT NULL REFERENCES issues (id),
    target_project_id TEXT NOT NULL,
    created_by_type TEXT NOT NULL,
    created_by_id TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX links_relation ON links (source_id, target_id, relation)`,
  `CREATE INDEX links_source ON links (source_id)`,
  `CREATE INDEX links_target ON links (target_id)`,
  `CREATE INDEX links_dependents ON links (source_id) WHERE relation = 'Blocks'`,
  `CREATE INDEX links_blockers ON links (target_id) WHERE relation = 'Blocks'`,

  `CREATE TABLE comments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    issue_id TEXT NOT NULL REFERENCES issues (id),
    chapter INTEGER NOT NULL,
    author_type TEXT NOT NULL,
    author_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX comments_issue ON comments (issue_id)`,
  `CREATE INDEX comments_chapter ON comments (issue_id, chapter)`,

  `CREATE TABLE attachments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    issue_id TEXT NOT NULL REFERENCES issues (id),
    file_name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    download_url TEXT NOT NULL,
    uploaded_by_type TEXT NOT NULL,
    uploaded_by_id TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX attachments_issue ON attachments (issue_id)`,
  `CREATE TABLE discarded_attachments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE
  ) STRICT`,

  `CREATE TABLE activity (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    issue_id TEXT NOT NULL REFERENCES issues (id),
    kind TEXT NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    related_project_id TEXT,
    created_at TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX activity_issue ON activity (issue_id)`,

  `CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    project_id TEXT,
    related_project_id TEXT,
    subject_id TEXT NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX events_project ON events (project_id)`,

  `CREATE TABLE agents (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    last_heartbeat_at TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,

  `CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL,
    issue_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    status TEXT NOT NULL,
    outcome TEXT,
    stop_reason TEXT,
    comment_seq INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    lease_seconds INTEGER NOT NULL,
    lease_expires_at TEXT NOT NULL,
    ended_at TEXT
  ) STRICT`,
  `CREATE UNIQUE INDEX runs_held ON runs (issue_id) WHERE status <> 'ended'`,
  `CREATE INDEX runs_agent ON runs (agent_id, seq, project_id)`,
  `CREATE INDEX runs_agent_held ON runs (agent_id) WHERE status <> 'ended'`,
  `CREATE INDEX runs_lease ON runs (lease_expires_at) WHERE status <> 'ended'`,
  `CREATE INDEX runs_ended ON runs (ended_at) WHERE status = 'ended'`,

  `CREATE TABLE api_keys (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    projects TEXT,
    agent_id TEXT,
    user_id TEXT,
    secret_hash TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    last_used_at TEXT
  ) STRICT`,
  `CREATE INDEX api_keys_role ON api_keys (role)`,

  `CREATE TABLE sessions (
    hash TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    key_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    ends_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX sessions_key ON sessions (key_id)`,
  `CREATE INDEX sessions_expires ON sessions (expires_at)`,

  `CREATE TABLE idempotency (
    key_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    resource_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (key_id, idempotency_key)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX idempotency_created ON idempotency (created_at)`,

  // SQLite alone: full text. See SearchIndex.
  `CREATE TABLE chapters (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    issue_seq INTEGER NOT NULL REFERENCES issues (seq),
    size INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX chapters_issue ON chapters (issue_seq)`,
  `CREATE VIRTUAL TABLE issue_text USING fts5 (
    body, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.:_-^'"
  )`,
  `CREATE VIRTUAL TABLE chapter_text USING fts5 (
    body, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.:_-^'"
  )`,
];

export const initial = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
