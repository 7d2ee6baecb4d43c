import { KeyStore, SavedViewStore } from "@quartermaster/core";
import { RememberedKeys } from "@quartermaster/storage-sql";
import { Effect } from "effect";
import { ruled } from "./Ruled.ts";

/** The rules of keys and saved views. */

/**
 * A key is remembered for a second: its read was one of the two round trips of a small request. Other nodes accept a
 * deleted key for a second more.
 */
const aSecond = RememberedKeys.forMillis(1_000, () => performance.now());

/** The last two Owner keys are not both deleted, and two nodes do not both make the first one. */
export const keys = ruled(KeyStore.KeyStore, (store, guards, sql) => ({
  ...RememberedKeys.make(sql, store, aSecond),
  owners: (now) => Effect.andThen(guards.touch("owners"), store.owners(now)),
  insert: (key) =>
    Effect.andThen(key.role === "Owner" ? guards.touch("owners") : Effect.void, store.insert(key)),
}));

/** Two nodes do not both create the last view. */
export const views = ruled(SavedViewStore.SavedViewStore, (store, guards) => ({
  countOwn: (owner) => Effect.andThen(guards.touch("views"), store.countOwn(owner)),
  countShared: (projectId) => Effect.andThen(guards.touch("views"), store.countShared(projectId)),
}));
