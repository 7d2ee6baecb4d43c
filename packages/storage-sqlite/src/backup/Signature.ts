import { createHmac, timingSafeEqual } from "node:crypto";
import { Schema } from "effect";

/**
 * The signature of a backup: an HMAC, under a master key, of the hash of everything before the last
 * line. The hashes in a backup detect accidental changes; only the signature proves that a holder
 * of the key wrote it.
 */

/** A master key. `id` is the first 8 hex digits of its SHA-256. */
export interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export const Signature = Schema.Struct({ keyId: Schema.String, hmac: Schema.String });
export type Signature = typeof Signature.Type;

/**
 * `valid`: one of the given keys signed it. `unknownKey`: no given key has the id of the signing
 * key. `unsigned`: the backup has no signature.
 */
export type Verdict = "valid" | "unknownKey" | "unsigned";

const hmacOf = ({ bytes }: Key, sha256: string) =>
  createHmac("sha256", bytes).update(`quartermaster-backup ${sha256}`).digest();

export const sign = (key: Key, sha256: string): Signature => ({
  keyId: key.id,
  hmac: hmacOf(key, sha256).toString("hex"),
});

/** Verifies a signature. Null if it names a given key that did not sign it. */
export const verify = (
  signature: Signature | undefined,
  keys: ReadonlyArray<Key>,
  sha256: string,
): Verdict | null => {
  if (signature === undefined) return "unsigned";
  const key = keys.find(({ id }) => id === signature.keyId);
  if (key === undefined) return "unknownKey";
  const expected = hmacOf(key, sha256);
  const given = Buffer.from(signature.hmac, "hex");
  return given.length === expected.length && timingSafeEqual(given, expected) ? "valid" : null;
};
