import { type Array, Context, Effect, Layer, Redacted } from "effect";
import { Digest } from "effect/crypto";
import { Hex } from "effect/encoding";

/** A key of 32 bytes that secrets are kept under. */
export interface MasterKey {
  /** The first 8 hex digits of its SHA-256. */
  readonly id: string;
  readonly bytes: Redacted.Redacted<Uint8Array>;
}

/** The keys that the host keeps secrets under, newest first. New secrets are kept under the newest. */
export class MasterKeys extends Context.Service<
  MasterKeys,
  { readonly all: Array.NonEmptyReadonlyArray<MasterKey> }
>()("@quartermaster/core/secrets/MasterKeys") {
  /** Keys of 32 bytes each, newest first. */
  static readonly layer = (keys: Array.NonEmptyReadonlyArray<Redacted.Redacted<Uint8Array>>) =>
    Layer.effect(
      MasterKeys,
      Effect.gen(function* () {
        const digest = yield* Digest.Digest;
        const all = yield* Effect.forEach(keys, (bytes) =>
          Effect.map(digest.digest(Digest.sha256, Redacted.value(bytes)), (hash) => ({
            id: Hex.encode(hash).slice(0, 8),
            bytes,
          })),
        );
        return MasterKeys.of({ all });
      }),
    );
}
