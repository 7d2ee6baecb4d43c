import { DatabaseSync } from "node:sqlite";

/**
 * The witness of admissions. Triggers in the database of the nodes note, inside the transaction of each
 * admission, the run as it was then. They know nothing of the service's own judgment.
 *
 * The service reads its clock once per admission: `until` is 30 s ahead of that time, and a renewed lease is
 * `lease_seconds` ahead of it.
 */

export interface Admission {
  readonly callId: string;
  /** The run that the call acts for; null for a call of none. The other fields are of its worker's last run then. */
  readonly runId: string | null;
  /** When SQLite stored it, in milliseconds since the epoch. */
  readonly at: number;
  readonly until: string;
  readonly status: string | null;
  readonly outcome: string | null;
  readonly endedAt: string | null;
  readonly leaseExpiresAt: string | null;
  readonly issueExists: number;
  /** Whether no other run of the issue has started since. */
  readonly isLatest: number;
}

/** The renewal of an active run's lease. */
export interface Renewal {
  readonly runId: string;
  readonly before: string;
  readonly after: string;
  readonly leaseSeconds: number;
}

const tables = `
CREATE TABLE witness_admissions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, call_id TEXT NOT NULL, run_id TEXT, at INTEGER NOT NULL,
  until TEXT NOT NULL, status TEXT, outcome TEXT, ended_at TEXT, lease TEXT, issue_exists INTEGER,
  is_latest INTEGER) STRICT;
CREATE TABLE witness_renewals (
  run_id TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, lease_seconds INTEGER NOT NULL) STRICT;
CREATE TABLE witness_workers (worker TEXT PRIMARY KEY, run_id TEXT NOT NULL) STRICT;`;

/** Notes the run that the call acts for, otherwise the last run of its worker. */
const admission = `INSERT INTO witness_admissions
    (call_id, run_id, at, until, status, outcome, ended_at, lease, issue_exists, is_latest)
  SELECT NEW.id, NEW.run_id, CAST(unixepoch('subsec') * 1000 AS INTEGER), NEW.until, r.status, r.outcome,
    r.ended_at, r.lease_expires_at,
    EXISTS (SELECT 1 FROM issues WHERE id = r.issue_id),
    NOT EXISTS (SELECT 1 FROM runs WHERE issue_id = r.issue_id AND seq > r.seq)
  FROM (SELECT 1) LEFT JOIN runs r ON r.id = coalesce(NEW.run_id,
    (SELECT run_id FROM witness_workers WHERE worker = 'name:' || NEW.key_id || ':' || NEW.worker));`;
const worker = `INSERT OR REPLACE INTO witness_workers VALUES (NEW.worker, NEW.id);`;
const renewal = `INSERT INTO witness_renewals
  VALUES (NEW.id, OLD.lease_expires_at, NEW.lease_expires_at, NEW.lease_seconds);`;

const triggers = {
  witness_admission: `AFTER INSERT ON admitted_calls BEGIN ${admission} END`,
  witness_readmission: `AFTER UPDATE OF worker ON admitted_calls BEGIN ${admission} END`,
  witness_start: `AFTER INSERT ON runs WHEN NEW.worker IS NOT NULL BEGIN ${worker} END`,
  witness_adoption: `AFTER UPDATE OF worker ON runs WHEN NEW.worker IS NOT NULL AND OLD.worker IS NULL
    BEGIN ${worker} END`,
  witness_renewal: `AFTER UPDATE OF lease_expires_at ON runs
    WHEN OLD.status = 'active' AND NEW.status = 'active' AND OLD.lease_seconds = NEW.lease_seconds
      AND NEW.lease_expires_at > OLD.lease_expires_at
    BEGIN ${renewal} END`,
};

/** Opens the database of the nodes beside them, and installs the witness. */
export const open = (file: string) => {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  const all = <A>(sql: string) => database.prepare(sql).all() as unknown as ReadonlyArray<A>;
  const admissions: Array<Admission> = [];
  const renewals: Array<Renewal> = [];
  let workers: ReadonlyArray<{ readonly worker: string; readonly runId: string }> = [];

  const resume = () => {
    database.exec(`BEGIN IMMEDIATE; ${tables}`);
    for (const [name, body] of Object.entries(triggers)) {
      database.exec(`CREATE TRIGGER ${name} ${body}`);
    }
    const insert = database.prepare("INSERT INTO witness_workers VALUES (?, ?)");
    for (const { runId, worker } of workers) insert.run(worker, runId);
    database.exec("COMMIT");
  };
  /** Takes the witness out and collects its notes: no node starts on a database with foreign triggers. */
  const suspend = () => {
    database.exec("BEGIN IMMEDIATE");
    admissions.push(
      ...all<Admission>(`SELECT call_id AS callId, run_id AS runId, at, until, status, outcome,
        ended_at AS endedAt, lease AS leaseExpiresAt, issue_exists AS issueExists, is_latest AS isLatest
        FROM witness_admissions ORDER BY seq`),
    );
    renewals.push(
      ...all<Renewal>(
        "SELECT run_id AS runId, before, after, lease_seconds AS leaseSeconds FROM witness_renewals",
      ),
    );
    workers = all("SELECT worker, run_id AS runId FROM witness_workers");
    for (const name of Object.keys(triggers)) database.exec(`DROP TRIGGER ${name}`);
    database.exec(
      "DROP TABLE witness_admissions; DROP TABLE witness_renewals; DROP TABLE witness_workers; COMMIT",
    );
  };
  resume();

  return {
    resume,
    suspend,
    admissions: admissions as ReadonlyArray<Admission>,
    renewals: renewals as ReadonlyArray<Renewal>,
    outcomes: () =>
      new Map(
        all<{ readonly outcome: string; readonly count: number }>(
          "SELECT outcome, count(*) AS count FROM tool_calls GROUP BY outcome",
        ).map(({ count, outcome }) => [outcome, count]),
      ),
    events: () =>
      all<{
        readonly kind: string;
        readonly subjectId: string;
        readonly actorType: string;
        readonly data: string;
      }>(
        "SELECT kind, subject_id AS subjectId, actor_type AS actorType, data FROM events ORDER BY seq",
      ),
    /** When each run ended, or its lease does. */
    ends: () =>
      new Map(
        all<{ readonly id: string; readonly at: string }>(
          "SELECT id, coalesce(ended_at, lease_expires_at) AS at FROM runs",
        ).map(({ at, id }) => [id, Date.parse(at)]),
      ),
    /** The issues with an active run. */
    held: () =>
      all<{ readonly id: string }>("SELECT issue_id AS id FROM runs WHERE status = 'active'"),
    paused: () =>
      all<{ readonly id: string }>("SELECT id FROM issues WHERE paused_because IS NOT NULL"),
    /** The number of issues that may be picked up. */
    open: () => all("SELECT 1 FROM issues WHERE status = 'Open' AND paused_because IS NULL").length,
    close: () => database.close(),
  };
};

export type Watch = ReturnType<typeof open>;
