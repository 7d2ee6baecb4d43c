import { createHmac, timingSafeEqual } from "node:crypto";
import { Schema } from "effect";

/**
 * Who wrote a backup: an HMAC under a master key, of the hash of everything before the last line. The hashes
 * of a backup show that its bytes did not change by accident; only a holder of the key makes this one.
 */

/** A master key. `id` is the first 8 hex digits of its SHA-256. */
export interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export const Signature = Schema.Struct({ keyId: Schema.String, hmac: Schema.String });
export type Signature = typeof Signature.Type;

/**
 * `valid`: a given key made it. `unknownKey`: none of the given keys has its id. `unsigned`: the backup has
 * none.
 */
export type Verdict = "valid" | "unknownKey" | "unsigned";

const hmacOf = ({ bytes }: Key, sha256: string) =>
  createHmac("sha256", bytes).update(`quartermaster-backup ${sha256}`).digest();

export const sign = (key: Key, sha256: string): Signature => ({
  keyId: key.id,
  hmac: hmacOf(key, sha256).toString("hex"),
});

/** Null for a signature that its key did not make. */
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
