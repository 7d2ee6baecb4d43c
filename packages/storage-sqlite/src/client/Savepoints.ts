import { type Context, Effect, Exit, Semaphore } from "effect";
import type { SqlClient } from "effect/sql";
import * as Writer from "./Writer.ts";

/**
 * Nested transactions. Each is a savepoint: if it fails, its writes are undone and its callbacks
 * dropped, and the outer transaction continues.
 */

/**
 * The context value of a transaction. `SqlClient` reads the connection and the depth, 0 for the
 * outermost transaction. The other fields belong to this module.
 */
export type SavepointFrame = SqlClient.TransactionConnection.Service & {
  readonly transaction: Writer.Transaction;
  /** Callbacks that run in this order after the outermost transaction commits. */
  readonly callbacks: Array<Effect.Effect<void>>;
  /**
   * The context of the outermost change, and the same one without the transaction; undefined for a savepoint.
   */
  contexts:
    | { readonly within: Context.Context<never>; readonly without: Context.Context<never> }
    | undefined;
  /** Serializes the savepoints within this frame, because SQLite's savepoints form a stack. */
  lock: Semaphore.Semaphore | undefined;
};

export const makeFrame = (transaction: Writer.Transaction, depth: number): SavepointFrame =>
  Object.assign([transaction, depth] as const, {
    transaction,
    callbacks: [],
    contexts: undefined,
    lock: undefined,
  });

/** Returns whether this client created the frame. */
export const isFrame = (
  service: SqlClient.TransactionConnection.Service,
): service is SavepointFrame => "callbacks" in service;

/** Runs `effect` in a savepoint of `outer`, and passes it the new frame. */
export const run = <A, E, R>(
  writer: Writer.Writer,
  outer: SavepointFrame,
  effect: (frame: SavepointFrame) => Effect.Effect<A, E, R>,
) => {
  const frame = makeFrame(outer.transaction, outer[1] + 1);
  const name = `nested_${frame[1]}`;
  /** Skipped if SQLite has ended the transaction, which removes its savepoints. */
  const leave = (sql: string): Effect.Effect<void> =>
    Effect.suspend(() =>
      writer.isTransaction() ? Effect.orDie(Writer.execute(writer, sql)) : Effect.void,
    );
  outer.lock ??= Semaphore.makeUnsafe(1);
  return outer.lock.withPermit(
    Effect.uninterruptibleMask((restore) =>
      outer.transaction.execute(`SAVEPOINT ${name}`, [], undefined).pipe(
        Effect.andThen(Effect.exit(restore(effect(frame)))),
        Effect.tap((exit) => {
          if (Exit.isFailure(exit)) return leave(`ROLLBACK TO SAVEPOINT ${name}`);
          outer.callbacks.push(...frame.callbacks);
          return Effect.void;
        }),
        Effect.tap(leave(`RELEASE SAVEPOINT ${name}`)),
        Effect.flatten,
      ),
    ),
  );
};
