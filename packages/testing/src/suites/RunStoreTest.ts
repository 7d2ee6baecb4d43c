import { describe } from "@effect/vitest";
import type { Layer } from "effect";
import type { Storage } from "../Storage.ts";
import { block } from "../Suite.ts";
import * as RunLists from "./runs/RunLists.ts";
import * as RunRows from "./runs/RunRows.ts";

/** The requirements of every `RunStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`RunStore: ${name}`, () => {
    block("rows", storage, RunRows.tests);
    block("lists", storage, RunLists.tests);
    block("expired", storage, RunLists.expired);
    block("leases", storage, RunLists.shortenLeases);
    block("prune", storage, RunLists.prune);
  });
};
