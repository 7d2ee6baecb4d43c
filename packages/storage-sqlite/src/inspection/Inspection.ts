import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Effect } from "effect";
import * as DiskAttachmentContent from "../files/DiskAttachmentContent.ts";
import * as NewestEvent from "../files/NewestEvent.ts";
import * as ReadOnly from "../files/ReadOnly.ts";
import * as RestoringFolder from "../files/RestoringFolder.ts";
import { manifest } from "../migrations/manifest.ts";
import * as Schema from "../migrations/Schema.ts";

/**
 * Diagnostic facts about a data directory. Reading them changes nothing and works while servers
 * run.
 */
export interface Inspection {
  /** Whether a restore is running or was interrupted. */
  readonly isRestoring: boolean;
  /** `missing`: the file does not exist. `unreadable`: SQLite cannot read it, with the reason. */
  readonly database:
    | { readonly state: "missing" }
    | { readonly state: "unreadable"; readonly reason: string }
    | { readonly state: "newer"; readonly migrations: string }
    | { readonly state: "older"; readonly problems: ReadonlyArray<string> }
    | ({ readonly state: "current" } & Facts);
}

export interface Facts {
  /** The damage that SQLite finds, at most 10 lines. */
  readonly problems: ReadonlyArray<string>;
  /** Differences from the schema of this version, at most 10 objects. */
  readonly schema: ReadonlyArray<string>;
  /** The recorded newest event, if the database ends before it. */
  readonly lost: { readonly noted: number; readonly found: number } | null;
  readonly newestChange: string | null;
  /** Attachments whose bytes are missing or have another size, at most 20. */
  readonly attachments: ReadonlyArray<{ readonly id: string; readonly path: string }>;
  /** Runs whose lease expired before the limit and that no server has ended, at most 20. */
  readonly expiredRuns: ReadonlyArray<{
    readonly runId: string;
    readonly issueId: string;
    readonly agentId: string;
    readonly leaseExpiresAt: string;
  }>;
  /** Issues paused because their runs died, at most 20. */
  readonly exhausted: ReadonlyArray<{ readonly issueId: string; readonly attempts: number }>;
  readonly servers: ReadonlyArray<{
    readonly name: string;
    readonly status: string;
    readonly runtime: string;
  }>;
  readonly secrets: ReadonlyArray<{
    readonly serverId: string;
    readonly serverName: string;
    readonly name: string;
    readonly keyId: string;
    readonly nonce: string;
    readonly sealed: string;
  }>;
  /** Webhooks with their pending deliveries that were due before the limit. */
  readonly webhooks: ReadonlyArray<{
    readonly id: string;
    readonly name: string;
    readonly status: string;
    readonly reason: string | null;
    readonly overdue: number;
    /** The time at which the oldest of these was due. */
    readonly oldest: string | null;
  }>;
  /** As `secrets`, of webhooks. */
  readonly webhookSecrets: Facts["secrets"];
}

const limit = 20;

const text = (value: unknown): string => String(value);

/** The recorded newest event, if the database ends before it. */
export const lost = (db: DatabaseSync, dataDir: string) => {
  const note = join(dataDir, "newest-event");
  const noted = existsSync(note) ? NewestEvent.parse(readFileSync(note, "utf8")) : undefined;
  const found = ReadOnly.newestEvent(db);
  return noted !== undefined && found < noted ? { noted, found } : null;
};

/** Checks every row, because any file may be missing. */
const damagedAttachments = (db: DatabaseSync, dataDir: string) => {
  const damaged: Array<{ readonly id: string; readonly path: string }> = [];
  for (const row of db.prepare("SELECT id, size FROM attachments ORDER BY seq").iterate()) {
    const id = text(row["id"]);
    const path = DiskAttachmentContent.fileOf(join(dataDir, "attachments"), id) ?? dataDir;
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size !== row["size"]) damaged.push({ id, path });
    if (damaged.length === limit) break;
  }
  return damaged.filter(({ id }) => {
    // The attachment may have been deleted since the statement started.
    const rows = ReadOnly.rows(db, "SELECT 1 FROM attachments WHERE id = ?", id);
    return rows.length > 0;
  });
};

const secretsOf = (db: DatabaseSync, query: string): Facts["secrets"] =>
  ReadOnly.rows(db, query).map((row) => ({
    serverId: text(row["owner"]),
    serverName: text(row["owner_name"]),
    name: text(row["name"]),
    keyId: text(row["key_id"]),
    nonce: text(row["nonce"]),
    sealed: text(row["sealed"]),
  }));

