import type { Transactor } from "@quartermaster/core";
import { Context, Effect, Exit, Layer, Semaphore } from "effect";
import { LockOrder } from "./LockOrder.ts";
import * as Tables from "./Tables.ts";

/**
 * The state that all memory stores share, as a stack of levels:
 *
 * - the bottom level contains the committed rows;
 * - each open transaction is a level on top of its parent and sees the parent's rows and its own
 *   changes;
 * - a commit merges a level into its parent, a rollback drops it.
 *
 * Invariant: at most one transaction is open on each level, so transactions run one after the
 * other.
 */
interface Level {
  /** The bottom level of this database; null for the bottom level itself. */
  readonly root: Level | null;
  readonly tables: Tables.Tables;
  /** The permit for the transaction on this level. */
  readonly turn: Semaphore.Semaphore;
  readonly callbacks: Array<Effect.Effect<void>>;
  /** The locks of the outermost change, if they are checked. */
  readonly locks: LockOrder | null;
  /** The previous level of the fiber, of this database or another. */
  readonly around: Level | null;
  open: boolean;
}

const Current = Context.Reference<Level | null>("@quartermaster/testing/memory/Database/Current", {
  defaultValue: () => null,
});

/**
 * A change of another node between the two runs of a change: the second run sees it, as after a lost
 * race. It has its own transactions. Default: nothing happens.
 */
export const BetweenRuns = Context.Reference<Effect.Effect<void>>(
  "@quartermaster/testing/memory/Database/BetweenRuns",
  { defaultValue: () => Effect.void },
);

const begin = (parent: Level, around: Level | null, { atOnce = 1, rerun }: Options): Level => ({
  root: parent.root ?? parent,
  tables: Tables.over(parent.tables),
  turn: Semaphore.makeUnsafe(atOnce),
  callbacks: [],
  locks: parent.root === null ? (rerun === true ? new LockOrder() : null) : parent.locks,
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
  readonly transactRelaxed: Transactor.Transactor["Service"]["transactRelaxed"];
  readonly afterCommit: Transactor.Transactor["Service"]["afterCommit"];
  readonly check: Transactor.Transactor["Service"]["check"];
  /** `locks` is null outside a transaction, and if they are not checked. */
  readonly read: <A>(f: (tables: Tables.Tables, locks: LockOrder | null) => A) => Effect.Effect<A>;
  /** Changes the tables of the surrounding transaction. Dies outside a transaction. */
  readonly write: <A>(f: (tables: Tables.Tables, locks: LockOrder | null) => A) => Effect.Effect<A>;
  /** The next `seq`. All tables share one sequence. */
  readonly nextSeq: () => number;
}

export interface Options {
  /**
   * Whether to run every outermost change, roll it back and run it again, and to check the order of
   * its locks. Default: false.
   */
  readonly rerun?: boolean;
  /**
   * Whether to yield to other fibers before each read and write, as other storages do. Default:
   * false.
   */
  readonly yields?: boolean;
  /**
   * The maximum number of transactions open on a level. With more than one, the last commit wins: a
   * storage without isolation, for tests of the suites. Default: 1.
   */
  readonly atOnce?: number;
}

/**
 * Tables in memory with transactions. Reads see committed rows and the writes of their own
 * transaction.
 */
export class Database extends Context.Service<Database, Shape>()(
  "@quartermaster/testing/memory/Database",
) {
  static readonly layerWith = (options: Options) => Layer.sync(Database, () => make(options));

  static readonly layer = Database.layerWith({});
}

const make = (options: Options): Shape => {
  const { atOnce = 1, rerun = false, yields = false } = options;
  const committed: Level = {
    root: null,
    tables: Tables.over(null),
    turn: Semaphore.makeUnsafe(atOnce),
    callbacks: [],
    locks: null,
    around: null,
    open: true,
  };
  let seq = 0;

  /** The fiber's innermost open transaction of this database, otherwise the bottom level. */
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
    const level = begin(parent, current, options);
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
        const attempt = (commits: boolean) =>
          Effect.acquireUseRelease(
            restore(parent.turn.take(1)),
            Effect.fnUntraced(function* () {
              const value = yield* runOn(parent, current, restore(change), commits);
              return [value, outermost && commits ? committed.callbacks.splice(0) : []] as const;
            }),
            () => parent.turn.release(1),
          );
        if (rerun && outermost) {
          yield* Effect.exit(attempt(false));
          yield* Effect.provideService(yield* BetweenRuns, BetweenRuns, Effect.void);
        }
        const [result, callbacks] = yield* attempt(true);
        yield* runAll(callbacks);
        return result;
      }),
    );

  const others = yields ? Effect.yieldNow : Effect.void;

  const read: Shape["read"] = (f) =>
    Effect.andThen(
      others,
      Effect.map(Current, (current) => {
        const { locks, tables } = levelOf(current);
        return f(tables, locks);
      }),
    );

  return Database.of({
    transact,
    transactRelaxed: transact,
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
