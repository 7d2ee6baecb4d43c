/** Creates the schema. `Migrations.test.ts` writes this file with `-u`. */
export const statements: ReadonlyArray<string> = [
  `CREATE TABLE "migrations" (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
)`,
  `CREATE TABLE issues (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    project_id TEXT NOT NULL,
    status TEXT NOT NULL,
    priority INTEGER NOT NULL,
    assigned_agent_id TEXT,
    assignee_user_id TEXT,
    goal_id TEXT,
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
  , paused_because TEXT, attempts INTEGER NOT NULL DEFAULT 0, not_before TEXT, blocks INTEGER NOT NULL DEFAULT 0, labels TEXT NOT NULL DEFAULT '[]', metadata TEXT NOT NULL DEFAULT '{}', external_ref TEXT, number INTEGER NOT NULL DEFAULT 0, files INTEGER NOT NULL DEFAULT 0) STRICT`,
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
  , version INTEGER NOT NULL DEFAULT 1, edited_at TEXT, deleted_at TEXT, deleted_by TEXT, source_id TEXT) STRICT`,
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
  , issue_key TEXT) STRICT`,
  `CREATE INDEX events_project ON events (project_id)`,
  `CREATE TABLE agents (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    last_heartbeat_at TEXT,
    created_at TEXT NOT NULL
  , paused INTEGER NOT NULL DEFAULT 0, tool_mode TEXT NOT NULL DEFAULT 'direct', halted TEXT, calls_need_run INTEGER NOT NULL DEFAULT 0) STRICT`,
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
  , attempt INTEGER NOT NULL DEFAULT 1, worker TEXT, key_id TEXT, note TEXT, process TEXT, exit_code INTEGER, comment_id TEXT, acknowledged_at TEXT, fence_lifted INTEGER NOT NULL DEFAULT 0, release_at TEXT, resumed_at TEXT, has_usage INTEGER NOT NULL DEFAULT 0, version_seq INTEGER NOT NULL DEFAULT 0) STRICT`,
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
  , parent TEXT, secret_hash TEXT) STRICT, WITHOUT ROWID`,
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
  `CREATE TABLE mcp_servers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    former_status TEXT NOT NULL,
    known INTEGER NOT NULL,
    tools_changed INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    tools_version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    last_verification TEXT,
    entry TEXT NOT NULL
  , outage TEXT, max_result_bytes INTEGER NOT NULL DEFAULT 4194304, idle_seconds INTEGER NOT NULL DEFAULT 300, has_resources TEXT, instructions TEXT NOT NULL
        DEFAULT '{"accepted":null,"current":null}', call_timeout_seconds INTEGER, call_max_seconds INTEGER NOT NULL DEFAULT 3600, once TEXT NOT NULL DEFAULT '[]', once_errors TEXT NOT NULL DEFAULT 'retry', settle TEXT NOT NULL DEFAULT 'agent', send_context INTEGER NOT NULL DEFAULT 0, record_calls TEXT NOT NULL DEFAULT 'errors') STRICT`,
  `CREATE TABLE mcp_secrets (
    server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    key_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    sealed TEXT NOT NULL,
    PRIMARY KEY (server_id, name)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE mcp_tools (
    server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    accepted TEXT,
    current TEXT, problem TEXT, blocked INTEGER NOT NULL DEFAULT 0, kind TEXT NOT NULL DEFAULT 'tool',
    PRIMARY KEY (server_id, position)
  ) STRICT`,
  `CREATE TABLE mcp_access (
    agent_id TEXT NOT NULL,
    server_seq INTEGER NOT NULL REFERENCES mcp_servers (seq) ON DELETE CASCADE,
    granted INTEGER NOT NULL,
    tools TEXT, read_only INTEGER NOT NULL DEFAULT 0, calls_per_minute INTEGER, max_concurrent_calls INTEGER,
    PRIMARY KEY (agent_id, server_seq)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX mcp_access_server ON mcp_access (server_seq)`,
  `CREATE TABLE tool_calls (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL,
    server_id TEXT,
    tool TEXT NOT NULL,
    started_at TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL
  , run_id TEXT, issue_id TEXT, project_id TEXT, key_id TEXT, worker TEXT, server TEXT, tool_digest TEXT, error TEXT, recorded TEXT NOT NULL DEFAULT 'none') STRICT`,
  `CREATE INDEX tool_calls_agent ON tool_calls (agent_id)`,
  `CREATE INDEX tool_calls_server ON tool_calls (server_id)`,
  `CREATE INDEX tool_calls_agent_server ON tool_calls (agent_id, server_id)`,
  `CREATE INDEX tool_calls_started ON tool_calls (started_at)`,
  `CREATE INDEX sessions_parent ON sessions (parent) WHERE parent IS NOT NULL`,
  `CREATE TABLE issue_counts (
    project_id TEXT NOT NULL,
    status TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (project_id, status)
  ) STRICT, WITHOUT ROWID`,
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
  `CREATE INDEX issues_claimable ON issues (assigned_agent_id, resumed DESC, priority)
    WHERE assigned_agent_id IS NOT NULL AND status IN ('Open', 'InProgress')
      AND paused_because IS NULL`,
  `CREATE INDEX issues_of_agent ON issues (assigned_agent_id, seq)
    WHERE assigned_agent_id IS NOT NULL`,
  `CREATE INDEX runs_worker ON runs (worker, agent_id) WHERE worker IS NOT NULL`,
  `CREATE TABLE questions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    issue_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    run_id TEXT,
    asked_by_type TEXT NOT NULL,
    asked_by_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    prompt TEXT NOT NULL,
    options TEXT,
    blocking INTEGER NOT NULL,
    status TEXT NOT NULL,
    answer TEXT,
    answered_by TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    answered_at TEXT,
    on_expiry TEXT NOT NULL,
    asker_key TEXT
  , priority INTEGER NOT NULL DEFAULT 2) STRICT`,
  `CREATE INDEX questions_issue ON questions (issue_id, seq)`,
  `CREATE INDEX questions_open ON questions (issue_id) WHERE status = 'open'`,
  `CREATE INDEX questions_due ON questions (expires_at)
    WHERE status = 'open' AND expires_at IS NOT NULL`,
  `CREATE TABLE paused_projects (project_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`,
  `CREATE INDEX runs_project_held ON runs (project_id) WHERE status <> 'ended'`,
  `CREATE TABLE ended_sessions (
    key_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    PRIMARY KEY (key_id, nonce)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX issues_review ON issues (priority, updated_at, id) WHERE status = 'PendingReview'`,
  `CREATE INDEX issues_review_project ON issues (project_id, priority, updated_at, id)
    WHERE status = 'PendingReview'`,
  `CREATE INDEX issues_paused ON issues (paused_because, priority, updated_at, id)
    WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_paused_project ON issues (project_id, paused_because, priority, updated_at, id)
    WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_stuck ON issues (priority, updated_at, id)
    WHERE blocks > 0 AND status IN ('Open', 'InProgress')
      AND (assigned_agent_id IS NULL OR paused_because IS NOT NULL OR not_before IS NOT NULL)`,
  `CREATE INDEX issues_stuck_project ON issues (project_id, priority, updated_at, id)
    WHERE blocks > 0 AND status IN ('Open', 'InProgress')
      AND (assigned_agent_id IS NULL OR paused_because IS NOT NULL OR not_before IS NOT NULL)`,
  `CREATE INDEX issues_blocking_agent ON issues (assigned_agent_id, priority, updated_at, id)
    WHERE blocks > 0 AND status IN ('Open', 'InProgress') AND assigned_agent_id IS NOT NULL`,
  `CREATE INDEX issues_blocking_project ON issues (project_id, priority, updated_at, id)
    WHERE blocks > 0 AND status IN ('Open', 'InProgress')`,
  `CREATE INDEX agents_paused ON agents (id) WHERE paused`,
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
  `CREATE TABLE catalog_entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    entry TEXT NOT NULL
  ) STRICT`,
  `CREATE UNIQUE INDEX issues_external_ref ON issues (external_ref, project_id)
    WHERE external_ref IS NOT NULL`,
  `CREATE INDEX issues_status_updated ON issues (project_id, status, updated_at)`,
  `CREATE INDEX issues_status_priority ON issues (project_id, status, priority)`,
  `CREATE INDEX issues_paused_created ON issues (project_id) WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_paused_updated ON issues (project_id, updated_at)
    WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_paused_priority ON issues (project_id, priority)
    WHERE paused_because IS NOT NULL`,
  `CREATE INDEX issues_ready_created ON issues (project_id) WHERE assigned_agent_id IS NOT NULL AND status IN ('Open', 'InProgress')
      AND paused_because IS NULL`,
  `CREATE INDEX issues_ready_updated ON issues (project_id, updated_at) WHERE assigned_agent_id IS NOT NULL AND status IN ('Open', 'InProgress')
      AND paused_because IS NULL`,
  `CREATE INDEX issues_ready_priority ON issues (project_id, priority) WHERE assigned_agent_id IS NOT NULL AND status IN ('Open', 'InProgress')
      AND paused_because IS NULL`,
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
  `CREATE TRIGGER issues_relabeled AFTER UPDATE OF labels ON issues WHEN old.labels <> new.labels
  BEGIN
    DELETE FROM issue_labels WHERE project_id = old.project_id
      AND label IN (SELECT value FROM json_each(old.labels)) AND seq = old.seq;
    INSERT INTO issue_labels (project_id, label, seq, updated_at, priority)
      SELECT new.project_id, value, new.seq, new.updated_at, new.priority
      FROM json_each(new.labels);
  END`,
  `CREATE TRIGGER issues_labeled_changed AFTER UPDATE OF updated_at, priority ON issues
    WHEN new.labels <> '[]'
      AND (old.updated_at <> new.updated_at OR old.priority <> new.priority)
  BEGIN
    UPDATE issue_labels SET updated_at = new.updated_at, priority = new.priority
      WHERE project_id = new.project_id
      AND label IN (SELECT value FROM json_each(new.labels)) AND seq = new.seq;
  END`,
  `CREATE TRIGGER issues_labeled_removed AFTER DELETE ON issues WHEN old.labels <> '[]'
  BEGIN
    DELETE FROM issue_labels WHERE project_id = old.project_id
      AND label IN (SELECT value FROM json_each(old.labels)) AND seq = old.seq;
  END`,
  `CREATE TABLE stats (
    bucket TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (bucket, kind, id, starts_at)
  ) STRICT`,
  `CREATE INDEX stats_starts ON stats (starts_at)`,
  `CREATE TABLE stats_cursors (
    source TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE project_settings (
    project_id TEXT PRIMARY KEY,
    agents_may TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX runs_issue ON runs (issue_id, agent_id)`,
  `CREATE INDEX agents_heartbeat ON agents (last_heartbeat_at)`,
  `CREATE INDEX agents_halted ON agents (id) WHERE halted IS NOT NULL`,
  `CREATE TABLE run_logs (
    run_id TEXT PRIMARY KEY,
    issue_id TEXT NOT NULL,
    entries INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    writers TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX run_logs_bytes ON run_logs (bytes)`,
  `CREATE INDEX run_logs_issue ON run_logs (issue_id)`,
  `CREATE INDEX run_logs_updated ON run_logs (updated_at)`,
  `CREATE TABLE run_log_chunks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    writer TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    number INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    lines TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX run_log_chunks_run ON run_log_chunks (run_id, last, first, bytes)`,
  `CREATE INDEX run_log_chunks_writer ON run_log_chunks (run_id, writer, number)`,
  `CREATE INDEX runs_project ON runs (project_id, seq)`,
  `CREATE TABLE run_notes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    issue_id TEXT NOT NULL,
    note TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX run_notes_run ON run_notes (run_id)`,
  `CREATE INDEX run_notes_issue ON run_notes (issue_id)`,
  `CREATE TABLE admitted_calls (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL,
    run_id TEXT,
    issue_id TEXT,
    project_id TEXT,
    key_id TEXT,
    worker TEXT,
    server_id TEXT,
    server TEXT,
    tool TEXT NOT NULL,
    tool_digest TEXT,
    started_at TEXT NOT NULL,
    error TEXT,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    recorded TEXT NOT NULL,
    until TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX admitted_calls_issue ON admitted_calls (issue_id)`,
  `CREATE INDEX tool_calls_run ON tool_calls (run_id) WHERE run_id IS NOT NULL`,
  `CREATE INDEX tool_calls_issue ON tool_calls (issue_id) WHERE issue_id IS NOT NULL`,
  `CREATE TABLE effect_issues (
    issue_id TEXT PRIMARY KEY,
    cycle INTEGER NOT NULL,
    salt TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE effects (
    issue_id TEXT NOT NULL,
    identity TEXT NOT NULL,
    cycle INTEGER NOT NULL,
    n INTEGER NOT NULL,
    call_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    name TEXT,
    arguments TEXT NOT NULL,
    state TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    ended_at TEXT,
    until TEXT NOT NULL,
    node TEXT NOT NULL,
    delivered TEXT NOT NULL,
    settled TEXT,
    summary TEXT,
    result TEXT
  , earlier TEXT NOT NULL DEFAULT '[]', delivering TEXT) STRICT`,
  `CREATE UNIQUE INDEX effects_identity ON effects (issue_id, identity, cycle, n)`,
  `CREATE UNIQUE INDEX effects_call ON effects (call_id)`,
  `CREATE INDEX effects_issue ON effects (issue_id, sent_at, call_id)`,
  `CREATE INDEX effects_until ON effects (until, call_id) WHERE state = 'sent'`,
  `CREATE INDEX effects_result ON effects (server_id) WHERE result IS NOT NULL`,
  `CREATE TABLE usage_reports (
    run_id TEXT NOT NULL,
    key TEXT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (run_id, key)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE usage_sessions (
    agent_id TEXT NOT NULL,
    session TEXT NOT NULL,
    source INTEGER NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    totals TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (agent_id, session, source, provider, model)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX usage_sessions_updated ON usage_sessions (updated_at)`,
  `CREATE TABLE usage_hours (
    run_id TEXT NOT NULL,
    source INTEGER NOT NULL,
    starts_at TEXT NOT NULL,
    model TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    issue_id TEXT NOT NULL,
    requests INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost_micros INTEGER NOT NULL,
    requests_without_cost INTEGER NOT NULL,
    counted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, source, starts_at, model)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX usage_hours_starts ON usage_hours (starts_at)`,
  `CREATE INDEX usage_hours_agent ON usage_hours (agent_id, starts_at)`,
  `CREATE INDEX usage_hours_project ON usage_hours (project_id, starts_at)`,
  `CREATE INDEX usage_hours_issue ON usage_hours (issue_id)`,
  `CREATE INDEX runs_started ON runs (started_at)`,
  `CREATE INDEX effects_unknown ON effects (call_id) WHERE state = 'unknown'`,
  `CREATE TABLE call_bodies (
    call_id TEXT PRIMARY KEY,
    server_id TEXT NOT NULL,
    issue_id TEXT,
    ended_at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    sealed TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX call_bodies_ended ON call_bodies (ended_at, call_id, bytes)`,
  `CREATE INDEX call_bodies_server ON call_bodies (server_id)`,
  `CREATE INDEX call_bodies_issue ON call_bodies (issue_id) WHERE issue_id IS NOT NULL`,
  `CREATE INDEX call_bodies_key ON call_bodies (key_id, call_id)`,
  `CREATE TABLE usage_sums (
    unit TEXT NOT NULL,
    starts TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    model TEXT NOT NULL,
    runs INTEGER NOT NULL,
    first_runs INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost_micros INTEGER NOT NULL,
    requests_without_cost INTEGER NOT NULL,
    PRIMARY KEY (unit, starts, agent_id, project_id, model)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX usage_sums_agent ON usage_sums (agent_id, unit, starts)`,
  `CREATE INDEX usage_sums_project ON usage_sums (project_id, unit, starts)`,
  `CREATE TABLE usage_runs (
    run_id TEXT NOT NULL,
    model TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    issue_id TEXT NOT NULL,
    first_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    PRIMARY KEY (run_id, model)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX usage_runs_first ON usage_runs (first_at)`,
  `CREATE INDEX usage_runs_spanning ON usage_runs (last_at, first_at, model, agent_id, project_id)
    WHERE last_at > first_at`,
  `CREATE INDEX usage_runs_issue ON usage_runs (issue_id, first_at, last_at, agent_id, project_id)
    WHERE model = ''`,
  `CREATE INDEX runs_silent ON runs (started_at, agent_id, project_id, issue_id) WHERE has_usage = 0`,
  `CREATE INDEX runs_silent_issue ON runs (issue_id, started_at, agent_id, project_id)
    WHERE has_usage = 0`,
  `CREATE TABLE run_turns (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    issue_id TEXT NOT NULL,
    comment_ids TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX run_turns_run ON run_turns (run_id)`,
  `CREATE INDEX run_turns_issue ON run_turns (issue_id)`,
  `CREATE TABLE process_leases (
    server_id TEXT PRIMARY KEY,
    node_id TEXT NOT NULL,
    url TEXT,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE snoozes (
    principal TEXT NOT NULL,
    kind TEXT NOT NULL,
    item_id TEXT NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (principal, kind, item_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX snoozes_until ON snoozes (until)`,
  `CREATE TABLE search_index (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    last INTEGER NOT NULL
  ) STRICT`,
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
  `CREATE UNIQUE INDEX issues_number ON issues (project_id, number) WHERE number > 0`,
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
  `CREATE INDEX issues_files ON issues (project_id) WHERE files > 0`,
  `CREATE INDEX issues_created ON issues (project_id, created_at)`,
  `CREATE TABLE audit_entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    key_id TEXT,
    address TEXT,
    user_agent TEXT,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    changes TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX audit_entries_at ON audit_entries (at)`,
  `CREATE INDEX audit_entries_actor ON audit_entries (actor_id)`,
  `CREATE INDEX audit_entries_action ON audit_entries (action)`,
  `CREATE TABLE saved_views (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    project_id TEXT,
    created_by_type TEXT NOT NULL,
    created_by_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX saved_views_own ON saved_views (created_by_type, created_by_id)
    WHERE project_id IS NULL`,
  `CREATE INDEX saved_views_project ON saved_views (project_id) WHERE project_id IS NOT NULL`,
  `CREATE TABLE webhooks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    name TEXT NOT NULL,
    kinds TEXT NOT NULL,
    project_id TEXT,
    format TEXT NOT NULL,
    status TEXT NOT NULL,
    status_reason TEXT,
    secret_set_at TEXT NOT NULL,
    created_by_type TEXT NOT NULL,
    created_by_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    event_cursor INTEGER NOT NULL,
    previous_until TEXT,
    timeouts INTEGER NOT NULL,
    probe_at TEXT,
    failing_at TEXT
  ) STRICT`,
  `CREATE TABLE webhook_secrets (
    webhook_id TEXT NOT NULL,
    name TEXT NOT NULL,
    key_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    sealed TEXT NOT NULL,
    PRIMARY KEY (webhook_id, name)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE webhook_deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    webhook_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at TEXT,
    claim TEXT,
    last_status INTEGER,
    last_error TEXT,
    last_response TEXT,
    duration_ms INTEGER,
    created_at TEXT NOT NULL,
    delivered_at TEXT
  ) STRICT`,
  `CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, seq)`,
  `CREATE INDEX webhook_deliveries_status ON webhook_deliveries (webhook_id, status, seq)`,
  `CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id, webhook_id)`,
  `CREATE INDEX webhook_deliveries_first ON webhook_deliveries (webhook_id, next_attempt_at, seq) WHERE status = 'pending' AND attempts = 0`,
  `CREATE INDEX webhook_deliveries_retry ON webhook_deliveries (webhook_id, next_attempt_at, seq) WHERE status = 'pending' AND attempts > 0`,
  `CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (webhook_id, seq) WHERE status = 'pending' AND claim IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_attempted ON webhook_deliveries (webhook_id, seq) WHERE attempts > 0`,
  `CREATE INDEX webhook_deliveries_delivered ON webhook_deliveries (webhook_id, delivered_at) WHERE delivered_at IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (event_seq) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (created_at) WHERE status <> 'pending'`,
  `CREATE TABLE former_numbers (
    project_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    issue_id TEXT NOT NULL REFERENCES issues (id),
    PRIMARY KEY (project_id, number)
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX former_numbers_issue ON former_numbers (issue_id, project_id)`,
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
  `CREATE INDEX snoozes_item ON snoozes (item_id)`,
];
