import { Effect, Redacted } from "effect";
import { Mac } from "effect/crypto";
import { Base64Url } from "effect/encoding";
import { type MasterKey, MasterKeys } from "./MasterKeys.ts";

/**
 * Authenticates texts by HMAC-SHA-256 under a key that is derived from the master keys for one
 * purpose. The newest master key creates tags; every existing master key verifies them.
 */
export const make = Effect.fnUntraced(function* (purpose: string) {
  const mac = yield* Mac.Mac;
  const { current } = yield* MasterKeys;
  const encoder = new TextEncoder();

  const keyOf = (bytes: Uint8Array) =>
    Effect.provideService(Mac.key(Mac.hmacSha256, bytes), Mac.Mac, mac);

  const signed = (key: Mac.Key, text: string) => mac.sign(key, encoder.encode(text));

  const tagBy = ({ bytes }: MasterKey, text: string) =>
    keyOf(Redacted.value(bytes)).pipe(
      Effect.flatMap((key) => signed(key, purpose)),
      Effect.flatMap(keyOf),
      Effect.flatMap((derived) => signed(derived, text)),
      Effect.map(Base64Url.encode),
      Effect.orDie,
    );

  return {
    /** The tag of a text: 43 characters of base64url. */
    tag: (text: string) => Effect.flatMap(current, ([newest]) => tagBy(newest, text)),
    /**
     * Returns whether a master key creates this tag. Takes the same time for every wrong tag of
     * that length.
     */
    verify: Effect.fnUntraced(function* (text: string, tag: string) {
      const given = encoder.encode(tag);
      for (const key of yield* current) {
        if (Mac.timingSafeEqual(encoder.encode(yield* tagBy(key, text)), given)) return true;
      }
      return false;
    }),
  };
});
