import { Effect, Exit, Semaphore } from "effect";
import type { SqlClient } from "effect/sql";
import * as Writer from "./Writer.ts";

/**
 * Transactions within a transaction. Each is a savepoint: if it fails, its writes are undone and
 * its callbacks dropped, and the transaction around it goes on.
 */

/**
 * What `SqlClient` finds in the context of a transaction: its connection and its depth, 0 for the
 * outermost. The rest is ours.
 */
export type SavepointFrame = SqlClient.TransactionConnection.Service & {
  readonly transaction: Writer.Transaction;
  /** Run in this order once the outermost transaction is committed. */
  readonly callbacks: Array<Effect.Effect<void>>;
  /** Lets one savepoint within this frame run at a time: SQLite's savepoints are a stack. */
  turn: Semaphore.Semaphore | undefined;
};

export const makeFrame = (transaction: Writer.Transaction, depth: number): SavepointFrame =>
  Object.assign([transaction, depth] as const, { transaction, callbacks: [], turn: undefined });

/** Returns whether this client created the frame. */
export const isFrame = (
  service: SqlClient.TransactionConnection.Service,
): service is SavepointFrame => "callbacks" in service;

/** Runs `effect`, given its frame, in a savepoint of `outer`. */
export const run = <A, E, R>(
  writer: Writer.Writer,
  outer: SavepointFrame,
  effect: (frame: SavepointFrame) => Effect.Effect<A, E, R>,
) => {
  const frame = makeFrame(outer.transaction, outer[1] + 1);
  const name = `nested_${frame[1]}`;
  /** Skipped when SQLite has ended the transaction: the savepoint went with it. */
  const leave = (sql: string): Effect.Effect<void> =>
    Effect.suspend(() =>
      writer.isTransaction() ? Effect.orDie(Writer.execute(writer, sql)) : Effect.void,
    );
  outer.turn ??= Semaphore.makeUnsafe(1);
  return outer.turn.withPermit(
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* outer.transaction.execute(`SAVEPOINT ${name}`, [], undefined);
        const exit = yield* Effect.exit(restore(effect(frame)));
        if (Exit.isFailure(exit)) yield* leave(`ROLLBACK TO SAVEPOINT ${name}`);
        else outer.callbacks.push(...frame.callbacks);
        yield* leave(`RELEASE SAVEPOINT ${name}`);
        return yield* exit;
      }),
    ),
  );
};
