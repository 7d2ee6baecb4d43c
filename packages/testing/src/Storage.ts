import { type Core, type Errors, Transactor } from "@quartermaster/core";
import type { Effect } from "effect";

/** Every port that a storage provides. */
export type Storage = Core.Storage;

/** Runs a change in a transaction of the storage: every write needs one around it. */
export const transact = <A, E, R>(
  change: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | Errors.StorageError, R | Transactor.Transactor> =>
  Transactor.Transactor.use((transactor) => transactor.transact(change));
