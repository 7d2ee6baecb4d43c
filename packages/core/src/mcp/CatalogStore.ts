import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { CatalogEntry } from "./CatalogEntry.ts";

/** Port: stores the catalog entries that Owners created. */
export class CatalogStore extends Context.Service<
  CatalogStore,
  {
    get(id: string): Effect.Effect<Option.Option<CatalogEntry>, StorageError>;
    /** Returns all entries, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<CatalogEntry>, StorageError>;
    /** Stores a new entry, or replaces the entry with the same id, which retains its position. */
    put(entry: CatalogEntry): Effect.Effect<void, StorageError>;
    remove(id: string): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/mcp/CatalogStore") {}
