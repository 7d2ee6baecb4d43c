import { Span } from "@quartermaster/core";
import { Context, Deferred, Effect, Exit, Semaphore } from "effect";
import { SqlError, type SqlClient, type SqlConnection } from "effect/sql";

/**
 * Transactions on one connection, one at a time. Those that wait at the same time form a group:
 * the first opens it, each other runs in a savepoint of its own, the last one commits for all, and
 * only then is any of them answered. So one sync to disk serves many, and one alone waits for nobody.
 *
 * It stands in the place of `SqlClient.makeWithTransaction`, which spends a scope, a semaphore and
 * a span on each transaction: several times what SQLite takes for a small one.
 */

export interface Options {
  readonly connection: SqlConnection.Connection;
  /** Whether a transaction is open on the connection. SQLite may end one by itself (disk full). */
  readonly isTransaction: () => boolean;
  /** Under which statements find the transaction that they are part of. */
  readonly service: SqlClient.SqlClient["transactionService"];
  /** How often a group that finds another process writing tries to begin, and what lies between. */
  readonly patience: { readonly attempts: number; readonly pause: Effect.Effect<void> };
}

type Fallible<A> = Effect.Effect<A, SqlError.SqlError>;
type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

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
interface Turn extends SqlConnection.Connection {
  group: Group | undefined;
  /** It opened the group. Nobody joins before it is done, so it needs no savepoint. */
  first: boolean;
  /** It has begun, and is neither kept nor undone. */
  open: boolean;
}

/** A transaction, or one within it. */
interface Level extends ReadonlyArray<unknown> {
  readonly 0: Turn;
  /** 0 for the outermost. */
  readonly 1: number;
  /** What is to run once the outermost is kept. */
  readonly callbacks: Array<Effect.Effect<void>>;
  /** Of several at once within this one, one has its turn. */
  within: Semaphore.Semaphore | undefined;
}

const makeLevel = (turn: Turn, depth: number): Level =>
  Object.assign([turn, depth] as const, { callbacks: [], within: undefined });

const largestGroup = 64;

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
  };
  return turn;
};

