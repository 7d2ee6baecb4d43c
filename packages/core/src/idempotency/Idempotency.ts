import { Context, Effect, Layer, Option, Redacted } from "effect";
import { Mac } from "effect/crypto";
import { Hex } from "effect/encoding";
import { IdempotencyMismatch, type StorageError } from "../CommonErrors.ts";
import { MasterKeys } from "../secrets/MasterKeys.ts";
import * as Timestamp from "../Timestamp.ts";
import { IdempotencyStore } from "./IdempotencyStore.ts";

/** A request that may be sent again without being carried out again. */
export interface IdempotentRequest {
  /** The API key it is made with. */
  readonly keyId: string;
  /** The caller's word for the request. */
  readonly idempotencyKey: string;
  /** Method, path and body, or what stands for the body. */
  readonly content: string;
}

/** The present request, if its caller named an idempotency key. */
export const CurrentRequest = Context.Reference<IdempotentRequest | null>(
  "@quartermaster/core/idempotency/Idempotency/CurrentRequest",
  { defaultValue: () => null },
);

/** How long an answer is remembered. */
const keptSeconds = 24 * 3_600;

/** The same request with the same key, within 24 hours, answers what the first did. */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Makes something, or finds what the same request made before. Runs in the transaction around
     * it, so that a second request waits for the first. `content` is added to the request's.
     */
    once<A extends { readonly id: string }, E, R, E2, R2>(options: {
      readonly make: Effect.Effect<A, E, R>;
      readonly find: (id: string) => Effect.Effect<A, E2, R2>;
      readonly content?: string | undefined;
    }): Effect.Effect<A, E | E2 | IdempotencyMismatch | StorageError, R | R2>;
    /** Forgets what is older than 24 hours, and answers how much that was. */
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
        const kept = yield* store.get(keyId, idempotencyKey);
        if (Option.isSome(kept) && kept.value.createdAt > Timestamp.addSeconds(now, -keptSeconds)) {
          for (const fingerprint of fingerprints) {
            if ((yield* fingerprint(content)) === kept.value.fingerprint) {
              return yield* options.find(kept.value.resourceId);
            }
          }
          return yield* new IdempotencyMismatch();
        }
        const made = yield* options.make;
        const fingerprint = yield* fingerprints[0](content);
        yield* store.put({
          keyId,
          idempotencyKey,
          fingerprint,
          status: 201,
          resourceId: made.id,
          createdAt: now,
        });
        return made;
      });

      const prune = Effect.flatMap(Timestamp.now, (now) =>
        store.prune(Timestamp.addSeconds(now, -keptSeconds), 5_000),
      );

      return Idempotency.of({ once, prune });
    }),
  );
}
