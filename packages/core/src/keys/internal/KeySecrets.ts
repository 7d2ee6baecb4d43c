import { Effect, Redacted } from "effect";
import { Digest, SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import * as Id from "../../Id.ts";
import * as Timestamp from "../../Timestamp.ts";
import type { ApiKey, ApiKeyRow } from "../ApiKey.ts";

/** A key is `qm_<keyId>_<secret>`: the id without its prefix, and 32 random bytes in hex. */
const pattern = /^qm_([A-Za-z0-9]{1,64})_([A-Za-z0-9]{1,256})$/;

const encoder = new TextEncoder();

/**
 * Compares texts in a time that depends only on their length, as `Mac.timingSafeEqual` compares bytes. Bytes are outside of
 * the heap: creating and freeing the bytes of two hashes took 5 % of a get.
 */
const isEqual = (text: string, other: string): boolean => {
  if (text.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < text.length; at++) difference |= text.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
};

/** Creates the secrets of keys, and compares presented secrets with the stored hash. */
export const make = Effect.gen(function* () {
  const digest = yield* Digest.Digest;
  const random = yield* SecureRandom.SecureRandom;
  const newId = yield* Id.generator;

  const sha256 = (text: string) => digest.digest(Digest.sha256, encoder.encode(text));
  const hashOf = (secret: string) => digest.digestHex(Digest.sha256, encoder.encode(secret));

  /** A new row, and the key itself, which is never stored. */
  const create = Effect.fnUntraced(function* (
    fields: Omit<ApiKey, "id" | "createdAt" | "lastUsedAt">,
  ) {
    const id = yield* newId("key");
    const secret = Hex.encode(yield* random.randomBytes(32));
    const row = {
      ...fields,
      id,
      createdAt: yield* Timestamp.now,
      lastUsedAt: null,
      secretHash: yield* hashOf(secret),
    };
    return { row, key: `qm_${id.slice("key_".length)}_${secret}` };
  });

  /** The id and the secret of a presented key; null for any other text. */
  const parse = (presented: Redacted.Redacted<string>) => {
    const [, id, secret] = pattern.exec(Redacted.value(presented)) ?? [];
    return id === undefined || secret === undefined ? null : { keyId: `key_${id}`, secret };
  };

  /** Returns whether the key has this secret. Takes the same time for every wrong secret. */
  const matches = (secret: string, key: Pick<ApiKeyRow, "secretHash">) =>
    Effect.map(hashOf(secret), (hash) => isEqual(hash, key.secretHash));

  return { create, matches, parse, sha256 };
});
