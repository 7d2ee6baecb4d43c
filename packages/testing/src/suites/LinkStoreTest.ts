import { describe } from "@effect/vitest";
import type { Layer } from "effect";
import type { Storage } from "../Storage.ts";
import { block } from "../Suite.ts";
import * as LinkGraph from "./links/LinkGraph.ts";
import * as LinkPath from "./links/LinkPath.ts";
import * as LinkRows from "./links/LinkRows.ts";

/** The requirements of every `LinkStore`, together with the issue store. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`LinkStore: ${name}`, () => {
    block("rows", storage, LinkRows.tests);
    block("path", storage, LinkPath.tests);
    block("graph", storage, LinkGraph.tests);
  });
};
