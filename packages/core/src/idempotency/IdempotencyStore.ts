import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";

/** What is kept of a request that named an idempotency key: never its body. */
export interface IdempotencyRow {
  /** The API key it was made with. */
  readonly keyId: string;
  readonly idempotencyKey: string;
  /** HMAC of method, path and body, lower-case hex. */
  readonly fingerprint: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** What was made. */
  readonly resourceId: string;
  readonly createdAt: Timestamp;
}

/** Port: where answered requests with an idempotency key are remembered. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /** Keeps the row in the place of any of the same keys. */
    put(row: IdempotencyRow): Effect.Effect<void, StorageError>;
    get(
      keyId: string,
      idempotencyKey: string,
    ): Effect.Effect<Option.Option<IdempotencyRow>, StorageError>;
    /** Removes rows made before `before`, at most `limit`, and answers how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/idempotency/IdempotencyStore") {}
