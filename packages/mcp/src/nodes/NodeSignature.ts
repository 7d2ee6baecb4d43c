import { TextMac } from "@quartermaster/core";
import { Clock, Effect } from "effect";
import { Digest, SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";

/**
 * Authenticates requests between the nodes of a service: an HMAC over method, path, digest of the body, time and a
 * nonce, under a key that is derived from the master key. A request is accepted once, within 30 seconds.
 */

/** The header that has time, nonce, digest of the body and HMAC. */
export const header = "quartermaster-node";

const windowMillis = 30_000;

const written = /^t=(\d{1,15}),n=([0-9a-f]{32}),d=([0-9a-f]{64}),m=([A-Za-z0-9_-]{43})$/;

export const make = Effect.gen(function* () {
  const digest = yield* Digest.Digest;
  const random = yield* SecureRandom.SecureRandom;
  const mac = yield* TextMac.make("quartermaster/node");
  const encoder = new TextEncoder();
  /** The nonces of accepted requests, oldest first, and when each can be forgotten. */
  const seen = new Map<string, number>();

  const digestOf = (body: string) =>
    Effect.map(digest.digest(Digest.sha256, encoder.encode(body)), Hex.encode);

  const textOf = (path: string, ...rest: ReadonlyArray<string>) =>
    ["POST", path, ...rest].join("\n");

  return {
    /** The digest of a body, which `accept` returns. */
    digestOf,
    /** The value of the header for a POST to a path. */
    sign: Effect.fnUntraced(function* (path: string, body: string) {
      const time = String(yield* Clock.currentTimeMillis);
      const nonce = Hex.encode(yield* random.randomBytes(16));
      const hash = yield* digestOf(body);
      const tag = yield* mac.tag(textOf(path, hash, time, nonce));
      return `t=${time},n=${nonce},d=${hash},m=${tag}`;
    }),
    /**
     * Returns the digest of the body that a node of the service sends to the path just now. Null if
     * no node does, or if the request was accepted before.
     */
    accept: Effect.fnUntraced(function* (path: string, value: string | undefined) {
      const [, time = "", nonce = "", hash = "", tag = ""] = written.exec(value ?? "") ?? [];
      const now = yield* Clock.currentTimeMillis;
      if (tag === "" || Math.abs(now - Number(time)) > windowMillis) return null;
      if (!(yield* mac.verify(textOf(path, hash, time, nonce), tag))) return null;
      for (const [old, until] of seen) {
        if (until >= now) break;
        seen.delete(old);
      }
      if (seen.has(nonce)) return null;
      // The sender's clock may be ahead.
      seen.set(nonce, now + 2 * windowMillis);
      return hash;
    }),
  };
});
