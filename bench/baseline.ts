import { DatabaseSync } from "node:sqlite";

/** The storage of the server that Quartermaster is compared with: plain SQL, prepared once. */

const schema = `
  CREATE TABLE IF NOT EXISTS issues (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    project_id TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL,
    priority TEXT NOT NULL,
    assigned_agent_id TEXT,
    assignee_user_id TEXT,
    goal_id TEXT,
    paused_because TEXT,
    attempts INTEGER NOT NULL,
    not_before TEXT,
    labels TEXT NOT NULL,
    external_ref TEXT,
    metadata TEXT NOT NULL,
    link_count INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_by_type TEXT NOT NULL,
    created_by_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    started_at TEXT,
    resolved_at TEXT,
    closed_at TEXT,
    number INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS projects (
    id TEXT PRIMARY KEY NOT NULL,
    prefix TEXT NOT NULL,
    last INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS issues_project ON issues (project_id);
  CREATE INDEX IF NOT EXISTS issues_status ON issues (project_id, status);
  CREATE INDEX IF NOT EXISTS issues_agent ON issues (project_id, assigned_agent_id)
    WHERE assigned_agent_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS issues_user ON issues (project_id, assignee_user_id)
    WHERE assignee_user_id IS NOT NULL;
  CREATE TABLE IF NOT EXISTS links (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    issue_id TEXT NOT NULL REFERENCES issues (id),
    target_issue_id TEXT NOT NULL REFERENCES issues (id),
    link_type TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS links_issue ON links (issue_id);
  CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    project_id TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS events_project ON events (project_id);
  CREATE TABLE IF NOT EXISTS api_keys (
    id TEXT PRIMARY KEY NOT NULL,
    user_id TEXT NOT NULL,
    secret_hash TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE IF NOT EXISTS issue_text USING fts5 (
    title, description, content = 'issues', content_rowid = 'seq'
  );
`;

export interface Actor {
  readonly type: string;
  readonly id: string;
}

export interface Issue {
  readonly id: string;
  readonly key: string;
  readonly projectId: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: string;
  readonly priority: string;
  readonly assignedAgentId: string | null;
  readonly assigneeUserId: string | null;
  readonly goalId: string | null;
  readonly paused: boolean;
  readonly pausedBecause: string | null;
  readonly attempts: number;
  readonly notBefore: string | null;
  readonly labels: ReadonlyArray<string>;
  readonly externalRef: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly links: ReadonlyArray<unknown>;
  readonly version: number;
  readonly createdBy: Actor;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly startedAt: string | null;
  readonly resolvedAt: string | null;
  readonly closedAt: string | null;
}

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly project_id: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: string;
  readonly priority: string;
  readonly assigned_agent_id: string | null;
  readonly assignee_user_id: string | null;
  readonly goal_id: string | null;
  readonly paused_because: string | null;
  readonly attempts: number;
  readonly not_before: string | null;
  readonly labels: string;
  readonly external_ref: string | null;
  readonly metadata: string;
  readonly link_count: number;
  readonly version: number;
  readonly created_by_type: string;
  readonly created_by_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly started_at: string | null;
  readonly resolved_at: string | null;
  readonly closed_at: string | null;
  readonly number: number;
  readonly prefix: string;
}

export interface ListQuery {
  readonly status?: string | undefined;
  readonly assigneeId?: string | undefined;
  readonly q?: string | undefined;
  readonly limit: number;
  /** The `seq` of the last row on the previous page. */
  readonly cursor?: number | undefined;
}

export interface Page {
  readonly items: ReadonlyArray<Issue>;
  readonly next: number | null;
}

