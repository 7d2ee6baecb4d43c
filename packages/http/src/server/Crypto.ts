import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import { Effect, Layer } from "effect";
import { Digest, SecureRandom } from "effect/crypto";
import { hash, randomFillSync } from "node:crypto";

/** The cryptography of the server: Node's, with what requests ask for in the ways that cost least. */

const poolSize = 4096;
/** What identifiers take at most. Secrets are longer, and never drawn in advance. */
const pooled = 16;

/** Randomness for identifiers is drawn in advance: to ask for it takes longer than all else of one. */
const random = Layer.sync(SecureRandom.SecureRandom, () => {
  const pool = new Uint8Array(poolSize);
  let used = poolSize;
  return SecureRandom.make((size) => {
    if (size > pooled) return randomFillSync(new Uint8Array(size));
    if (used + size > poolSize) {
      randomFillSync(pool);
      used = 0;
    }
    used += size;
    return pool.slice(used - size, used);
  });
});

const nameOf = ({ name }: Digest.Algorithm) => name.replace("-", "");

/** In one call to Node, without an object for each. */
const digest = Layer.succeed(Digest.Digest, {
  digest: (algorithm, data) =>
    Effect.sync(() => new Uint8Array(hash(nameOf(algorithm), data, "buffer"))),
  digestHex: (algorithm, data) => Effect.sync(() => hash(nameOf(algorithm), data, "hex")),
});

export const layer = Layer.mergeAll(NodeCrypto.layer, random, digest);
