import { type Core, type Errors, Transactor } from "@quartermaster/core";
import type { Effect } from "effect";

/** All ports that a storage provides. */
export type Storage = Core.Storage;

/** Runs a change in a transaction of the storage. Every write requires one. */
export const transact = <A, E, R>(
  change: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | Errors.StorageError, R | Transactor.Transactor> =>
  Transactor.Transactor.use((transactor) => transactor.transact(change));
