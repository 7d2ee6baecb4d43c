import { describe } from "@effect/vitest";
import type { EventStore, Transactor } from "@quartermaster/core";
import type { Layer } from "effect";
import { block } from "../Suite.ts";
import * as EventQueries from "./events/EventQueries.ts";
import * as EventRows from "./events/EventRows.ts";

/** The requirements of every `EventStore`. */
export const suite = <E>(
  name: string,
  storage: Layer.Layer<EventStore.EventStore | Transactor.Transactor, E>,
): void => {
  describe(`EventStore: ${name}`, () => {
    block("rows", storage, EventRows.tests);
    block("queries", storage, EventQueries.tests);
    block("prune", storage, EventRows.prune);
  });
};
