import { lean, Tracing } from "@quartermaster/storage-sql";
import { Context, Effect, Exit, Scope, Semaphore } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import type { Transaction } from "./Connections.ts";

/**
 * Transactions; a nested one is a savepoint. `SqlClient` has transactions that copy all services of the program several
 * times, see `lean`.
 */

type Failable<A> = Effect.Effect<A, SqlError.SqlError>;

/** The state of one level of a transaction. */
class Own {
  readonly callbacks: Array<Effect.Effect<void>> = [];
  /** Nested transactions at the same time take turns. */
  readonly turn = Semaphore.makeUnsafe(1);
  isOpen = true;
  /** The services of the change, and those without the transaction. */
  within: Context.Context<never> = Context.empty();
  outside: Context.Context<never> = Context.empty();
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

type Level = readonly [transaction: Transaction, depth: number, own: Own];

type Service = SqlClient.SqlClient["transactionService"];

export interface Options {
  readonly service: Service;
  readonly acquire: Effect.Effect<Transaction, SqlError.SqlError, Scope.Scope>;
  readonly commit: (transaction: Transaction) => Failable<void>;
}

/** `statements` start an outermost transaction. */
type Transact = <A, E, R>(
  change: Effect.Effect<A, E, R>,
  statements: ReadonlyArray<string>,
) => Effect.Effect<A, E | SqlError.SqlError, R>;

const levelOf = (context: Context.Context<never>, service: Service): Level | undefined => {
  const found: ReadonlyArray<unknown> | undefined = Context.getOrUndefined(context, service);
  return found?.[2] instanceof Own ? (found as unknown as Level) : undefined;
};

export const make = ({ acquire, commit, service }: Options): Transact => {
  /** Runs a change in its level, and closes the level. */
  const inside = <A, E, R>(change: Effect.Effect<A, E, R>, level: Level) => {
    const [, depth, own] = level;
    return Effect.updateContext(change, (context: Context.Context<R>) => {
      own.outside = depth === 0 ? context : Context.omit(service)(context);
      own.within = Context.add(context, service, level as never);
      return own.within as Context.Context<R>;
    }).pipe(
      Effect.exit,
      Effect.tap(() => Effect.sync(() => (own.isOpen = false))),
    );
  };

  const asOutermost = Effect.fnUntraced(function* <A, E, R>(
    change: Effect.Effect<A, E, R>,
    statements: ReadonlyArray<string>,
    restore: Restore,
  ) {
    const scope = Scope.makeUnsafe();
    const close = (exit: Exit.Exit<unknown, unknown>) => lean(Scope.close(scope, exit));
    const transaction = yield* Effect.onExit(lean(restore(Scope.provide(acquire, scope))), (exit) =>
      Exit.isFailure(exit) ? close(exit) : Effect.void,
    );
    transaction.begin(statements);
    const own = new Own();
    const exit = yield* inside(restore(change), [transaction, 0, own]);
    const end = Exit.isSuccess(exit) ? commit(transaction) : transaction.rollback();
    yield* Effect.ensuring(lean(end), close(exit));
    if (Exit.isFailure(exit)) return yield* exit;
    for (const callback of own.callbacks) yield* callback;
    return exit.value;
  });

  const outermost = <A, E, R>(change: Effect.Effect<A, E, R>, statements: ReadonlyArray<string>) =>
    Effect.uninterruptibleMask((restore) => asOutermost(change, statements, restore));

  const asNested = Effect.fnUntraced(function* <A, E, R>(
    change: Effect.Effect<A, E, R>,
    [transaction, depth, outer]: Level,
    restore: Restore,
  ) {
    const name = `nested_${depth + 1}`;
    yield* transaction.post(`SAVEPOINT ${name}`, []);
    const own = new Own();
    const exit = yield* inside(restore(change), [transaction, depth + 1, own]);
    if (Exit.isFailure(exit)) yield* transaction.rollbackTo(name);
    else outer.callbacks.push(...own.callbacks);
    yield* Effect.ignore(transaction.post(`RELEASE SAVEPOINT ${name}`, []));
    return yield* exit;
  });

  const nested = <A, E, R>(change: Effect.Effect<A, E, R>, level: Level) =>
    level[2].turn.withPermit(
      Effect.uninterruptibleMask((restore) => asNested(change, level, restore)),
    );

  return (change, statements) =>
    Effect.withFiber((fiber) => {
      const outer = levelOf(fiber.context, service);
      const transaction =
        outer === undefined ? outermost(change, statements) : nested(change, outer);
      return Tracing.isTraced(fiber)
        ? Effect.withSpan(transaction, "sql.transaction", {
            kind: "internal",
            attributes: { "db.system.name": "postgresql" },
          })
        : transaction;
    });
};

/** Callbacks run with the services of their registration, but without the transaction. */
export const afterCommit =
  (service: Service): SqlClient.SqlClient["afterCommit"] =>
  <R>(effect: Effect.Effect<void, never, R>) =>
    Effect.contextWith((context: Context.Context<R>) => {
      const own = levelOf(context, service)?.[2];
      if (own === undefined) return effect;
      if (!own.isOpen) return Effect.die(new Error("The transaction is over"));
      const { outside, within } = own;
      const services = within === context ? outside : Context.omit(service)(context);
      const callback = Effect.updateContext(
        effect,
        (_: Context.Context<never>) => services as Context.Context<R>,
      );
      own.callbacks.push(
        Effect.catchCause(callback, (cause) =>
          Effect.logError("An after-commit callback failed", cause),
        ),
      );
      return Effect.void;
    });