/** `withTransaction` and `afterCommit` of a `SqlClient`. */
export const make = (
  options: Options,
): Pick<SqlClient.SqlClient, "withTransaction" | "afterCommit"> => {
  const { connection, isTransaction, patience } = options;
  const service = options.service as unknown as Context.Service<
    SqlClient.TransactionConnection,
    Level
  >;
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

  /** Where a turn ends, the next one's begins. */
  const passTurn = (group: Group | undefined) => (group === undefined ? openNext : passOn(group));

  const takeTurn = (turn: Turn, restore: Restore): Fallible<void> =>
    Effect.suspend(() => {
      if (!busy) {
        busy = true;
        return Effect.void;
      }
      const waiter: Waiter = { turn: Deferred.makeUnsafe(), granted: false, group: undefined };
      waiting.add(waiter);
      return Effect.onInterrupt(restore(Deferred.await(waiter.turn)), () =>
        waiter.granted ? passTurn(waiter.group) : Effect.sync(() => waiting.delete(waiter)),
      ).pipe(
        Effect.andThen(
          Effect.sync(() => {
            turn.group = waiter.group;
          }),
        ),
      );
    });

  const begin = (restore: Restore, attempts: number): Fallible<void> =>
    Effect.catchIf(
      exec("BEGIN IMMEDIATE"),
      (error) => error.reason._tag === "LockTimeoutError" && attempts > 1,
      () => Effect.andThen(restore(patience.pause), begin(restore, attempts - 1)),
    );

  /** Whoever waited while the group could not be opened would fail like it, one after the other. */
  const refuseAll = (error: SqlError.SqlError) =>
    Effect.sync(() => {
      for (const waiter of waiting) Deferred.doneUnsafe(waiter.turn, Exit.fail(error));
      waiting.clear();
    });

  /** Opens the group, or a savepoint in it. */
  const enter = (turn: Turn, restore: Restore): Fallible<void> =>
    Effect.suspend(() => {
      turn.first = turn.group === undefined;
      return turn.first
        ? Effect.tapError(begin(restore, patience.attempts), refuseAll)
        : exec("SAVEPOINT change");
    }).pipe(
      Effect.andThen(
        Effect.sync(() => {
          turn.group ??= { size: 1, gathered: 0, broken: false, outcome: Deferred.makeUnsafe() };
          turn.open = true;
        }),
      ),
    );

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

  /** Leaves what is to be kept to the group. */
  const release = (turn: Turn): Fallible<void> =>
    Effect.suspend(() => {
      if (!isTransaction()) return Effect.fail(lost());
      return turn.first ? Effect.void : exec("RELEASE SAVEPOINT change");
    }).pipe(
      Effect.andThen(
        Effect.sync(() => {
          turn.open = false;
        }),
      ),
    );

  const runCallbacks = ({ callbacks }: Level): Effect.Effect<void> =>
    Effect.forEach(callbacks, (callback) => callback, { discard: true });

  /** The effect as if it had been run where it was registered, but for the transaction. */
  const callbackOf = <R>(effect: Effect.Effect<void, never, R>, context: Context.Context<R>) =>
    Effect.suspend(() =>
      Effect.provideContext(effect, context.pipe(Context.omit(service)) as Context.Context<R>),
    ).pipe(Effect.catchCause((cause) => Effect.logError("What follows a commit died", cause)));

  const outermost = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const turn = makeTurn(options);
        yield* takeTurn(turn, restore);
        yield* Effect.onError(enter(turn, restore), () => passTurn(turn.group));
        const level = makeLevel(turn, 0);
        const exit = yield* Effect.exit(Effect.provideService(restore(effect), service, level));
        if (Exit.isFailure(exit)) {
          yield* discard(turn);
          yield* passTurn(turn.group);
          return yield* exit;
        }
        yield* Effect.onError(release(turn), () =>
          Effect.andThen(discard(turn), passTurn(turn.group)),
        );
        yield* passTurn(turn.group);
        if (turn.group !== undefined) yield* Deferred.await(turn.group.outcome);
        if (level.callbacks.length > 0) yield* runCallbacks(level);
        return exit.value;
      }),
    );

  /** Statements around a nested transaction, while there is one to speak of. */
  const around = (sql: string): Effect.Effect<void> =>
    Effect.suspend(() => (isTransaction() ? Effect.orDie(exec(sql)) : Effect.void));

  const within = <A, E, R>(outer: Level, effect: Effect.Effect<A, E, R>) => {
    const turn = outer[0];
    const level = makeLevel(turn, outer[1] + 1);
    const name = `nested_${level[1]}`;
    outer.within ??= Semaphore.makeUnsafe(1);
    return outer.within.withPermit(
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          yield* turn.execute(`SAVEPOINT ${name}`, [], undefined);
          const exit = yield* Effect.exit(Effect.provideService(restore(effect), service, level));
          if (Exit.isFailure(exit)) yield* around(`ROLLBACK TO SAVEPOINT ${name}`);
          else outer.callbacks.push(...level.callbacks);
          yield* around(`RELEASE SAVEPOINT ${name}`);
          return yield* exit;
        }),
      ),
    );
  };

  return {
    withTransaction: (effect) =>
      Effect.withFiber((fiber) => {
        const outer = Context.getOrUndefined(fiber.context, service);
        const transaction = outer === undefined ? outermost(effect) : within(outer, effect);
        return Span.isSeen(fiber.context as Context.Context<never>)
          ? Effect.withSpan(transaction, "sql.transaction", { kind: "internal" })
          : transaction;
      }),
    afterCommit: <R>(effect: Effect.Effect<void, never, R>) =>
      Effect.withFiber<void, never, R>((fiber) => {
        const level = Context.getOrUndefined(fiber.context, service);
        if (level === undefined) return effect;
        if (!level[0].open) return Effect.die(new Error("a transaction that is over"));
        level.callbacks.push(callbackOf(effect, fiber.context as Context.Context<R>));
        return Effect.void;
      }),
  };
};
