import type { Principal } from "@quartermaster/core";
import { Effect, Stream } from "effect";

type Call<A, E> = Effect.Effect<A, E, Principal.CurrentPrincipal>;

/** A service whose effects require nothing but the principal. */
export type Service = Readonly<
  Record<
    string,
    ((...args: ReadonlyArray<never>) => Call<unknown, unknown>) | Call<unknown, unknown>
  >
>;

type Value<A> = A extends Stream.Stream<infer Item, infer _E, infer _R> ? AsyncIterable<Item> : A;

/**
 * The same service with promises: an effect is a method that returns a promise, a stream is an async
 * iterable. A promise rejects with the error of `Errors` that the effect fails with.
 */
export type Promised<S> = {
  readonly [K in keyof S]: S[K] extends (
    ...args: infer Args
  ) => Effect.Effect<infer A, infer _E, infer _R>
    ? (...args: Args) => Promise<Value<A>>
    : S[K] extends Effect.Effect<infer A, infer _E, infer _R>
      ? () => Promise<Value<A>>
      : never;
};

/** Converts effects and streams for code without Effect. */
export interface Exit {
  run<A>(effect: Call<A, unknown>): Promise<A>;
  iterate<A>(stream: Stream.Stream<A, unknown>): AsyncIterable<A>;
}

const isStream = (value: unknown): value is Stream.Stream<unknown, unknown> =>
  Stream.isStream(value);

/** Makes the promises of a service. */
export const promised = <S extends Service>(service: S, { iterate, run }: Exit): Promised<S> => {
  const methods = Object.entries<Service[string]>(service).map(([name, member]) => {
    const method = async (...args: ReadonlyArray<never>) => {
      const value = await run(Effect.isEffect(member) ? member : member(...args));
      return isStream(value) ? iterate(value) : value;
    };
    return [name, method] as const;
  });
  // Each member is there, as the mapped type says.
  return Object.fromEntries(methods) as Promised<S>;
};
