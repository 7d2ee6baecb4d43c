import { type Array, Context, Effect, Layer, Redacted } from "effect";
import { Digest } from "effect/crypto";
import { Hex } from "effect/encoding";

/** A key of 32 bytes that seals secrets. */
export interface MasterKey {
  /** The first 8 hex digits of its SHA-256. */
  readonly id: string;
  readonly bytes: Redacted.Redacted<Uint8Array>;
}

/** Keys of 32 bytes each, newest first. */
export type KeyBytes = Array.NonEmptyReadonlyArray<Redacted.Redacted<Uint8Array>>;

type Keys = Array.NonEmptyReadonlyArray<MasterKey>;

/** The keys that seal secrets, newest first. The newest one seals new secrets. */
export class MasterKeys extends Context.Service<
  MasterKeys,
  {
    /** The keys at the start. */
    readonly all: Keys;
    /** The current keys, which another process may have changed. */
    readonly current: Effect.Effect<Keys>;
    /** The current keys, or the keys of up to one second ago. */
    readonly recent: Effect.Effect<Keys>;
  }
>()("@quartermaster/core/secrets/MasterKeys") {
  /**
   * Keys that never change.
   *
   * @example
   * ```ts
   * import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
   * import { MasterKeys } from "@quartermaster/core";
   * import { Effect, Layer, Redacted } from "effect";
   *
   * const bytes = Redacted.make(new Uint8Array(32));
   *
   * export const example = MasterKeys.MasterKeys.pipe(
   *   Effect.map(({ all }) => all[0].id), // "66687aad"
   *   Effect.provide(MasterKeys.MasterKeys.layer([bytes]).pipe(Layer.provide(NodeCrypto.layer))),
   * );
   * ```
   */
  static readonly layer = (keys: KeyBytes): Layer.Layer<MasterKeys, never, Digest.Digest> =>
    MasterKeys.layerWith(keys, Effect.succeed(keys));

  /**
   * Keys at the start, and an effect that reads them again. While reading fails, the last keys
   * remain in use.
   */
  static readonly layerWith = <E>(
    keys: KeyBytes,
    read: Effect.Effect<KeyBytes, E>,
  ): Layer.Layer<MasterKeys, never, Digest.Digest> =>
    Layer.effect(
      MasterKeys,
      Effect.gen(function* () {
        const digest = yield* Digest.Digest;
        const identify = ([first, ...rest]: KeyBytes): Effect.Effect<Keys> =>
          Effect.all([named(digest, first), ...rest.map((bytes) => named(digest, bytes))]);
        const all = yield* identify(keys);
        let known = all;
        const current = read.pipe(
          Effect.flatMap(identify),
          Effect.tap((now) =>
            Effect.sync(() => {
              known = now;
            }),
          ),
          Effect.catch(() => Effect.sync(() => known)),
        );
        const recent = yield* Effect.cachedWithTTL(current, "1 second");
        return MasterKeys.of({ all, current, recent });
      }),
    );
}

const named = (
  digest: Digest.Digest["Service"],
  bytes: Redacted.Redacted<Uint8Array>,
): Effect.Effect<MasterKey> =>
  Effect.map(digest.digest(Digest.sha256, Redacted.value(bytes)), (hash) => ({
    id: Hex.encode(hash).slice(0, 8),
    bytes,
  }));
