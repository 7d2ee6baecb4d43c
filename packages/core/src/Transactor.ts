import { Context, type Effect } from "effect";
import type { StorageError } from "./CommonErrors.ts";

/**
 * One change, one transaction. Port of the storage: transactions of all nodes happen one after the
 * other, as far as anybody can tell.
 */
export class Transactor extends Context.Service<
  Transactor,
  {
    /**
     * Runs `change` in a transaction: it is kept whole if it succeeds, and not at all if it fails,
     * dies or is interrupted. Reads within see its writes; nobody else does before it is kept.
     * Within another transaction it becomes part of that.
     */
    readonly transact: <A, E, R>(
      change: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E | StorageError, R>;
    /** Runs `effect` once the transaction around it is kept, and not at all if it is not. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>;
  }
>()("@quartermaster/core/Transactor") {}
