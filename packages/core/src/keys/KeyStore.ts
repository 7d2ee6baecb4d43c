import { Context, type Effect, type Option } from "effect";
import type { Role } from "../access/Role.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { ApiKeyRow } from "./ApiKey.ts";

/** Port: API keys. */
export class KeyStore extends Context.Service<
  KeyStore,
  {
    /** Inserts a key and assigns its `seq`. */
    insert(key: Omit<ApiKeyRow, "seq">): Effect.Effect<ApiKeyRow, StorageError>;
    /** Removes the key, its sessions, and the records of its ended MCP sessions. */
    remove(keyId: string): Effect.Effect<void, StorageError>;
    /** Returns a key. */
    get(keyId: string): Effect.Effect<Option.Option<ApiKeyRow>, StorageError>;
    /** Returns a key as it was at most a second ago, but none that this node has removed. */
    recent(keyId: string): Effect.Effect<Option.Option<ApiKeyRow>, StorageError>;
    /** Returns keys whose role is one of `roles`. */
    list(
      roles: ReadonlyArray<Role>,
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<ApiKeyRow>, StorageError>;
    /** Returns the number of Owner keys without projects that have not expired at `now`. */
    owners(now: Timestamp): Effect.Effect<number, StorageError>;
    /** Stores when a key was last used. */
    used(keyId: string, at: Timestamp): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/keys/KeyStore") {}
