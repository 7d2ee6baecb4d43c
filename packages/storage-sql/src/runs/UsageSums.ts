import { Usage } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { type Clause, clause, limit, list, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";

/**
 * Sums of `usage_hours` that change with it: `usage_sums` by day and month, and in `usage_runs` the first
 * and the last hour of each run. Both have each model, and '' for all models together.
 *
 * A run may count in many groups, so runs are not added up like tokens. `runs` are the runs that
 * reported in the day or month, `first_runs` the runs that first reported then.
 *
 * On PostgreSQL two turns that write one row conflict, and all turns of an agent change the same sums.
 * So a change appends to `usage_differences`, reads add both tables up, and `fold` moves differences
 * to the sums in the background.
 */

type Sql = SqlClient.SqlClient;

/** The columns of `Usage.names`, in their order. */
export const columns = Usage.names.map((name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

/** Far from 2^63, at which integers end. Responses stop at 2^53 - 1. */
const most = "1000000000000000000";

const keys = "unit, starts, agent_id, project_id, model";
const counts = ["runs", "first_runs", ...columns];
const all = `${keys}, ${counts.join(", ")}`;

const start = (column: string) => `substr(${column}, 1, length)`;

/**
 * The sum of a column, at most `largest`. SQLite's `sum` fails beyond 64 bits; `total` has no limit, and
 * is exact up to 2^53.
 */
export const capped = (sql: Sql, column: string, largest: number | string): string =>
  Dialect.either(
    sql,
    `CAST(min(total(${column}), ${largest}) AS INTEGER)`,
    `CAST(least(sum(${column}), ${largest}) AS bigint)`,
  );

/** A sum of sums: it has no limit. */
export const summed = (sql: Sql, column: string): string =>
  Dialect.either(sql, `total(${column})`, `sum(${column})`);

/** The sums as a table. */
export const table = (sql: Sql): Clause =>
  raw(
    Dialect.either(
      sql,
      "usage_sums",
      `(SELECT ${all} FROM usage_sums UNION ALL SELECT ${all} FROM usage_differences) AS usage_sums`,
    ),
  );

/** The content of `usage_hours` of the runs, with a sign. */
const counted = (sql: Sql, runIds: ReadonlyArray<string>, sign: "+" | "-"): Clause =>
  clause`SELECT unit, ${raw(start("starts_at"))} AS starts, usage_runs.agent_id, usage_runs.project_id,
      usage_runs.model, ${raw(sign)} count(DISTINCT usage_runs.run_id) AS runs,
      ${raw(sign)} count(DISTINCT CASE WHEN ${raw(start("first_at"))} = ${raw(start("starts_at"))} THEN usage_runs.run_id END) AS first_runs,
      ${raw(columns.map((column) => `${sign} ${capped(sql, column, most)} AS ${column}`).join(", "))}
    FROM (SELECT 'day' AS unit, 10 AS length UNION ALL SELECT 'month', 7) AS units
    CROSS JOIN usage_runs
    JOIN usage_hours ON usage_hours.run_id = usage_runs.run_id
      AND usage_runs.model IN ('', usage_hours.model)
    WHERE usage_runs.run_id IN ${list(runIds)} AND counted = 1 GROUP BY 1, 2, 3, 4, 5`;

/** Adds to the sums what the runs have in `usage_hours`, or subtracts it. */
const count = (sql: Sql, runIds: ReadonlyArray<string>, sign: "+" | "-"): Clause =>
  clause`INSERT INTO usage_sums (${raw(all)}) ${counted(sql, runIds, sign)}
    ON CONFLICT DO UPDATE SET ${raw(
      counts
        .map((column) => `${column} = min(usage_sums.${column} + excluded.${column}, ${most})`)
        .join(", "),
    )}`;

const isAnything = counts.map((column) => `sum(${column}) <> 0`).join(" OR ");

/** Appends what the runs have in `usage_hours`, together with `before`, which has negative values. */
const append = (sql: Sql, runIds: ReadonlyArray<string>, before: string): Clause =>
  clause`INSERT INTO usage_differences (${raw(all)})
    SELECT ${raw(keys)}, ${raw(counts.map((column) => `sum(${column})`).join(", "))}
    FROM (
      ${counted(sql, runIds, "+")}
      UNION ALL SELECT ${raw(all)} FROM json_populate_recordset(NULL::usage_sums, CAST(${before} AS json))
    ) AS changes GROUP BY ${raw(keys)} HAVING ${raw(isAnything)}`;

const bounded = (value: string) => `greatest(least(${value}, ${most}), -${most})`;

/** The sums with the differences that wait, on PostgreSQL; follows `FROM`. */
export const total = `(SELECT ${keys}, ${counts.map((column) => `${bounded(`sum(${column})`)} AS ${column}`).join(", ")}
  FROM (SELECT ${all} FROM usage_sums UNION ALL SELECT ${all} FROM usage_differences) AS sums
  GROUP BY ${keys}) AS usage_sums`;

/** Moves differences to the sums, on PostgreSQL, and returns how many. Several nodes do it at the same time. */
export const fold = (sql: Sql, count: number): Clause =>
  clause`WITH taken AS (
      DELETE FROM usage_differences
      WHERE ${Locks.batch(sql, "usage_differences", "", limit(count))} RETURNING ${raw(all)}
    ), folded AS (
      INSERT INTO usage_sums (${raw(all)})
      SELECT ${raw(keys)}, ${raw(counts.map((column) => bounded(`sum(${column})`)).join(", "))}
      FROM taken GROUP BY ${raw(keys)} HAVING ${raw(isAnything)} ORDER BY ${raw(keys)}
      ON CONFLICT (${raw(keys)}) DO UPDATE SET ${raw(
        counts
          .map((column) => `${column} = ${bounded(`usage_sums.${column} + excluded.${column}`)}`)
          .join(", "),
      )} RETURNING 1
    ) SELECT count(*), (SELECT count(*) FROM folded) FROM taken`;

/** Removes sums of days before a day that have nothing left. */
export const removeEmpty = (sql: Sql, day: string, count: number): Clause => {
  const old = clause`unit IN ('day', 'month') AND starts < ${day} AND runs = 0`;
  const isEmpty = raw(counts.map((column) => `${column} = 0`).join(" AND "));
  return clause`DELETE FROM usage_sums WHERE ${Dialect.either(
    sql,
    old,
    // While differences wait, a sum without runs may have tokens.
    Locks.batch(sql, "usage_sums", "", clause`WHERE ${old} AND ${isEmpty} ${limit(count)}`),
  )}`;
};

/**
 * Reads the first and the last hour of the runs from `usage_hours`. Most reports change neither. On
 * PostgreSQL they write the rows all the same, so that two changes of a run conflict.
 */
const span = (sql: Sql, runIds: ReadonlyArray<string>): ReadonlyArray<Clause> => [
  clause`DELETE FROM usage_runs WHERE run_id IN ${list(runIds)} AND NOT EXISTS (
    SELECT 1 FROM usage_hours
    WHERE usage_hours.run_id = usage_runs.run_id AND counted = 1
      AND usage_runs.model IN ('', usage_hours.model)
  )`,
  clause`INSERT INTO usage_runs
    SELECT run_id, CASE of_all WHEN 1 THEN '' ELSE model END AS of_model,
      min(agent_id), min(project_id), min(issue_id), min(starts_at), max(starts_at)
    FROM usage_hours CROSS JOIN (SELECT 1 AS of_all UNION ALL SELECT 0) AS models
    WHERE run_id IN ${list(runIds)} AND counted = 1 GROUP BY run_id, of_model
    ON CONFLICT (run_id, model) DO UPDATE
      SET first_at = excluded.first_at, last_at = excluded.last_at
    ${raw(
      Dialect.either(sql, "WHERE first_at <> excluded.first_at OR last_at <> excluded.last_at", ""),
    )}`,
];

/** Makes a change of the rows of these runs in `usage_hours`, and of the sums. */
export const changing = <A, E>(
  sql: Sql,
  runIds: ReadonlyArray<string>,
  change: Effect.Effect<A, E>,
): Effect.Effect<A, E | SqlError.SqlError> =>
  Effect.gen(function* () {
    const isAppended = Dialect.isPostgres(sql);
    const [before] = isAppended
      ? yield* Prepared.run<readonly [rows: string]>(
          sql,
          // As text, because numbers of JavaScript are exact only up to 2^53.
          clause`SELECT CAST(coalesce(json_agg(old), '[]') AS text)
            FROM (${counted(sql, runIds, "-")}) AS old`,
        )
      : yield* Prepared.run<readonly [rows: string]>(sql, count(sql, runIds, "-"));
    const result = yield* change;
    for (const clause of span(sql, runIds)) yield* Prepared.execute(sql, clause);
    yield* Prepared.execute(
      sql,
      isAppended ? append(sql, runIds, before?.[0] ?? "[]") : count(sql, runIds, "+"),
    );
    return result;
  });
