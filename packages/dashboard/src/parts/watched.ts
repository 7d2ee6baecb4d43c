import { useSyncExternalStore } from "react";

/** An observable value. */
export interface Watched<A> {
  readonly current: () => A;
  readonly set: (next: A) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export const watched = <A>(initial: A): Watched<A> => {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    current: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useWatched = <A>({ current, subscribe }: Watched<A>): A =>
  useSyncExternalStore(subscribe, current);
