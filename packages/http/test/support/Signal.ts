/** Wakes its waiters whenever a value that their conditions read changes. */
export class Signal {
  readonly #waiting = new Set<() => void>();

  readonly notify = (): void => {
    for (const wake of this.#waiting) wake();
  };

  /** Resolves once the condition holds. Only the time limit of the test ends the wait earlier. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }
}
