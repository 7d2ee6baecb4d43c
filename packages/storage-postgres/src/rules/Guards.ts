import type { Errors } from "@quartermaster/core";
import { Clause, Prepared, StorageErrors } from "@quartermaster/storage-sql";
import { Effect, Option } from "effect";
import type { SqlClient } from "effect/sql";

/**
 * The means of the rules: rows that two transactions write although neither reads them, so that the
 * later one runs again. Outside a transaction they do nothing: a single statement sees what it sees.
 */

const { clause, list, raw } = Clause;

type Done = Effect.Effect<void, Errors.StorageError>;

/** The names `prefix 0` to `prefix count - 1`: one of them is touched often, all of them rarely. */
export const shards = (prefix: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}`);

/**
 * One of the names, in turn. In a transaction it is always the same: two that touched two names each, in
 * another order, would be a deadlock of a second.
 */
export interface OneOf {
  readonly oneOf: ReadonlyArray<string>;
}
export const oneOf = (names: ReadonlyArray<string>): OneOf => ({ oneOf: names });

type Name = string | OneOf;

/** The turns of transactions, by their connections. Nodes do not start with the same one. */
const turns = new WeakMap<object, number>();
let last = Math.floor(performance.timeOrigin);

const turnOf = (connection: object): number => {
  const turn = turns.get(connection) ?? ++last;
  turns.set(connection, turn);
  return turn;
};

/**
 * The issues that a transaction has locked or written, by its level: a rollback to a savepoint gives the locks
 * after it back.
 */
const heldBy = new WeakMap<object, Set<string>>();
/** The issues that a transaction has written. */
const writtenBy = new WeakMap<object, Set<string>>();

const issuesIn = (byLevel: WeakMap<object, Set<string>>, level: object): Set<string> => {
  const ids = byLevel.get(level) ?? new Set();
  byLevel.set(level, ids);
  return ids;
};

export interface Guards {
  /** Writes these rows of the table `guards`. */
  readonly touch: (...names: ReadonlyArray<Name>) => Done;
  /** Writes rows of `issue_guards`: each name of each issue that the query returns. */
  readonly touchOf: (issues: Clause.Clause, names: ReadonlyArray<Name>) => Done;
  /**
   * Writes one row of `issue_guards` for each issue that the query returns, and an issue of which it is the first
   * such row. So `touchAllOf` of the same names conflicts with it.
   */
  readonly touchOneOf: (issues: Clause.Clause, names: OneOf) => Done;
  /** Writes issues that the transaction has not written, and those rows of `issue_guards` that they have. */
  readonly touchAllOf: (issueIds: ReadonlyArray<string>, names: OneOf) => Done;
  /** Runs a statement, such as a lock, and ignores its rows. */
  readonly execute: (statement: Clause.Clause) => Done;
  /** Locks issues, by `seq`. A transaction that reads an older state of them runs again. */
  readonly lockIssues: (issueIds: ReadonlyArray<string>) => Done;
  /** Notes that the transaction has written these issues, so that they are not locked again. */
  readonly wroteIssues: (issues: ReadonlyArray<{ readonly id: string }>) => Done;
}

export const make = (sql: SqlClient.SqlClient): Guards => {
  type Level = SqlClient.TransactionConnection.Service;
  const inTransaction = (use: (level: Level) => Done): Done =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
      Option.isSome(transaction) ? use(transaction.value) : Effect.void,
    );
  const send = (statement: Clause.Clause) => StorageErrors.mapped(Prepared.execute(sql, statement));
  const executeIn = (statementOf: (turn: number) => Clause.Clause): Done =>
    inTransaction(([connection]) => send(statementOf(turnOf(connection))));
  const execute = (statement: Clause.Clause) => executeIn(() => statement);
  const nameOf = (name: Name, turn: number): string =>
    typeof name === "string" ? name : (name.oneOf[turn % name.oneOf.length] ?? "");
  const json = (names: ReadonlyArray<Name>, turn: number): string =>
    JSON.stringify(names.map((name) => nameOf(name, turn)));
  const write = (issueIds: ReadonlyArray<string>) =>
    send(clause`UPDATE issues SET guard = guard + 1 WHERE seq = ANY (ARRAY(
      SELECT seq FROM issues WHERE id IN ${list(issueIds)}
      ORDER BY seq ${raw("FOR NO KEY UPDATE")}))`);
  return {
    execute,
    touch: (...names) =>
      executeIn(
        (turn) => clause`INSERT INTO guards (name, n)
        SELECT value, 0 FROM json_each(${json(names, turn)})
        ORDER BY value ON CONFLICT (name) DO UPDATE SET n = guards.n + 1`,
      ),
    touchOf: (issues, names) =>
      executeIn(
        (turn) => clause`INSERT INTO issue_guards (issue_id, name, n)
        SELECT i.id, g.value, 0 FROM (${issues}) i (id), json_each(${json(names, turn)}) g
        ORDER BY 1, 2 ON CONFLICT (issue_id, name) DO UPDATE SET n = issue_guards.n + 1`,
      ),
    touchOneOf: (issues, names) =>
      executeIn(
        (turn) => clause`WITH touched AS (
          INSERT INTO issue_guards (issue_id, name, n)
          SELECT i.id, ${nameOf(names, turn)}, 0 FROM (${issues}) i (id) ORDER BY 1
          ON CONFLICT (issue_id, name) DO UPDATE SET n = issue_guards.n + 1 RETURNING issue_id, n
        )
        UPDATE issues SET guard = guard + 1 WHERE seq = ANY (ARRAY(
          SELECT seq FROM issues WHERE id IN (SELECT issue_id FROM touched WHERE n = 0)
          ORDER BY seq ${raw("FOR NO KEY UPDATE")}))`,
      ),
    touchAllOf: (issueIds, { oneOf }) =>
      inTransaction((level) => {
        const written = issuesIn(writtenBy, level);
        const unwritten = issueIds.filter((id) => !written.has(id));
        const touched = send(clause`UPDATE issue_guards SET n = n + 1
          WHERE ctid = ANY (ARRAY(SELECT ctid FROM issue_guards
            WHERE issue_id IN ${list(issueIds)} AND name IN ${list(oneOf)}
            ORDER BY issue_id, name ${raw("FOR NO KEY UPDATE")}))`);
        return unwritten.length === 0 ? touched : Effect.andThen(write(unwritten), touched);
      }),
    lockIssues: (issueIds) =>
      inTransaction((level) => {
        const held = issuesIn(heldBy, level);
        const free = issueIds.filter((id) => !held.has(id));
        const [first] = free;
        if (first === undefined) return Effect.void;
        for (const id of free) held.add(id);
        return send(
          free.length === 1
            ? clause`SELECT 1 FROM issues WHERE id = ${first} ${raw("FOR NO KEY UPDATE")}`
            : clause`SELECT 1 FROM issues WHERE id IN ${list(free)}
                ORDER BY seq ${raw("FOR NO KEY UPDATE")}`,
        );
      }),
    wroteIssues: (issues) =>
      inTransaction((level) =>
        Effect.sync(() => {
          for (const { id } of issues) {
            issuesIn(heldBy, level).add(id);
            issuesIn(writtenBy, level).add(id);
          }
        }),
      ),
  };
};