/** Opens the database and creates missing tables. An acknowledged write survives a power cut. */
export const open = (filename: string) => {
  const db = new DatabaseSync(filename);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192`);
  db.exec(schema);

  const getKey = db.prepare("SELECT user_id, secret_hash FROM api_keys WHERE id = ?");
  const insertKey = db.prepare("INSERT INTO api_keys VALUES (?, ?, ?)");
  const getIssue = db.prepare(
    `SELECT issues.*, (SELECT prefix FROM projects WHERE id = project_id) AS prefix
     FROM issues WHERE id = ?`,
  );
  const nextNumber = db.prepare(
    `INSERT INTO projects (id, prefix, last) VALUES (?, ?, 1)
     ON CONFLICT (id) DO UPDATE SET last = last + 1 RETURNING prefix, last`,
  );
  const getLinks = db.prepare(
    "SELECT id, issue_id, target_issue_id, link_type FROM links WHERE issue_id = ? ORDER BY seq LIMIT 100",
  );
  const insertIssue = db.prepare(
    `INSERT INTO issues (id, project_id, title, description, status, priority, assigned_agent_id,
      assignee_user_id, goal_id, paused_because, attempts, not_before, labels, external_ref,
      metadata, link_count, version, created_by_type, created_by_id,
      created_at, updated_at, started_at, resolved_at, closed_at, number)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertText = db.prepare(
    "INSERT INTO issue_text (rowid, title, description) VALUES (?, ?, ?)",
  );
  const insertEvent = db.prepare(
    `INSERT INTO events (id, kind, project_id, subject_id, actor_type, actor_id, created_at, data)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  // One statement for each set of filters, so that each set uses the index that fits it.
  const lists = new Map<string, ReturnType<typeof db.prepare>>();
  const listStatement = (query: ListQuery) => {
    const shape = [query.status, query.assigneeId, query.q, query.cursor]
      .map((value) => (value === undefined ? "-" : "+"))
      .join("");
    const known = lists.get(shape);
    if (known !== undefined) return known;
    const conditions = [
      "project_id = :projectId",
      query.status === undefined ? "" : "status = :status",
      query.assigneeId === undefined
        ? ""
        : "(assigned_agent_id = :assigneeId OR assignee_user_id = :assigneeId)",
      query.q === undefined ? "" : "seq IN (SELECT rowid FROM issue_text(:q))",
      query.cursor === undefined ? "" : "seq < :cursor",
    ].filter((condition) => condition !== "");
    const statement = db.prepare(
      `SELECT issues.*, (SELECT prefix FROM projects WHERE id = project_id) AS prefix
       FROM issues WHERE ${conditions.join(" AND ")} ORDER BY seq DESC LIMIT :limit`,
    );
    lists.set(shape, statement);
    return statement;
  };

  const toIssue = (row: Row): Issue => ({
    id: row.id,
    key: `${row.prefix}-${row.number}`,
    projectId: row.project_id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    assignedAgentId: row.assigned_agent_id,
    assigneeUserId: row.assignee_user_id,
    goalId: row.goal_id,
    paused: row.paused_because !== null,
    pausedBecause: row.paused_because,
    attempts: row.attempts,
    notBefore: row.not_before,
    labels: JSON.parse(row.labels),
    externalRef: row.external_ref,
    metadata: JSON.parse(row.metadata),
    links: row.link_count === 0 ? [] : getLinks.all(row.id),
    version: row.version,
    createdBy: { type: row.created_by_type, id: row.created_by_id },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    startedAt: row.started_at,
    resolvedAt: row.resolved_at,
    closedAt: row.closed_at,
  });

  return {
    close: () => db.close(),

    key: (id: string) => getKey.get(id) as { user_id: string; secret_hash: string } | undefined,

    addKey: (id: string, userId: string, secretHash: string) => {
      insertKey.run(id, userId, secretHash);
    },

    transaction: <A>(body: () => A): A => {
      db.exec("BEGIN IMMEDIATE");
      try {
        const result = body();
        db.exec("COMMIT");
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },

    get: (id: string): Issue | undefined => {
      const row = getIssue.get(id) as Row | undefined;
      return row === undefined ? undefined : toIssue(row);
    },

    /** Must run within a transaction. */
    insert: (issue: Omit<Issue, "key">, eventId: string): string => {
      const { last, prefix } = nextNumber.get(
        issue.projectId,
        issue.projectId.slice(0, 6).toUpperCase(),
      ) as unknown as { readonly last: number; readonly prefix: string };
      const { lastInsertRowid } = insertIssue.run(
        issue.id,
        issue.projectId,
        issue.title,
        issue.description,
        issue.status,
        issue.priority,
        issue.assignedAgentId,
        issue.assigneeUserId,
        issue.goalId,
        issue.pausedBecause,
        issue.attempts,
        issue.notBefore,
        JSON.stringify(issue.labels),
        issue.externalRef,
        JSON.stringify(issue.metadata),
        issue.version,
        issue.createdBy.type,
        issue.createdBy.id,
        issue.createdAt,
        issue.updatedAt,
        issue.startedAt,
        issue.resolvedAt,
        issue.closedAt,
        last,
      );
      insertText.run(lastInsertRowid, issue.title, issue.description);
      insertEvent.run(
        eventId,
        "issue.created",
        issue.projectId,
        issue.id,
        issue.createdBy.type,
        issue.createdBy.id,
        issue.createdAt,
        JSON.stringify({ status: issue.status }),
      );
      return `${prefix}-${last}`;
    },

    list: (projectId: string, query: ListQuery): Page => {
      const words = query.q?.match(/[\p{L}\p{M}\p{N}]+/gu)?.map((word) => `"${word}"`);
      const rows = listStatement(query).all({
        projectId,
        ...(query.status === undefined ? {} : { status: query.status }),
        ...(query.assigneeId === undefined ? {} : { assigneeId: query.assigneeId }),
        ...(query.q === undefined ? {} : { q: words?.join(" ") ?? '""' }),
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        limit: query.limit + 1,
      }) as unknown as ReadonlyArray<Row>;
      const page = rows.slice(0, query.limit);
      return {
        items: page.map(toIssue),
        next: rows.length > query.limit ? (page.at(-1)?.seq ?? null) : null,
      };
    },
  };
};
