import { Effect, Option, Stream } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as UsageSums from "../runs/UsageSums.ts";
import { type Clause, clause, limit, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";

/**
 * Copies a whole service from one engine to another. Both have the same tables, and the same cells
 * in them. The other tables are made again (`SearchFill`) or belong to one engine.
 */

type Sql = SqlClient.SqlClient;
type Result<A> = Effect.Effect<A, SqlError.SqlError>;

export interface Table {
  readonly name: string;
  /** The columns of a unique key, by which rows are read. */
  readonly key: ReadonlyArray<string>;
}

/** The cells of a row as text: numbers of JavaScript are exact only up to 2^53. */
export type Row = ReadonlyArray<string | null>;

/** Tables whose rows are numbered. `issues` comes first, so that a target with data is found soon. */
const numbered = [
  "issues",
  "links",
  "comments",
  "versions",
  "chapters",
  "attachments",
  "activity",
  "events",
  "questions",
  "agents",
  "runs",
  "run_log_chunks",
  "run_notes",
  "run_turns",
  "api_keys",
  "mcp_servers",
  "tool_calls",
  "admitted_calls",
  "catalog_entries",
  "audit_entries",
  "saved_views",
  "webhooks",
  "webhook_deliveries",
] as const;

const keyed: Readonly<Record<string, string>> = {
  sessions: "hash",
  ended_sessions: "key_id nonce",
  idempotency: "key_id idempotency_key",
  issue_counts: "project_id status",
  issue_labels: "project_id label seq",
  paused_projects: "project_id",
  project_settings: "project_id",
  projects: "id",
  project_prefixes: "prefix",
  issue_numbers: "project_id",
  former_numbers: "project_id number",
  run_logs: "run_id",
  mcp_secrets: "server_id name",
  mcp_tools: "server_id position",
  mcp_access: "agent_id server_seq",
  call_bodies: "call_id",
  effect_issues: "issue_id",
  effects: "call_id",
  usage_reports: "run_id key",
  usage_sessions: "agent_id session source provider model",
  usage_hours: "run_id source starts_at model",
  usage_runs: "run_id model",
  usage_sums: "unit starts agent_id project_id model",
  mentions: "issue_id name text_id",
  snoozes: "principal kind item_id",
  webhook_secrets: "webhook_id name",
  stats: "bucket kind id starts_at",
  stats_cursors: "source",
};

export const tables: ReadonlyArray<Table> = [
  ...numbered.map((name) => ({ name, key: ["seq"] })),
  ...Object.entries(keyed).map(([name, key]) => ({ name, key: key.split(" ") })),
];

/** The columns of a table. PostgreSQL has more, which belong to its rules. */
export const columnsOf = (sqlite: Sql, table: Table): Result<ReadonlyArray<string>> =>
  Effect.map(
    Prepared.run<readonly [name: string]>(
      sqlite,
      clause`SELECT name FROM pragma_table_info(${table.name}) ORDER BY cid`,
    ),
    (rows) => rows.map(([name]) => name),
  );

/** The rows of a table as a service sees them; follows `FROM`. */
const sourceOf = (sql: Sql, name: string, columns: ReadonlyArray<string>): string => {
  const all = columns.join(", ");
  switch (name) {
    case "issue_counts":
      return `(SELECT project_id, status, sum(count) AS count FROM issue_counts
        GROUP BY project_id, status HAVING sum(count) <> 0) AS issue_counts`;
    case "sessions":
      // A token ends with its session. SQLite may still have its row.
      return `(SELECT ${all} FROM sessions
        WHERE parent IS NULL OR parent IN (SELECT hash FROM sessions)) AS sessions`;
    case "attachment_bytes":
      return `(SELECT attachment_id, n, encode(sha256(bytes), 'hex') AS sha256
        FROM attachment_bytes) AS attachment_bytes`;
    case "events":
      return Dialect.either(
        sql,
        name,
        `(SELECT ${all} FROM events UNION ALL
          SELECT (SELECT last FROM event_head) + row_number() OVER (ORDER BY place),
            ${columns.filter((column) => column !== "seq").join(", ")} FROM events_new) AS events`,
      );
    case "usage_sums":
      return Dialect.either(sql, name, UsageSums.total);
    default:
      return name;
  }
};

/** Key columns that are numbers. */
const whole = new Set(["seq", "server_seq", "position", "source", "n"]);
const isWhole = (name: string, column: string) =>
  whole.has(column) && !(name === "stats_cursors" && column === "source");

const mostRows = 500;
const sliceCharacters = 4 * 1024 * 1024;

/** As many rows as have about 4 MiB, if they are as large as the rows of the last slice. */
const nextLimit = (rows: ReadonlyArray<Row>): number => {
  let size = 0;
  for (const row of rows) for (const cell of row) size += cell?.length ?? 0;
  return Math.max(1, Math.min(mostRows, Math.floor((sliceCharacters * rows.length) / (size + 1))));
};

interface Position {
  readonly after: Row | null;
  readonly limit: number;
}

/** Reads a table in slices, in the order of its key. */
export const slices = (
  sql: Sql,
  { key, name }: Table,
  columns: ReadonlyArray<string>,
): Stream.Stream<ReadonlyArray<Row>, SqlError.SqlError> => {
  const places = key.map((column) => columns.indexOf(column));
  const keys = key.map((column) => `${name}.${column}`).join(", ");
  const start = `SELECT ${columns.map((column) => `CAST(${name}.${column} AS TEXT)`).join(", ")}
    FROM ${sourceOf(sql, name, columns)}`;
  const values = key
    .map((column) => (isWhole(name, column) ? "CAST(? AS BIGINT)" : "?"))
    .join(", ");
  const beyond = (after: Row | null): Clause =>
    after === null
      ? raw("")
      : {
          text: `WHERE (${keys}) > (${values})`,
          params: places.map((place) => after[place] ?? null),
        };
  const initial: Position = { after: null, limit: 100 };
  return Stream.paginate(initial, (position) =>
    Effect.map(
      Prepared.run<Row>(
        sql,
        clause`${raw(start)} ${beyond(position.after)} ORDER BY ${raw(keys)} ${limit(position.limit)}`,
      ),
      (rows) => [
        rows.length === 0 ? [] : [rows],
        rows.length < position.limit
          ? Option.none<Position>()
          : Option.some({ after: rows.at(-1) ?? null, limit: nextLimit(rows) }),
      ],
    ),
  );
};

export const count = (sql: Sql, table: string): Result<number> =>
  Effect.map(
    Prepared.run<readonly [count: number]>(sql, clause`SELECT count(*) FROM ${raw(table)}`),
    ([row]) => row?.[0] ?? 0,
  );

/**
 * Copies the rows that `to` does not have yet, each slice in a transaction: what `to` has are the
 * first ones. `see` gets every row of `from`.
 */
export const copy = Effect.fnUntraced(function* (
  from: Sql,
  to: Sql,
  table: Table,
  columns: ReadonlyArray<string>,
  see: (row: Row) => void = () => undefined,
) {
  const names = columns.join(", ");
  const insert = Prepared.batch(
    to,
    table.name,
    columns,
    (values) => `INSERT INTO ${table.name} (${names}) ${values}`,
  );
  let known = yield* count(to, table.name);
  yield* Stream.runForEach(slices(from, table, columns), (rows) => {
    rows.forEach(see);
    const added = rows.slice(known);
    known = Math.max(0, known - rows.length);
    return added.length === 0 ? Effect.void : to.withTransaction(insert(added));
  });
});

/** The highest number that a row of the table ever had. */
const highest = (sql: Sql, name: string): Clause => {
  if (!Dialect.isPostgres(sql)) {
    return clause`SELECT coalesce(max(seq), 0) FROM (
      SELECT seq FROM sqlite_sequence WHERE name = ${name} UNION ALL SELECT seq FROM ${raw(name)})`;
  }
  return name === "events"
    ? clause`SELECT last + (SELECT count(*) FROM events_new) FROM event_head`
    : clause`SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(${name}, 'seq')::regclass), 0)`;
};

const raise = (sql: Sql, name: string, seq: number): ReadonlyArray<Clause> => {
  if (!Dialect.isPostgres(sql)) {
    return [
      clause`DELETE FROM sqlite_sequence WHERE name = ${name}`,
      clause`INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${seq})`,
    ];
  }
  return [
    name === "events"
      ? clause`UPDATE event_head SET last = ${seq}`
      : clause`SELECT setval(pg_get_serial_sequence(${name}, 'seq')::regclass, ${seq}::bigint)`,
  ];
};

/** Continues the numbers of `from`: a number is never given to another row. Requires a transaction of `to`. */
export const continueNumbers = Effect.fnUntraced(function* (from: Sql, to: Sql) {
  for (const name of numbered) {
    const [row] = yield* Prepared.run<readonly [seq: number]>(from, highest(from, name));
    const seq = row?.[0] ?? 0;
    if (seq === 0) continue;
    for (const statement of raise(to, name, seq)) yield* Prepared.execute(to, statement);
  }
});
