import { Deferred, Effect, Exit } from "effect";
import type { SqlError } from "effect/sql";
import * as Writer from "./Writer.ts";

/**
 * The queue of transactions for the writer, and the decision when a group commits. `GroupCommit`
 * lists the states. The holder of the writer has exclusive use of it, from `take` until `pass`.
 */

/**
 * The maximum number of members that share a COMMIT, so that the first one does not wait forever.
 */
const largestGroup = 64;

export interface Group {
  /** The number of transactions that have joined. */
  size: number;
  /** The number of members when the group last yielded, so that other fibers could join. */
  sizeAtLastYield: number;
  /** Whether its COMMIT does not wait for the disk. Only relaxed transactions join such a group. */
  readonly isRelaxed: boolean;
  /** Whether a member failed to undo its writes, so that the group must not commit. */
  mustRollBack: boolean;
  /** Completes with the outcome of the COMMIT, for all members. */
  readonly outcome: Deferred.Deferred<void, SqlError.SqlError>;
}

export const makeGroup = (isRelaxed: boolean): Group => ({
  isRelaxed,
  size: 1,
  sizeAtLastYield: 0,
  mustRollBack: false,
  outcome: Deferred.makeUnsafe(),
});

interface Waiter {
  readonly isRelaxed: boolean;
  /** Completes with the group to join, or with undefined to open one. */
  readonly admission: Deferred.Deferred<Group | undefined, SqlError.SqlError>;
  granted: { readonly group: Group | undefined } | undefined;
}

export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

export interface WriterQueue {
  /** Waits for the writer. Returns the group to join; undefined if the caller must open one. */
  readonly take: (restore: Restore, isRelaxed: boolean) => Writer.Result<Group | undefined>;
  /** Gives the writer up: the next waiter joins the group, or the group commits. */
  readonly pass: (group: Group | undefined) => Effect.Effect<void>;
  /** Commits the group. The caller retains the writer. */
  readonly commit: (group: Group) => Effect.Effect<void>;
  /** Fails all waiters. */
  readonly failAll: (error: SqlError.SqlError) => Effect.Effect<void>;
}

export const make = (writer: Writer.Writer): WriterQueue => {
  /** In order of arrival. */
  const waiting = new Set<Waiter>();
  let taken = false;

  const grant = (waiter: Waiter, group: Group | undefined) => {
    waiting.delete(waiter);
    waiter.granted = { group };
    Deferred.doneUnsafe(waiter.admission, Exit.succeed(group));
  };

  const openNext = Effect.sync(() => {
    const [waiter] = waiting;
    if (waiter === undefined) taken = false;
    else grant(waiter, undefined);
  });

  const commit = (group: Group): Effect.Effect<void> =>
    Effect.suspend(() =>
      writer.isTransaction() && !group.mustRollBack
        ? Writer.execute(writer, "COMMIT")
        : Effect.fail(Writer.ended()),
    ).pipe(
      Effect.onError(() =>
        writer.isTransaction() ? Effect.ignore(Writer.execute(writer, "ROLLBACK")) : Effect.void,
      ),
      Effect.exit,
      Effect.map((exit) => {
        if (Exit.isSuccess(exit)) writer.onCommit?.(!group.isRelaxed);
        Deferred.doneUnsafe(group.outcome, exit);
      }),
    );

  const commitAndPass = (group: Group) => Effect.andThen(commit(group), openNext);

  const passWithin = (group: Group): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (!writer.isTransaction() || group.mustRollBack || group.size >= largestGroup) {
        return commitAndPass(group);
      }
      const [waiter] = waiting;
      if (waiter !== undefined) {
        if (group.isRelaxed && !waiter.isRelaxed) return commitAndPass(group);
        group.size++;
        grant(waiter, group);
        return Effect.void;
      }
      if (group.sizeAtLastYield === group.size) return commitAndPass(group);
      group.sizeAtLastYield = group.size;
      return Effect.andThen(Effect.yieldNow, passWithin(group));
    });

  const pass = (group: Group | undefined) => (group === undefined ? openNext : passWithin(group));

  const take: WriterQueue["take"] = (restore, isRelaxed) =>
    Effect.suspend(() => {
      if (!taken) {
        taken = true;
        return Effect.succeed(undefined);
      }
      const waiter: Waiter = { isRelaxed, admission: Deferred.makeUnsafe(), granted: undefined };
      waiting.add(waiter);
      return Effect.onInterrupt(restore(Deferred.await(waiter.admission)), () =>
        // The writer may be granted in the same step that interrupts the wait.
        waiter.granted === undefined
          ? Effect.sync(() => waiting.delete(waiter))
          : pass(waiter.granted.group),
      );
    });

  const failAll = (error: SqlError.SqlError) =>
    Effect.sync(() => {
      for (const waiter of waiting) Deferred.doneUnsafe(waiter.admission, Exit.fail(error));
      waiting.clear();
    });

  return { take, pass, commit, failAll };
};
