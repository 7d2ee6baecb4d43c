import { Deferred, Effect, Exit, type Scope } from "effect";
import { SqlError, type SqlConnection } from "effect/sql";

/**
 * Transactions on one connection, one at a time. Those that wait at the same time form a group:
 * the first opens it, each other runs in a savepoint of its own, the last one commits for all, and
 * only then is any of them answered. So one sync to disk serves many, and one alone waits for nobody.
 */

export interface Options {
  readonly connection: SqlConnection.Connection;
  /** Whether a transaction is open on the connection. SQLite may end one by itself (disk full). */
  readonly isTransaction: () => boolean;
}

type Fallible<A> = Effect.Effect<A, SqlError.SqlError>;

interface Group {
  /** How many transactions have joined it. */
  size: number;
  /** Its size when it last let other fibers run, so that they could join. */
  gathered: number;
  /** It must not be committed. */
  broken: boolean;
  readonly outcome: Deferred.Deferred<void, SqlError.SqlError>;
}

interface Waiter {
  readonly turn: Deferred.Deferred<void, SqlError.SqlError>;
  granted: boolean;
  /** The group it joins; without one it opens the next. */
  group: Group | undefined;
}

/** The connection as one transaction sees it: of no use once the transaction is over. */
export interface Turn extends SqlConnection.Connection {
  group: Group | undefined;
  /** It opened the group. Nobody joins before it is done, so it needs no savepoint. */
  first: boolean;
  /** It has begun, and is neither kept nor undone. */
  open: boolean;
  /** The next one's turn has come. */
  passed: boolean;
}

const largestGroup = 64;

/** Each waits for as long as the connection's busy timeout, and lets other fibers run after it. */
const beginAttempts = 1_000;

const transactionError = (message: string) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ message, cause: undefined, operation: "transaction" }),
  });

const lost = () => transactionError("SQLite ended the transaction: nothing of it is kept");

const makeTurn = ({ connection, isTransaction }: Options): Turn => {
  const guard = <Args extends ReadonlyArray<unknown>, A>(f: (...args: Args) => Fallible<A>) => {
    return (...args: Args): Fallible<A> =>
      Effect.suspend(() => {
        if (!turn.open) return Effect.die(new Error("a statement of a transaction that is over"));
        return isTransaction() ? f(...args) : Effect.fail(lost());
      });
  };
  const turn: Turn = {
    execute: guard(connection.execute),
    executeRaw: guard(connection.executeRaw),
    executeStream: connection.executeStream,
    executeValues: guard(connection.executeValues),
    executeValuesUnprepared: guard(connection.executeValuesUnprepared),
    executeUnprepared: guard(connection.executeUnprepared),
    group: undefined,
    first: false,
    open: false,
    passed: false,
  };
  return turn;
};

