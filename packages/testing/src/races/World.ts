import {
  type Errors,
  Issues,
  type Principal,
  Transactor,
  type IssueInput,
} from "@quartermaster/core";
import { Clock, type Context, Effect, Layer, type Result, type Scope } from "effect";
import * as Callers from "../model/Callers.ts";
import type { Storage } from "../Storage.ts";
import * as TestCore from "../TestCore.ts";

/** Builds storages for the given number of nodes. They share stored data at a new location. */
export type Nodes<E> = (
  count: number,
) => Effect.Effect<ReadonlyArray<Context.Context<Storage>>, E, Scope.Scope>;

/** The services available to a call: all services of core, and all ports. The nodes share scripted MCP servers. */
export type Services = TestCore.McpServices;

export type Call<A, E> = Effect.Effect<A, E, Services | Principal.CurrentPrincipal>;

/** One round of a race, with its own project and agent in a storage that rounds share. */
export interface World {
  readonly round: number;
  readonly projectId: string;
  readonly agentId: string;
  /** Runs a call on the first node. */
  readonly run: <A, E>(call: Call<A, E>) => Effect.Effect<A, E>;
  /** Runs two calls concurrently, each on its own node. */
  readonly both: <A, E, B, E2>(
    first: Call<A, E>,
    second: Call<B, E2>,
  ) => Effect.Effect<readonly [Result.Result<A, E>, Result.Result<B, E2>]>;
  /** Runs calls concurrently, distributed over the nodes in turn. */
  readonly all: <A, E>(
    calls: ReadonlyArray<Call<A, E>>,
  ) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>>;
}

export interface Race {
  readonly name: string;
  /** Fails if no sequential execution of the calls has the outcome of the round. */
  readonly check: (world: World) => Effect.Effect<unknown, unknown>;
}

const nodeCount = 3;

/** Background work does not follow the test clock, which skips days. */
const realClock = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue());

/**
 * Runs a race `rounds` times. The calls of a round start a few scheduler steps apart, different in
 * each round.
 */
export const run = Effect.fnUntraced(function* <E>(nodes: Nodes<E>, race: Race, rounds: number) {
  const storages = yield* nodes(nodeCount);
  const scripted = Layer.succeedContext(yield* Layer.build(Layer.fresh(TestCore.scripted)));
  const cores = yield* Effect.forEach(storages, (stored, n) => {
    const storage = Layer.succeedContext(stored);
    const core = TestCore.layerMcpWith({ storage, scripted, seed: n + 1 });
    return Layer.build(Layer.fresh(Layer.provide(core, realClock)));
  });
  const alice = Callers.as(Callers.user("alice"));
  for (let round = 0; round < rounds; round++) {
    const at =
      (node: number) =>
      <A, F>(call: Call<A, F>): Effect.Effect<A, F> =>
        Effect.provideContext(alice(call), nodeAt(cores, node));
    /** Delays the call by 0 to 6 scheduler steps, depending on round and position. */
    const late = <A, F>(call: Effect.Effect<A, F>, position: number) =>
      Effect.andThen(
        Effect.replicateEffect(Effect.yieldNow, (round * (position * 2 + 1) + position) % 7, {
          discard: true,
        }),
        Effect.result(call),
      );
    yield* race.check({
      round,
      projectId: `project-${round}`,
      agentId: `agent-${round}`,
      run: at(0),
      both: (first, second) =>
        Effect.all([late(at(0)(first), 0), late(at(1)(second), 1)], { concurrency: "unbounded" }),
      all: (calls) =>
        Effect.forEach(calls, (call, n) => late(at(n)(call), n), { concurrency: "unbounded" }),
    });
  }
}, Effect.scoped);

const nodeAt = (cores: ReadonlyArray<Context.Context<Services>>, node: number) => {
  const core = cores[node % cores.length];
  if (core === undefined) throw new Error("A race needs at least one node");
  return core;
};

/** Creates an issue in the round's project. */
export const create = (
  { projectId }: World,
  input: Partial<typeof IssueInput.IssueCreate.Encoded> = {},
) => Issues.Issues.use((issues) => issues.create(projectId, { title: "An issue", ...input }));

export const transact = <A, E>(change: Call<A, E>): Call<A, E | Errors.StorageError> =>
  Transactor.Transactor.use((transactor) => transactor.transact(change));
