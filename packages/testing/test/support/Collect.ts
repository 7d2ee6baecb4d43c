import { SeededRandom, type Storage } from "@quartermaster/testing";
import { Effect, Exit, Layer, type Scope } from "effect";
import type { SecureRandom } from "effect/crypto";
import type { It } from "../../src/Suite.ts";

export type Tests = (it: It<Storage.Storage>) => void;

type Run = Effect.Effect<
  unknown,
  unknown,
  Storage.Storage | SecureRandom.SecureRandom | Scope.Scope
>;
type Body = (...args: ReadonlyArray<never>) => Run;

/** The tests that a block would register, except its property tests. */
const collect = (tests: Tests) => {
  const found: Array<{ readonly name: string; readonly run: Run }> = [];
  const add = (name: string, body: Body, ...args: ReadonlyArray<never>) =>
    found.push({ name, run: Effect.suspend(() => body(...args)) });
  const effect = Object.assign((name: string, body: Body) => add(name, body), {
    each: (cases: ReadonlyArray<never>) => (name: string, body: Body) =>
      cases.forEach((item) => add(name, body, item)),
    prop: () => undefined,
  });
  tests({ effect } as unknown as It<Storage.Storage>);
  return found;
};

/** The names of a block's tests that fail over this storage. */
export const failing = (tests: Tests, storage: Layer.Layer<Storage.Storage>) =>
  Effect.forEach(collect(tests), ({ name, run }) =>
    Effect.map(Effect.exit(Effect.scoped(run)), (exit) => (Exit.isFailure(exit) ? [name] : [])),
  ).pipe(
    Effect.map((names) => names.flat()),
    Effect.provide(Layer.merge(storage, SeededRandom.layer)),
  );
