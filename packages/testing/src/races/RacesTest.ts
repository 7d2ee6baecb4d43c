import { describe, it, type Vitest } from "@effect/vitest";
import { Effect, Layer } from "effect";
import type { Storage } from "../Storage.ts";
import * as AccessAndNames from "./AccessAndNames.ts";
import * as Asking from "./Asking.ts";
import * as Dependencies from "./Dependencies.ts";
import * as Effects from "./Effects.ts";
import * as Fences from "./Fences.ts";
import * as Limits from "./Limits.ts";
import * as Pauses from "./Pauses.ts";
import * as Records from "./Records.ts";
import * as RunsAndIssues from "./RunsAndIssues.ts";
import { type Nodes, type Race, run } from "./World.ts";

/**
 * The guarantees of a storage when nodes change the same data concurrently. Each race is two or
 * more service calls, each on its own node. However the storage resolves the conflict, the outcome
 * must equal one of a sequential execution.
 */
export const races: ReadonlyArray<Race> = [
  ...Dependencies.races,
  ...RunsAndIssues.races,
  ...Pauses.races,
  ...Fences.races,
  ...Effects.races,
  ...Records.races,
  ...AccessAndNames.races,
  ...Asking.races,
  ...Limits.races,
];

/** Nodes that share one build of a storage. */
export const shared =
  <E>(storage: Layer.Layer<Storage, E>): Nodes<E> =>
  (count) =>
    Effect.map(Layer.build(Layer.fresh(storage)), (context) =>
      Array.from({ length: count }, () => context),
    );

/** Registers the races. `nodes` builds the storages of nodes that share their data. */
export const suite = <E>(
  name: string,
  nodes: Nodes<E>,
  { rounds }: { readonly rounds: number },
): void => {
  describe(`Races over ${name}`, () => {
    for (const race of races) {
      const test: Vitest.TestFunction<void, unknown, never, []> = () => run(nodes, race, rounds);
      it.effect(race.name, test);
    }
  });
};
