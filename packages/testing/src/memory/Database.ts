import type { Transactor } from "@quartermaster/core";
import { Context, Effect, Exit, Layer, Semaphore } from "effect";
import * as Tables from "./Tables.ts";

/** What is kept, or a transaction upon it, or one within that. */
interface Level {
  readonly root: Level | null;
  readonly tables: Tables.Tables;
  /** Lets one transaction upon this level run at a time. */
  readonly turn: Semaphore.Semaphore;
  readonly callbacks: Array<Effect.Effect<void>>;
  /** What the level was begun within, of this database or another. */
  readonly around: Level | null;
  open: boolean;
}

const Current = Context.Reference<Level | null>("@quartermaster/testing/memory/Database/Current", {
  defaultValue: () => null,
});

const begin = (parent: Level, around: Level | null): Level => ({
  root: parent.root ?? parent,
  tables: Tables.over(parent.tables),
  turn: Semaphore.makeUnsafe(1),
  callbacks: [],
  around,
  open: true,
});

const runAll = (callbacks: ReadonlyArray<Effect.Effect<void>>) =>
  Effect.forEach(
    callbacks,
    (callback) =>
      Effect.catchCause(callback, (cause) => Effect.logError("An afterCommit died", cause)),
    { discard: true },
  );

interface Shape {
  readonly transact: Transactor.Transactor["Service"]["transact"];
  readonly afterCommit: Transactor.Transactor["Service"]["afterCommit"];
  readonly read: <A>(f: (tables: Tables.Tables) => A) => Effect.Effect<A>;
  /** Part of the transaction around it, or one by itself. */
  readonly write: <A>(f: (tables: Tables.Tables) => A) => Effect.Effect<A>;
  /** The next place in the order of creation, over all tables. */
  readonly nextSeq: () => number;
}

/** The state that the stores in memory share. Reads see what is kept, or the transaction they are in. */
export class Database extends Context.Service<Database, Shape>()(
  "@quartermaster/testing/memory/Database",
) {
  static readonly layer = Layer.sync(Database, () => {
    const kept: Level = {
      root: null,
      tables: Tables.over(null),
      turn: Semaphore.makeUnsafe(1),
      callbacks: [],
      around: null,
      open: true,
    };
    let seq = 0;

    /** The innermost open transaction of this database that the fiber is in, else what is kept. */
    const levelOf = (current: Level | null): Level => {
      for (let level = current; level !== null; level = level.around) {
        if (level.root === kept && level.open) {
          return level;
        }
      }
      return kept;
    };

    const end = (parent: Level, level: Level, kept: boolean): void => {
      level.open = false;
      if (kept) {
        Tables.merge(level.tables);
        parent.callbacks.push(...level.callbacks);
      }
    };

    const transact = <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          const current = yield* Current;
          const parent = levelOf(current);
          const callbacks = yield* Effect.acquireUseRelease(
            restore(parent.turn.take(1)),
            () => run(parent, current, restore(change)),
            () => parent.turn.release(1),
          );
          yield* runAll(callbacks.due);
          return callbacks.result;
        }),
      );

    const run = Effect.fnUntraced(function* <A, E, R>(
      parent: Level,
      current: Level | null,
      change: Effect.Effect<A, E, R>,
    ) {
      const level = begin(parent, current);
      const result = yield* Effect.provideService(change, Current, level).pipe(
        Effect.onExit((exit) => Effect.sync(() => end(parent, level, Exit.isSuccess(exit)))),
      );
      return { result, due: parent === kept ? kept.callbacks.splice(0) : [] };
    });

    const read = <A>(f: (tables: Tables.Tables) => A) =>
      Effect.map(Current, (current) => f(levelOf(current).tables));

    return Database.of({
      transact,
      afterCommit: (effect) =>
        Effect.flatMap(Current, (current) => {
          const level = levelOf(current);
          return level === kept ? effect : Effect.sync(() => void level.callbacks.push(effect));
        }),
      read,
      write: (f) =>
        Effect.flatMap(Current, (current) =>
          levelOf(current) === kept ? transact(read(f)) : read(f),
        ),
      nextSeq: () => {
        seq += 1;
        return seq;
      },
    });
  });
}
