import type { Principal } from "@quartermaster/core";
import { Effect, Stream } from "effect";

type Call<A, E> = Effect.Effect<A, E, Principal.CurrentPrincipal>;

/** A service whose effects require only the principal. */
export type Service = Readonly<
  Record<
    string,
    ((...args: ReadonlyArray<never>) => Call<unknown, unknown>) | Call<unknown, unknown>
  >
>;

type Value<A> = A extends Stream.Stream<infer Item, infer _E, infer _R> ? AsyncIterable<Item> : A;

/**
 * A service with promises: an effect becomes a method that returns a promise, a stream an async
 * iterable. A promise rejects with the effect's error, which is one of `Errors`.
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

/** Converts a service to promises. */
export const promised = <S extends Service>(service: S, { iterate, run }: Exit): Promised<S> => {
  const methods = Object.entries<Service[string]>(service).map(([name, member]) => {
    const method = async (...args: ReadonlyArray<never>) => {
      const value = await run(Effect.isEffect(member) ? member : member(...args));
      return isStream(value) ? iterate(value) : value;
    };
    return [name, method] as const;
  });
  // The object has every member of the mapped type.
  return Object.fromEntries(methods) as Promised<S>;
};
