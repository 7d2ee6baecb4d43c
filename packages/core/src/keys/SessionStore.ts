import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { SessionRow } from "./Session.ts";

/** The position of a session in a list. */
export type SessionKey = Pick<SessionRow, "expiresAt" | "hash">;

/** Port: sessions and their tokens. */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    /** Inserts a session or token. */
    insert(session: SessionRow): Effect.Effect<void, StorageError>;
    /** Returns the session or token with that hash. */
    get(hash: string): Effect.Effect<Option.Option<SessionRow>, StorageError>;
    /** Returns the number of the key's sessions, without tokens, that expire after `now`. */
    count(keyId: string, now: Timestamp): Effect.Effect<number, StorageError>;
    /** Returns how many tokens of the session with that hash expire after `now`. */
    countTokens(hash: string, now: Timestamp): Effect.Effect<number, StorageError>;
    /**
     * Returns sessions of the key, or of every key for null, without tokens, that expire after `now`, by
     * `expiresAt` and then hash.
     */
    list(
      keyId: string | null,
      now: Timestamp,
      slice: Slice<SessionKey>,
    ): Effect.Effect<ReadonlyArray<SessionRow>, StorageError>;
    /** Sets when a session expires. */
    slide(hash: string, expiresAt: Timestamp): Effect.Effect<void, StorageError>;
    /** Removes a session and its tokens. */
    remove(hash: string): Effect.Effect<void, StorageError>;
    /** Removes at most `limit` sessions that expired before `before`, and returns how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/keys/SessionStore") {}
