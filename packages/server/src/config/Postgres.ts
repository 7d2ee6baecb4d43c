import { Effect } from "effect";

/** Loads the storage on PostgreSQL with its driver, which servers on SQLite do not need. */
export const load = Effect.promise(() => import("@quartermaster/storage-postgres"));
