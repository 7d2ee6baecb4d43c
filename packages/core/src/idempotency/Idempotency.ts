import { Context, Effect, Layer, Option, Redacted } from "effect";
import { Mac } from "effect/crypto";
import { Hex } from "effect/encoding";
import { IdempotencyMismatch, type StorageError } from "../CommonErrors.ts";
import { MasterKeys } from "../secrets/MasterKeys.ts";
import * as Timestamp from "../Timestamp.ts";
import { IdempotencyStore } from "./IdempotencyStore.ts";

/** A request that may be sent again and takes effect once. */
export interface IdempotentRequest {
  /** The API key of the caller. */
  readonly keyId: string;
  /** The key that the caller chose for the request. */
  readonly idempotencyKey: string;
  /** Method, path and body, or a digest of the body. */
  readonly content: string;
}

/** The current request, if it has an idempotency key. */
export const CurrentRequest = Context.Reference<IdempotentRequest | null>(
  "@quartermaster/core/idempotency/Idempotency/CurrentRequest",
  { defaultValue: () => null },
);

/** The time for which a request is remembered. */
const retainedSeconds = 24 * 3_600;

/**
 * Returns the result of the first request again when the same request is repeated with the same key
 * within 24 hours.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Runs `make`, or `find` with the id that the same request created before. Call it in a
     * transaction, so that a second request waits for the first. `content` is added to the
     * request's. Fails with `IdempotencyMismatch` if the key was used for another request.
     */
    once<A extends { readonly id: string }, E, R, E2, R2>(options: {
      readonly make: Effect.Effect<A, E, R>;
      readonly find: (id: string) => Effect.Effect<A, E2, R2>;
      readonly content?: string | undefined;
    }): Effect.Effect<A, E | E2 | IdempotencyMismatch | StorageError, R | R2>;
    /** Removes up to 5,000 requests that are older than 24 hours, and returns how many. */
    readonly prune: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/idempotency/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore;
      const keys = yield* MasterKeys;
      const mac = yield* Mac.Mac;
      const encoder = new TextEncoder();

      const fingerprints = yield* Effect.forEach(keys.all, (key) =>
        Effect.map(
          Effect.orDie(Mac.key(Mac.hmacSha256, Redacted.value(key.bytes))).pipe(
            Effect.provideService(Mac.Mac, mac),
          ),
          (macKey) => (content: string) =>
            mac.sign(macKey, encoder.encode(content)).pipe(Effect.orDie, Effect.map(Hex.encode)),
        ),
      );

      const once = Effect.fnUntraced(function* <
        A extends { readonly id: string },
        E,
        R,
        E2,
        R2,
      >(options: {
        readonly make: Effect.Effect<A, E, R>;
        readonly find: (id: string) => Effect.Effect<A, E2, R2>;
        readonly content?: string | undefined;
      }) {
        const request = yield* CurrentRequest;
        if (request === null) return yield* options.make;
        const { keyId, idempotencyKey } = request;
        const content = `${request.content}\n${options.content ?? ""}`;
        const now = yield* Timestamp.now;
        const stored = yield* store.get(keyId, idempotencyKey);
        if (
          Option.isSome(stored) &&
          stored.value.createdAt > Timestamp.addSeconds(now, -retainedSeconds)
        ) {
          const { fingerprint, resourceId } = stored.value;
          if (fingerprint === "") return yield* options.find(resourceId);
          for (const fingerprintOf of fingerprints) {
            if ((yield* fingerprintOf(content)) === fingerprint) {
              return yield* options.find(resourceId);
            }
          }
          return yield* new IdempotencyMismatch();
        }
        const created = yield* options.make;
        const fingerprint = yield* fingerprints[0](content);
        yield* store.put({
          keyId,
          idempotencyKey,
          fingerprint,
          status: 201,
          resourceId: created.id,
          createdAt: now,
        });
        return created;
      });

      const prune = Effect.flatMap(Timestamp.now, (now) =>
        store.prune(Timestamp.addSeconds(now, -retainedSeconds), 5_000),
      );

      return Idempotency.of({ once, prune });
    }),
  );
}
