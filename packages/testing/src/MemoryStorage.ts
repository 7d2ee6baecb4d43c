import { Layer } from "effect";
import { Digest } from "effect/crypto";
import { Database } from "./memory/Database.ts";
import * as Stores from "./memory/Stores.ts";
import type { Storage } from "./Storage.ts";

export { BetweenRuns } from "./memory/Database.ts";

/** All ports in memory, over one shared state. `Digest` hashes attachments. */
export const layerNoDeps: Layer.Layer<Storage, never, Digest.Digest> = Layer.provide(
  Stores.layer,
  Database.layer,
);

/** All ports in memory, over one shared state. Each build starts empty. */
export const layer: Layer.Layer<Storage> = Layer.provide(layerNoDeps, Digest.layerWebCrypto);

/**
 * Like `layer`, but runs every outermost change, rolls it back and runs it again. Run your tests
 * over it to find changes that are not safe to repeat, as `Transactor` requires. A change that locks
 * rows in an order that can deadlock dies. `BetweenRuns` makes the second run see a newer state.
 */
export const layerRerun: Layer.Layer<Storage> = Stores.layer.pipe(
  Layer.provide(Database.layerWith({ rerun: true })),
  Layer.provide(Digest.layerWebCrypto),
);
