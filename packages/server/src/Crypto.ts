import { hash } from "node:crypto";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import { Effect, Layer } from "effect";
import { Digest } from "effect/crypto";

const nameOf = ({ name }: Digest.Algorithm) => name.replace("-", "");

/**
 * Computes each digest in one call to Node, without a hash object: every request needs the digest
 * of its key.
 */
const digest = Layer.succeed(Digest.Digest, {
  digest: (algorithm, data) =>
    Effect.sync(() => new Uint8Array(hash(nameOf(algorithm), data, "buffer"))),
  digestHex: (algorithm, data) => Effect.sync(() => hash(nameOf(algorithm), data, "hex")),
});

/** The server's cryptography, from Node. */
export const layer = Layer.merge(NodeCrypto.layer, digest);
