import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import { assert, describe, it } from "@effect/vitest";
import { Effect, Exit } from "effect";
import { Aead, Mac } from "effect/crypto";
import * as Crypto from "../src/Crypto.ts";

const bytes = (length: number) => Uint8Array.from({ length }, (_, n) => (n * 31 + length) % 256);
const lengths = [0, 1, 15, 16, 17, 1_000, 300_000];

const ours = Effect.provide(Effect.all([Aead.Aead, Mac.Mac]), Crypto.layer);
const theirs = Effect.provide(Effect.all([Aead.Aead, Mac.Mac]), NodeCrypto.layer);

describe("the server's cryptography", () => {
  it.effect("each side opens what the other one sealed, and both write the same bytes", () =>
    Effect.gen(function* () {
      const [[own], [web]] = [yield* ours, yield* theirs];
      const key = yield* Aead.key(Aead.aes256Gcm, bytes(32));
      for (const length of lengths) {
        const plaintext = bytes(length);
        for (const aad of [undefined, bytes(40)]) {
          const options = { nonce: bytes(12), aad };
          const sealed = yield* own.encrypt(key, plaintext, options);
          assert.deepStrictEqual(sealed, yield* web.encrypt(key, plaintext, options));
          assert.deepStrictEqual(yield* own.decrypt(key, sealed, options), plaintext);
          assert.deepStrictEqual(yield* web.decrypt(key, sealed, options), plaintext);
        }
      }
    }),
  );

  it.effect("a changed value, owner, nonce or key does not open", () =>
    Effect.gen(function* () {
      const [own] = yield* ours;
      const key = yield* Aead.key(Aead.aes256Gcm, bytes(32));
      const options = { nonce: bytes(12), aad: bytes(40) };
      const sealed = yield* own.encrypt(key, bytes(100), options);
      const changed = (at: number) => sealed.map((byte, index) => (index === at ? byte ^ 1 : byte));
      const failures = [
        own.decrypt(key, changed(0), options),
        own.decrypt(key, changed(sealed.length - 1), options),
        own.decrypt(key, sealed.subarray(0, -1), options),
        own.decrypt(key, sealed.subarray(0, 10), options),
        own.decrypt(key, sealed, { ...options, aad: bytes(41) }),
        own.decrypt(key, sealed, { ...options, nonce: bytes(12).toReversed() }),
        own.decrypt(yield* Aead.key(Aead.aes256Gcm, bytes(32).toReversed()), sealed, options),
      ];
      for (const failure of failures) {
        assert.strictEqual((yield* Effect.flip(failure)).reason._tag, "DecryptionFailed");
      }
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(own.decrypt(key, sealed, options))));
    }),
  );

  it.effect("signatures are equal to signatures by Effect's layer", () =>
    Effect.gen(function* () {
      const [[, own], [, node]] = [yield* ours, yield* theirs];
      for (const algorithm of [Mac.hmacSha256, Mac.hmacSha512]) {
        for (const length of lengths) {
          const key = yield* Mac.key(algorithm, bytes(1 + (length % 200)));
          const tag = yield* own.sign(key, bytes(length));
          assert.deepStrictEqual(tag, yield* node.sign(key, bytes(length)));
          assert.isTrue(yield* own.verify(key, tag, bytes(length)));
        }
      }
    }),
  );
});
