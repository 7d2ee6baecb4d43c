import { Context, Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { type Clause, clause, limit, raw } from "./Clause.ts";
import * as Dialect from "./Dialect.ts";

/**
 * Every node removes and expires rows at the same time, so on PostgreSQL a batch passes over rows
 * that another transaction has locked. SQLite runs transactions one after the other.
 */

type Sql = SqlClient.SqlClient;

/**
 * Compares a value with the column of a subselect that locks rows. PostgreSQL evaluates an array once;
 * a subselect of `IN` may be evaluated for each row, and would then lock more rows each time.
 */
export const within = (sql: Sql, select: Clause): Clause =>
  Dialect.either(sql, clause`IN (${select})`, clause`= ANY(ARRAY(${select}))`);

/** Restricts a write of a table to a batch of its rows. `rest` follows `FROM table`, and ends with a `LIMIT`. */
export const batch = (sql: Sql, table: string, keys: string, rest: Clause): Clause =>
  Dialect.either(
    sql,
    clause`(${raw(keys)}) IN (SELECT ${raw(keys)} FROM ${raw(table)} ${rest})`,
    clause`ctid ${within(
      sql,
      clause`SELECT ${raw(table)}.ctid FROM ${raw(table)} ${rest}
        FOR UPDATE OF ${raw(table)} SKIP LOCKED`,
    )}`,
  );

/**
 * Runs a query with the clause that locks its rows and passes over locked ones. The clause is empty
 * with SQLite and outside of a transaction.
 */
export const passing = <A>(
  sql: Sql,
  query: (skipping: Clause) => Effect.Effect<A, SqlError.SqlError>,
): Effect.Effect<A, SqlError.SqlError> =>
  Dialect.isPostgres(sql)
    ? Effect.withFiber((fiber) =>
        query(
          raw(
            Context.getOrUndefined(fiber.context, sql.transactionService) === undefined
              ? ""
              : Dialect.skipping(sql),
          ),
        ),
      )
    : query(raw(""));

/**
 * Selects the first rows of a table that are due. Their change also writes their issues, so in a
 * transaction of PostgreSQL it locks the issues as well: every other change locks an issue first.
 */
export const due = <A>(
  sql: Sql,
  table: "questions" | "runs",
  isDue: Clause,
  order: Clause,
  count: number,
  select: (rest: Clause) => Effect.Effect<A, SqlError.SqlError>,
): Effect.Effect<A, SqlError.SqlError> =>
  passing(sql, (skipping) => {
    const first = clause`WHERE ${isDue} ${order} ${limit(count)}`;
    if (skipping.text === "") return select(first);
    const unlocked = clause`WITH due AS (SELECT seq, issue_id FROM ${raw(table)} ${first}),
      held AS (SELECT id FROM issues WHERE id IN (SELECT issue_id FROM due) ${skipping})
      SELECT seq FROM due WHERE issue_id IN (SELECT id FROM held)
        OR NOT EXISTS (SELECT 1 FROM issues WHERE issues.id = due.issue_id)`;
    return select(clause`WHERE seq ${within(sql, unlocked)} ${order} ${skipping}`);
  });