const factsOf = (db: DatabaseSync, dataDir: string, expiredBefore: string): Facts => ({
  problems: problemsOf(db),
  schema: Schema.differences(ReadOnly.schema(db)).slice(0, 10),
  lost: lost(db, dataDir),
  newestChange: ReadOnly.newestChange(db),
  attachments: damagedAttachments(db, dataDir),
  expiredRuns: ReadOnly.rows(
    db,
    `SELECT id, issue_id, agent_id, lease_expires_at FROM runs
      WHERE status <> 'ended' AND lease_expires_at < ? ORDER BY lease_expires_at LIMIT ?`,
    expiredBefore,
    limit,
  ).map((row) => ({
    runId: text(row["id"]),
    issueId: text(row["issue_id"]),
    agentId: text(row["agent_id"]),
    leaseExpiresAt: text(row["lease_expires_at"]),
  })),
  exhausted: ReadOnly.rows(
    db,
    `SELECT id, attempts FROM issues
      WHERE paused_because = 'tooManyAttempts' AND status NOT IN ('Resolved', 'Closed')
      ORDER BY seq LIMIT ?`,
    limit,
  ).map((row) => ({ issueId: text(row["id"]), attempts: Number(row["attempts"]) })),
  servers: ReadOnly.rows(
    db,
    `SELECT name, status, json_extract(entry, '$.runtime') AS runtime FROM mcp_servers ORDER BY seq`,
  ).map((row) => ({
    name: text(row["name"]),
    status: text(row["status"]),
    runtime: text(row["runtime"]),
  })),
  secrets: secretsOf(
    db,
    `SELECT server_id AS owner, mcp_servers.name AS owner_name, mcp_secrets.name, key_id, nonce, sealed
      FROM mcp_secrets JOIN mcp_servers ON mcp_servers.id = server_id ORDER BY mcp_servers.seq`,
  ),
  webhooks: ReadOnly.rows(
    db,
    `SELECT id, name, status, status_reason, count(due) AS overdue, min(due) AS oldest
      FROM webhooks LEFT JOIN (
        SELECT webhook_id, next_attempt_at AS due FROM webhook_deliveries
        WHERE status = 'pending' AND next_attempt_at < ?
      ) ON webhook_id = id
      GROUP BY id ORDER BY seq`,
    expiredBefore,
  ).map((row) => ({
    id: text(row["id"]),
    name: text(row["name"]),
    status: text(row["status"]),
    reason: row["status_reason"] === null ? null : text(row["status_reason"]),
    overdue: Number(row["overdue"]),
    oldest: row["oldest"] === null ? null : text(row["oldest"]),
  })),
  webhookSecrets: secretsOf(
    db,
    `SELECT webhook_id AS owner, webhooks.name AS owner_name, webhook_secrets.name, key_id, nonce, sealed
      FROM webhook_secrets JOIN webhooks ON webhooks.id = webhook_id ORDER BY webhooks.seq`,
  ),
});

const problemsOf = (db: DatabaseSync): ReadonlyArray<string> => [
  ...ReadOnly.texts(db, "PRAGMA integrity_check(10)").filter((problem) => problem !== "ok"),
  ...ReadOnly.texts(db, "PRAGMA foreign_key_check")
    .slice(0, 1)
    .map((table) => `a row of ${table} names a row that does not exist`),
];

const inspectDatabase = (dataDir: string, expiredBefore: string): Inspection["database"] => {
  const filename = join(dataDir, "quartermaster.db");
  if (!existsSync(filename)) return { state: "missing" };
  return ReadOnly.undisturbed(filename, (db) => {
    const migrations = ReadOnly.migrations(db) ?? [];
    const unknown = migrations.filter((name) => !Object.hasOwn(manifest, name));
    if (unknown.length > 0) return { state: "newer", migrations: unknown.join(", ") };
    if (migrations.length < Object.keys(manifest).length) {
      return { state: "older", problems: problemsOf(db) };
    }
    return { state: "current", ...factsOf(db, dataDir, expiredBefore) };
  });
};

/**
 * Inspects a data directory. `expiredBefore`: later expiries are ignored, because a server may
 * still end their runs in time.
 */
export const inspect = (dataDir: string, expiredBefore: string): Effect.Effect<Inspection> =>
  Effect.sync(() => {
    const isRestoring = RestoringFolder.isThere(dataDir);
    try {
      return { isRestoring, database: inspectDatabase(dataDir, expiredBefore) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return { isRestoring, database: { state: "unreadable", reason } };
    }
  });
