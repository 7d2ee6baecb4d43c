import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { type Errors, Timestamp } from "@quartermaster/core";
import { StorageErrors } from "@quartermaster/storage-sql";
import { Clock, Effect, Option } from "effect";
import { SqlClient } from "effect/sql";
import * as Bucket from "./attachments/Bucket.ts";
import * as PostgresClient from "./client/PostgresClient.ts";
import * as Migrations from "./migrations/Migrations.ts";

/** The state of a database, for operators. */
export interface Inspection extends Migrations.State {
  /** The version of the server, such as `18.4`. */
  readonly version: string;
  /** Whether the server refuses writes, as a standby does. */
  readonly isReadOnly: boolean;
  /** The difference of the database's clock and this machine's, in milliseconds. */
  readonly aheadMillis: number;
  /** Facts from the tables; null without all migrations of this version. */
  readonly tables: {
    /** Whether a move into the schema has started and not finished. */
    readonly isMoving: boolean;
    readonly secrets: ReadonlyArray<{
      readonly serverId: string;
      readonly serverName: string;
      readonly name: string;
      readonly keyId: string;
      readonly nonce: string;
      readonly sealed: string;
    }>;
    /** Webhooks with their pending deliveries that were due 5 minutes ago. */
    readonly webhooks: ReadonlyArray<{
      readonly id: string;
      readonly name: string;
      readonly status: string;
      readonly reason: string | null;
      readonly overdue: number;
      readonly oldest: string | null;
    }>;
    /** Runs whose lease expired 5 minutes ago and that no server has ended, at most 20. */
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
    /** As `secrets`, of webhooks. */
    readonly webhookSecrets: NonNullable<Inspection["tables"]>["secrets"];
  } | null;
}

const secrets = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<NonNullable<Inspection["tables"]>["secrets"][number]>`
    SELECT s.server_id AS "serverId", m.name AS "serverName", s.name, s.key_id AS "keyId", s.nonce, s.sealed
    FROM mcp_secrets s JOIN mcp_servers m ON m.id = s.server_id ORDER BY m.seq`,
);

const webhookSecrets = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<NonNullable<Inspection["tables"]>["secrets"][number]>`
    SELECT s.webhook_id AS "serverId", w.name AS "serverName", s.name, s.key_id AS "keyId", s.nonce, s.sealed
    FROM webhook_secrets s JOIN webhooks w ON w.id = s.webhook_id ORDER BY w.seq`,
);

/** The milliseconds by which a delivery or the end of a lease may be overdue. */
const graceMillis = 300_000;

const dueBefore = Effect.map(Clock.currentTimeMillis, (now) =>
  Timestamp.ofMillis(now - graceMillis),
);

const webhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const before = yield* dueBefore;
  return yield* sql<NonNullable<Inspection["tables"]>["webhooks"][number]>`
    SELECT w.id, w.name, w.status, w.status_reason AS reason, d.overdue, d.oldest
    FROM webhooks w CROSS JOIN LATERAL (
      SELECT count(*) AS overdue, min(next_attempt_at) AS oldest FROM webhook_deliveries
      WHERE webhook_id = w.id AND status = 'pending' AND next_attempt_at < ${before}
    ) AS d ORDER BY w.seq`;
});

const limit = 20;

const expiredRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const before = yield* dueBefore;
  return yield* sql<NonNullable<Inspection["tables"]>["expiredRuns"][number]>`
    SELECT id AS "runId", issue_id AS "issueId", agent_id AS "agentId", lease_expires_at AS "leaseExpiresAt"
    FROM runs WHERE status <> 'ended' AND lease_expires_at < ${before}
    ORDER BY lease_expires_at LIMIT ${limit}`;
});

const exhausted = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<NonNullable<Inspection["tables"]>["exhausted"][number]>`
    SELECT id AS "issueId", attempts FROM issues
    WHERE paused_because = 'tooManyAttempts' AND status NOT IN ('Resolved', 'Closed')
    ORDER BY seq LIMIT ${limit}`,
);

const servers = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<NonNullable<Inspection["tables"]>["servers"][number]>`
    SELECT name, status, entry::json ->> 'runtime' AS runtime FROM mcp_servers ORDER BY seq`,
);

const tables = Effect.all({
  isMoving: Migrations.isMoving,
  secrets,
  webhooks,
  expiredRuns,
  exhausted,
  servers,
  webhookSecrets,
});

/** Reads the state of the database. It changes nothing and takes no lock. */
export const inspect = (
  options: PostgresClient.Options,
): Effect.Effect<Inspection, Errors.StorageError> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const before = yield* Clock.currentTimeMillis;
    const [row] = yield* StorageErrors.mapped(sql<{
      readonly version: string;
      readonly standby: number;
      readonly millis: number;
    }>`SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      pg_is_in_recovery() AS standby,
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis`);
    const after = yield* Clock.currentTimeMillis;
    const state = yield* Migrations.state(PostgresClient.schemaOf(options));
    return {
      ...state,
      tables: state.missing.length > 0 ? null : yield* StorageErrors.mapped(tables),
      version: row?.version ?? "",
      isReadOnly: row?.standby === 1,
      aheadMillis: Math.round((row?.millis ?? 0) - (before + after) / 2),
    };
  }).pipe(Effect.provide(PostgresClient.layer({ ...options, pool: 1 })));

/** A step that the bucket of attachments does not allow. */
export interface BucketFailure {
  readonly step: "open" | "write" | "read" | "delete";
  readonly reason: string;
}

/** Writes an object to the bucket, reads it and removes it. Returns what fails. */
export const inspectBucket = (
  options: Bucket.Options,
): Effect.Effect<ReadonlyArray<BucketFailure>> =>
  Effect.gen(function* () {
    const failures: Array<BucketFailure> = [];
    const attempt = <A, R>(
      step: BucketFailure["step"],
      effect: Effect.Effect<A, Errors.StorageError, R>,
    ) =>
      effect.pipe(
        Effect.timeoutOrElse({
          duration: "10 seconds",
          orElse: () => Effect.fail({ reason: "it does not respond within 10 seconds" }),
        }),
        Effect.tapError(({ reason }) => Effect.sync(() => failures.push({ step, reason }))),
        Effect.option,
      );
    const bucket = yield* attempt("open", Bucket.make(options));
    if (Option.isNone(bucket)) return failures;
    const { get, put, remove } = bucket.value;
    const name = `probe-${yield* Clock.currentTimeNanos}`;
    const bytes = Buffer.from("probe");
    const upload = {
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest(),
      read: () => Readable.from([bytes]),
    };
    if (Option.isSome(yield* attempt("write", put(name, upload)))) {
      yield* attempt("read", get(name, 0, bytes.length));
      yield* attempt("delete", remove(name));
    }
    return failures;
  }).pipe(Effect.scoped);

/** Migrates the schema. Returns the names of the migrations that it ran. */
export const migrate = (
  options: PostgresClient.Options,
): Effect.Effect<ReadonlyArray<string>, Errors.StorageError> =>
  Effect.provide(
    Migrations.run(PostgresClient.schemaOf(options)),
    PostgresClient.layer({ ...options, pool: 1, hasSlowStatements: true }),
  );