/** What `SqlClient.makeWithTransaction` asks of a driver. */
export const make = (options: Options) => {
  const { connection, isTransaction } = options;
  const waiting = new Set<Waiter>();
  let busy = false;

  const exec = (sql: string): Fallible<void> =>
    Effect.asVoid(connection.execute(sql, [], undefined));

  const grant = (waiter: Waiter, group: Group | undefined) => {
    waiting.delete(waiter);
    waiter.granted = true;
    waiter.group = group;
    Deferred.doneUnsafe(waiter.turn, Exit.void);
  };

  const openNext = Effect.sync(() => {
    const [waiter] = waiting;
    if (waiter === undefined) busy = false;
    else grant(waiter, undefined);
  });

  const commitGroup = (group: Group): Effect.Effect<void> =>
    Effect.suspend(() =>
      isTransaction() && !group.broken ? exec("COMMIT") : Effect.fail(lost()),
    ).pipe(
      Effect.onError(() => (isTransaction() ? Effect.ignore(exec("ROLLBACK")) : Effect.void)),
      Effect.exit,
      Effect.flatMap((exit) => {
        Deferred.doneUnsafe(group.outcome, exit);
        return openNext;
      }),
    );

  /** Gives the group's next transaction its turn, or commits if nobody waits. */
  const passOn = (group: Group): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (!isTransaction() || group.broken || group.size >= largestGroup) return commitGroup(group);
      const [waiter] = waiting;
      if (waiter !== undefined) {
        group.size++;
        grant(waiter, group);
        return Effect.void;
      }
      if (group.gathered === group.size) return commitGroup(group);
      group.gathered = group.size;
      return Effect.andThen(Effect.yieldNow, passOn(group));
    });

  const passTurn = (turn: Turn) =>
    Effect.suspend(() => {
      turn.passed = true;
      return turn.group === undefined ? openNext : passOn(turn.group);
    });

  type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

  const takeTurn = Effect.fnUntraced(function* (turn: Turn, restore: Restore) {
    if (!busy) {
      busy = true;
      return;
    }
    const waiter: Waiter = { turn: Deferred.makeUnsafe(), granted: false, group: undefined };
    waiting.add(waiter);
    yield* Effect.onInterrupt(restore(Deferred.await(waiter.turn)), () => {
      turn.group = waiter.group;
      return waiter.granted ? passTurn(turn) : Effect.sync(() => waiting.delete(waiter));
    });
    turn.group = waiter.group;
  });

  const begin = (restore: Restore, attempts: number): Fallible<void> =>
    Effect.catchIf(
      exec("BEGIN IMMEDIATE"),
      (error) => error.reason._tag === "LockTimeoutError" && attempts > 1,
      () => Effect.andThen(restore(Effect.yieldNow), begin(restore, attempts - 1)),
    );

  /** Whoever waited while the group could not be opened would fail like it, one after the other. */
  const refuseAll = (error: SqlError.SqlError) =>
    Effect.sync(() => {
      for (const waiter of waiting) Deferred.doneUnsafe(waiter.turn, Exit.fail(error));
      waiting.clear();
    });

  const discard = (turn: Turn): Effect.Effect<void> =>
    Effect.suspend(() => {
      turn.open = false;
      if (!isTransaction()) return Effect.void;
      return Effect.catch(
        turn.first
          ? exec("ROLLBACK")
          : Effect.andThen(exec("ROLLBACK TO SAVEPOINT change"), exec("RELEASE SAVEPOINT change")),
        () =>
          Effect.sync(() => {
            if (turn.group !== undefined) turn.group.broken = true;
          }),
      );
    });

  return {
    acquireConnection: Effect.fnUntraced(function* (
      restore: Restore,
    ): Effect.fn.Return<Turn, SqlError.SqlError, Scope.Scope> {
      const turn = makeTurn(options);
      yield* takeTurn(turn, restore);
      yield* Effect.addFinalizer(() =>
        Effect.andThen(
          turn.open ? discard(turn) : Effect.void,
          turn.passed ? Effect.void : passTurn(turn),
        ),
      );
      if (turn.group === undefined) {
        yield* Effect.tapError(begin(restore, beginAttempts), refuseAll);
        turn.first = true;
        turn.group = { size: 1, gathered: 0, broken: false, outcome: Deferred.makeUnsafe() };
      }
      return turn;
    }),
    begin: (turn: Turn) =>
      Effect.tap(turn.first ? Effect.void : exec("SAVEPOINT change"), () =>
        Effect.sync(() => {
          turn.open = true;
        }),
      ),
    savepoint: (turn: Turn, id: number) =>
      Effect.asVoid(turn.execute(`SAVEPOINT nested_${id}`, [], undefined)),
    releaseSavepoint: (_: Turn, id: number) =>
      isTransaction() ? exec(`RELEASE SAVEPOINT nested_${id}`) : Effect.void,
    rollbackSavepoint: (_: Turn, id: number) =>
      isTransaction() ? exec(`ROLLBACK TO SAVEPOINT nested_${id}`) : Effect.void,
    rollback: discard,
    commit: Effect.fnUntraced(function* (turn: Turn) {
      if (!isTransaction()) return yield* lost();
      if (!turn.first) yield* exec("RELEASE SAVEPOINT change");
      turn.open = false;
      yield* passTurn(turn);
      if (turn.group !== undefined) yield* Deferred.await(turn.group.outcome);
    }),
  };
};
