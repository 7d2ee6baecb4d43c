import { Context, Effect, Layer, Redacted, Schema } from "effect";
import { Aead, SecureRandom } from "effect/crypto";
import { Base64 } from "effect/encoding";
import * as Span from "../internal/Span.ts";
import { type MasterKey, MasterKeys } from "./MasterKeys.ts";
import type { SealedValue } from "./SealedValue.ts";

/** A secret cannot be opened: its key is missing, or the secret was changed. */
export class CannotOpen extends Schema.TaggedError<CannotOpen>()("CannotOpen", {
  keyId: Schema.String,
}) {
  override get message() {
    return `The secret is sealed under the master key ${this.keyId}, which is missing or different.`;
  }
}

/** The owner of a sealed value, which cannot be opened for another owner. */
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
    /** The id of the key that seals new values now. */
    readonly newestKeyId: Effect.Effect<string>;
    seal(owner: Owner, value: Redacted.Redacted<string>): Effect.Effect<SealedValue>;
    /**
     * Like `seal`, for values that every call may have: the key may be the newest of up to one second ago, so that
     * the key file is not read for each value.
     */
    sealOften(owner: Owner, value: Redacted.Redacted<string>): Effect.Effect<SealedValue>;
    open(owner: Owner, value: SealedValue): Effect.Effect<Redacted.Redacted<string>, CannotOpen>;
  }
>()("@quartermaster/core/secrets/SecretBox") {
  static readonly layer = Layer.effect(
    SecretBox,
    Effect.gen(function* () {
      const aead = yield* Aead.Aead;
      const random = yield* SecureRandom.SecureRandom;
      const { current, recent } = yield* MasterKeys;
      const encoder = new TextEncoder();
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

      const opened = new Map<string, Aead.Key>();
      const aeadKey = Effect.fnUntraced(function* ({ bytes, id }: MasterKey) {
        const known = opened.get(id);
        if (known !== undefined) return known;
        const key = yield* Effect.orDie(Aead.key(Aead.aes256Gcm, Redacted.value(bytes)));
        opened.set(id, key);
        return key;
      });
      const newestKeyId = Effect.map(current, ([newest]) => newest.id);

      /** The key with this id. Reads the keys again if the id is unknown. */
      const keyOf = Effect.fnUntraced(function* (id: string) {
        const known = opened.get(id);
        if (known !== undefined) return known;
        const key = (yield* current).find((one) => one.id === id);
        return key === undefined ? undefined : yield* aeadKey(key);
      });

      const associated = ({ serverId, name }: Owner, keyId: string) =>
        encoder.encode(JSON.stringify([serverId, name, keyId]));

      const sealUnder = Effect.fnUntraced(function* (
        newest: MasterKey,
        owner: Owner,
        value: Redacted.Redacted<string>,
      ) {
        const key = yield* aeadKey(newest);
        const nonce = yield* random.randomBytes(12);
        const sealed = yield* Effect.orDie(
          aead.encrypt(key, encoder.encode(Redacted.value(value)), {
            nonce,
            aad: associated(owner, newest.id),
          }),
        );
        return { keyId: newest.id, nonce: Base64.encode(nonce), sealed: Base64.encode(sealed) };
      });

      const seal = Span.fn("SecretBox.seal")(function* (
        owner: Owner,
        value: Redacted.Redacted<string>,
      ) {
        const [newest] = yield* current;
        return yield* sealUnder(newest, owner, value);
      });
      const sealOften = Span.fn("SecretBox.sealOften")(function* (
        owner: Owner,
        value: Redacted.Redacted<string>,
      ) {
        const [newest] = yield* recent;
        return yield* sealUnder(newest, owner, value);
      });

      const open = Span.fn("SecretBox.open")(function* (owner: Owner, value: SealedValue) {
        const cannot = new CannotOpen({ keyId: value.keyId });
        const key = yield* keyOf(value.keyId);
        if (key === undefined) return yield* cannot;
        const bytes = yield* Effect.gen(function* () {
          const nonce = yield* Effect.fromResult(Base64.decode(value.nonce));
          const sealed = yield* Effect.fromResult(Base64.decode(value.sealed));
          return yield* aead.decrypt(key, sealed, { nonce, aad: associated(owner, value.keyId) });
        }).pipe(Effect.mapError(() => cannot));
        return Redacted.make(decoder.decode(bytes));
      });

      return SecretBox.of({ newestKeyId, seal, sealOften, open });
    }),
  );
}
