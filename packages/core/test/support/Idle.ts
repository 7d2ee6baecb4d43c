import { Effect, Scheduler } from "effect";
import { WebCrypto } from "effect/crypto/WebCrypto";

/**
 * Longer than the 10 ms of real time for which the tail of the event log pauses after each read.
 */
const quietMillis = 12;

/**
 * Detects when nothing is running: every fiber waits for the clock or for a signal, and no
 * cryptographic operation is in flight. Tests wait for this state instead of a number of turns or a
 * duration.
 *
 * A fiber only runs in a task of its scheduler or when a promise resolves. This scheduler counts
 * its tasks, and the `crypto` that it provides counts its promises. The only pause in real time is
 * shorter than `quietMillis`, and timers fire in the order of their time.
 */
class Tracker implements Scheduler.Scheduler {
  readonly executionMode: "sync" | "async";
  readonly #parent: Scheduler.Scheduler;
  readonly #waiting: Array<() => void> = [];
  #pending = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parent: Scheduler.Scheduler) {
    this.#parent = parent;
    this.executionMode = parent.executionMode;
  }

  shouldYield(fiber: Parameters<Scheduler.Scheduler["shouldYield"]>[0]): boolean {
    return this.#parent.shouldYield(fiber);
  }

  makeDispatcher(): Scheduler.SchedulerDispatcher {
    const dispatcher = this.#parent.makeDispatcher();
    return {
      scheduleTask: (task, priority) => {
        this.#pending++;
        dispatcher.scheduleTask(() => {
          try {
            task();
          } finally {
            this.#done();
          }
        }, priority);
      },
      flush: () => dispatcher.flush(),
    };
  }

  /** Wraps an object so that the promises of its methods are counted. */
  track<A extends object>(object: A): A {
    return new Proxy(object, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...args: ReadonlyArray<unknown>) => {
          const result: unknown = Reflect.apply(member, target, args);
          if (result instanceof Promise) {
            this.#pending++;
            const done = () => this.#done();
            void result.then(done, done);
          }
          return result;
        };
      },
    });
  }

  readonly idle = Effect.callback<void>((resume) => {
    this.#waiting.push(() => resume(Effect.void));
    this.#check();
  });

  #done(): void {
    this.#pending--;
    this.#check();
  }

  /** Resumes the waiting fibers once nothing has run for `quietMillis`. */
  #check(): void {
    clearTimeout(this.#timer);
    if (this.#pending > 0 || this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => {
      if (this.#pending > 0) return;
      for (const resume of this.#waiting.splice(0)) resume();
    }, quietMillis);
  }
}

/** Runs a test whose fibers are tracked. */
export const tracked = <A, E, R>(test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const tracker = new Tracker(yield* Scheduler.Scheduler);
    const crypto = yield* WebCrypto;
    const subtle = tracker.track(crypto.subtle);
    const tracking = new Proxy(crypto, {
      get: (target, name) => {
        if (name === "subtle") return subtle;
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    return yield* test.pipe(
      Effect.provideService(WebCrypto, tracking),
      Effect.provideService(Scheduler.Scheduler, tracker),
    );
  });

/** Waits until nothing runs. */
export const idle: Effect.Effect<void> = Effect.flatMap(Scheduler.Scheduler, (scheduler) =>
  scheduler instanceof Tracker ? scheduler.idle : Effect.die("the test is not tracked"),
);
