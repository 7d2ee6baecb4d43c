import { Context, Effect, Layer, Redacted, Schema } from "effect";
import { Aead, SecureRandom } from "effect/crypto";
import { Base64 } from "effect/encoding";
import type { SealedValue } from "../mcp/InstalledServer.ts";
import { MasterKeys } from "./MasterKeys.ts";

/** A secret that cannot be opened: its key is not there, or it was tampered with. */
export class CannotOpen extends Schema.TaggedError<CannotOpen>()("CannotOpen", {
  keyId: Schema.String,
}) {
  override get message() {
    return `The secret is kept under the master key ${this.keyId}, which is not there or not the same.`;
  }
}

/** What a sealed value belongs to: it opens for nothing else. */
export interface Owner {
  readonly serverId: string;
  readonly name: string;
}

/**
 * Secrets at rest: AES-256-GCM under the newest master key, a fresh nonce per value, with owner and
 * key id as associated data.
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    /** Of the key that new values are sealed under. */
    readonly newestKeyId: string;
    seal(owner: Owner, value: Redacted.Redacted<string>): Effect.Effect<SealedValue>;
    open(owner: Owner, value: SealedValue): Effect.Effect<Redacted.Redacted<string>, CannotOpen>;
  }
>()("@quartermaster/core/secrets/SecretBox") {
  static readonly layer = Layer.effect(
    SecretBox,
    Effect.gen(function* () {
      const aead = yield* Aead.Aead;
      const random = yield* SecureRandom.SecureRandom;
      const { all } = yield* MasterKeys;
      const encoder = new TextEncoder();
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

      const keys = new Map(
        yield* Effect.forEach(all, (key) =>
          Effect.map(
            Effect.orDie(Aead.key(Aead.aes256Gcm, Redacted.value(key.bytes))),
            (aeadKey) => [key.id, aeadKey] as const,
          ),
        ),
      );
      const newest = all[0].id;

      const associated = ({ serverId, name }: Owner, keyId: string) =>
        encoder.encode(JSON.stringify([serverId, name, keyId]));

      const seal = Effect.fn("SecretBox.seal")(function* (
        owner: Owner,
        value: Redacted.Redacted<string>,
      ) {
        const key = yield* Effect.orDie(Effect.fromNullishOr(keys.get(newest)));
        const nonce = yield* random.randomBytes(12);
        const sealed = yield* Effect.orDie(
          aead.encrypt(key, encoder.encode(Redacted.value(value)), {
            nonce,
            aad: associated(owner, newest),
          }),
        );
        return { keyId: newest, nonce: Base64.encode(nonce), sealed: Base64.encode(sealed) };
      });

      const open = Effect.fn("SecretBox.open")(function* (owner: Owner, value: SealedValue) {
        const cannot = new CannotOpen({ keyId: value.keyId });
        const key = keys.get(value.keyId);
        if (key === undefined) return yield* cannot;
        const bytes = yield* Effect.gen(function* () {
          const nonce = yield* Effect.fromResult(Base64.decode(value.nonce));
          const sealed = yield* Effect.fromResult(Base64.decode(value.sealed));
          return yield* aead.decrypt(key, sealed, { nonce, aad: associated(owner, value.keyId) });
        }).pipe(Effect.mapError(() => cannot));
        return Redacted.make(decoder.decode(bytes));
      });

      return SecretBox.of({ newestKeyId: newest, seal, open });
    }),
  );
}
