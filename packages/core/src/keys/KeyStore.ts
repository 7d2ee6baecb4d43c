import { Context, type Effect, type Option } from "effect";
import type { Role } from "../access/Role.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { ApiKeyRow } from "./ApiKey.ts";

/** Port: where API keys are kept. */
export class KeyStore extends Context.Service<
  KeyStore,
  {
    /** Keeps a new key and gives it its `seq`. */
    insert(key: Omit<ApiKeyRow, "seq">): Effect.Effect<ApiKeyRow, StorageError>;
    /** Removes the key and its sessions. */
    remove(keyId: string): Effect.Effect<void, StorageError>;
    get(keyId: string): Effect.Effect<Option.Option<ApiKeyRow>, StorageError>;
    /** Keys whose role is one of `roles`. */
    list(
      roles: ReadonlyArray<Role>,
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<ApiKeyRow>, StorageError>;
    /** How many Owner keys there are, bound to no project, that have not expired at the moment `now`. */
    owners(now: Timestamp): Effect.Effect<number, StorageError>;
    used(keyId: string, at: Timestamp): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/keys/KeyStore") {}
