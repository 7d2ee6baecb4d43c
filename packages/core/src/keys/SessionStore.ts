import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { SessionRow } from "./Session.ts";

/** Port: where sessions are kept. */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    insert(session: SessionRow): Effect.Effect<void, StorageError>;
    get(hash: string): Effect.Effect<Option.Option<SessionRow>, StorageError>;
    slide(hash: string, expiresAt: Timestamp): Effect.Effect<void, StorageError>;
    /** Removes it, and the tokens that were made for it. */
    remove(hash: string): Effect.Effect<void, StorageError>;
    /** Removes sessions that expired before `before`, at most `limit`, and answers how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/keys/SessionStore") {}
