import { Layer } from "effect";
import { SecretBox } from "../secrets/SecretBox.ts";
import { Deliverer } from "./Deliverer.ts";
import { Webhooks } from "./Webhooks.ts";

/** The services of webhooks. */
export const layer = Layer.mergeAll(Deliverer.layerNoDeps, Webhooks.layerNoDeps).pipe(
  Layer.provide(SecretBox.layer),
);
