import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Webhooks, their sealed values and their deliveries. */
const statements = [
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
];

export const webhooks = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
