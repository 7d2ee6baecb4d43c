import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";

/** A request with an idempotency key, without its body. */
export interface IdempotencyRow {
  /** The API key of the caller. */
  readonly keyId: string;
  readonly idempotencyKey: string;
  /**
   * HMAC of method, path and body under a master key, lower-case hex. Empty if a service without that
   * key has the row: then it is compared with no request.
   */
  readonly fingerprint: string;
  /** HTTP status of the response. */
  readonly status: number;
  /** The id of the created resource. */
  readonly resourceId: string;
  readonly createdAt: Timestamp;
}

/** Port: requests with an idempotency key that took effect. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /** Stores the row and replaces an earlier one with the same keys. */
    put(row: IdempotencyRow): Effect.Effect<void, StorageError>;
    /** Returns the request with these keys. */
    get(
      keyId: string,
      idempotencyKey: string,
    ): Effect.Effect<Option.Option<IdempotencyRow>, StorageError>;
    /** Removes at most `limit` rows from before `before`, and returns how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/idempotency/IdempotencyStore") {}
