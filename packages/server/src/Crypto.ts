import { hash } from "node:crypto";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import { Effect, Layer } from "effect";
import { Digest } from "effect/crypto";

const nameOf = ({ name }: Digest.Algorithm) => name.replace("-", "");

/** Each digest in one call to Node, without an object for it: each request takes one of its key. */
const digest = Layer.succeed(Digest.Digest, {
  digest: (algorithm, data) =>
    Effect.sync(() => new Uint8Array(hash(nameOf(algorithm), data, "buffer"))),
  digestHex: (algorithm, data) => Effect.sync(() => hash(nameOf(algorithm), data, "hex")),
});

/** The cryptography of the server: Node's. */
export const layer = Layer.merge(NodeCrypto.layer, digest);
