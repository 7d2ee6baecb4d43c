import { Effect, type Scope } from "effect";

/** A waiter for one bell. */
export class Listener {
  #rung = false;
  #wake = () => {};

  ring(): void {
    this.#rung = true;
    this.#wake();
  }

  /** Waits until the bell has rung since the last wait, or for `millis` milliseconds. */
  wait(millis: number): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      if (this.#rung) return resume(Effect.void);
      this.#wake = () => resume(Effect.void);
      return Effect.void;
    }).pipe(
      Effect.timeoutOption(millis),
      Effect.andThen(
        Effect.sync(() => {
          this.#rung = false;
          this.#wake = () => {};
        }),
      ),
    );
  }
}

/** A bell for each id that has a listener. */
export class Bells {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** The number of ids that have a listener. */
  get size(): number {
    return this.#listeners.size;
  }

  ring(id: string): void {
    for (const listener of this.#listeners.get(id) ?? []) listener.ring();
  }

  ringAll(): void {
    for (const id of this.#listeners.keys()) this.ring(id);
  }

  /** Listens from now on, until the scope closes. */
  listen(id: string): Effect.Effect<Listener, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => {
        const listener = new Listener();
        const listeners = this.#listeners.get(id) ?? new Set();
        this.#listeners.set(id, listeners.add(listener));
        return listener;
      }),
      (listener) =>
        Effect.sync(() => {
          const listeners = this.#listeners.get(id);
          listeners?.delete(listener);
          if (listeners?.size === 0) this.#listeners.delete(id);
        }),
    );
  }
}
