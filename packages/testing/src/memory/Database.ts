import type { Transactor } from "@quartermaster/core";
import { Context, Effect, Exit, Layer, Semaphore } from "effect";
import * as Tables from "./Tables.ts";

/**
 * The state that all memory stores share, as a stack of levels:
 *
 * - the bottom level holds the committed rows;
 * - each open transaction is a level over its parent: it sees the parent's rows and its own changes;
 * - a commit merges a level into its parent, a rollback drops it.
 *
 * One transaction at a time is open on each level, so that transactions happen one after the other.
 */
interface Level {
  /** The bottom level of this database; null for the bottom level itself. */
  readonly root: Level | null;
  readonly tables: Tables.Tables;
  /** The permit of the one transaction that may be open on this level. */
  readonly turn: Semaphore.Semaphore;
  readonly callbacks: Array<Effect.Effect<void>>;
  /** The level that the fiber was in before, of this database or another. */
  readonly around: Level | null;
  open: boolean;
}

const Current = Context.Reference<Level | null>("@quartermaster/testing/memory/Database/Current", {
  defaultValue: () => null,
});

const begin = (parent: Level, around: Level | null, atOnce: number): Level => ({
  root: parent.root ?? parent,
  tables: Tables.over(parent.tables),
  turn: Semaphore.makeUnsafe(atOnce),
  callbacks: [],
  around,
  open: true,
});

const runAll = (callbacks: ReadonlyArray<Effect.Effect<void>>) =>
  Effect.forEach(
    callbacks,
    (callback) =>
      Effect.catchCause(callback, (cause) =>
        Effect.logError("An after-commit callback failed", cause),
      ),
    { discard: true },
  );

const outside = "A write outside a transaction: call it inside `Transactor.transact`";

interface Shape {
  readonly transact: Transactor.Transactor["Service"]["transact"];
  readonly afterCommit: Transactor.Transactor["Service"]["afterCommit"];
  readonly check: Transactor.Transactor["Service"]["check"];
  readonly read: <A>(f: (tables: Tables.Tables) => A) => Effect.Effect<A>;
  /** Changes the tables of the transaction around it; dies outside a transaction. */
  readonly write: <A>(f: (tables: Tables.Tables) => A) => Effect.Effect<A>;
  /** The next place in the order of creation, over all tables. */
  readonly nextSeq: () => number;
}

export interface Options {
  /** Runs every outermost change, rolls it back, and runs it again. Default: false. */
  readonly rerun?: boolean;
  /** Lets other fibers run before each read and write, as storage outside memory does. Default: false. */
  readonly yields?: boolean;
  /**
   * How many transactions may be open on a level. With more than one, the last to commit wins: a
   * storage without isolation, for tests of suites. Default: 1.
   */
  readonly atOnce?: number;
}

/** Tables in memory with transactions. Reads see committed rows, and the writes of their transaction. */
export class Database extends Context.Service<Database, Shape>()(
  "@quartermaster/testing/memory/Database",
) {
  static readonly layerWith = (options: Options) => Layer.sync(Database, () => make(options));

  static readonly layer = Database.layerWith({});
}

const make = ({ atOnce = 1, rerun = false, yields = false }: Options): Shape => {
  const committed: Level = {
    root: null,
    tables: Tables.over(null),
    turn: Semaphore.makeUnsafe(atOnce),
    callbacks: [],
    around: null,
    open: true,
  };
  let seq = 0;

  /** The innermost open transaction of this database that the fiber is in, else the bottom level. */
  const levelOf = (current: Level | null): Level => {
    for (let level = current; level !== null; level = level.around) {
      if (level.root === committed && level.open) {
        return level;
      }
    }
    return committed;
  };

  const end = (parent: Level, level: Level, commits: boolean): void => {
    level.open = false;
    if (commits) {
      Tables.merge(level.tables);
      parent.callbacks.push(...level.callbacks);
    }
  };

  const runOn = Effect.fnUntraced(function* <A, E, R>(
    parent: Level,
    current: Level | null,
    change: Effect.Effect<A, E, R>,
    commits: boolean,
  ) {
    const level = begin(parent, current, atOnce);
    return yield* Effect.provideService(change, Current, level).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => end(parent, level, commits && Exit.isSuccess(exit))),
      ),
    );
  });

  const transact = <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask(
      Effect.fnUntraced(function* (restore) {
        const current = yield* Current;
        const parent = levelOf(current);
        const outermost = parent === committed;
        const [result, callbacks] = yield* Effect.acquireUseRelease(
          restore(parent.turn.take(1)),
          Effect.fnUntraced(function* () {
            if (rerun && outermost) {
              yield* Effect.exit(runOn(parent, current, restore(change), false));
            }
            const value = yield* runOn(parent, current, restore(change), true);
            return [value, outermost ? committed.callbacks.splice(0) : []] as const;
          }),
          () => parent.turn.release(1),
        );
        yield* runAll(callbacks);
        return result;
      }),
    );

  const others = yields ? Effect.yieldNow : Effect.void;

  const read = <A>(f: (tables: Tables.Tables) => A) =>
    Effect.andThen(
      others,
      Effect.map(Current, (current) => f(levelOf(current).tables)),
    );

  return Database.of({
    transact,
    afterCommit: (effect) =>
      Effect.flatMap(Current, (current) => {
        const level = levelOf(current);
        return level === committed ? effect : Effect.sync(() => void level.callbacks.push(effect));
      }),
    check: Effect.void,
    read,
    write: (f) =>
      Effect.flatMap(Current, (current) =>
        levelOf(current) === committed ? Effect.die(new Error(outside)) : read(f),
      ),
    nextSeq: () => {
      seq += 1;
      return seq;
    },
  });
};
