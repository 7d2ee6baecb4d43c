import { Deferred, Effect, Exit } from "effect";

/**
 * Requests that share statements. A request starts a statement immediately if none runs. Requests that arrive
 * while it runs share the next one, so a statement never waits for more requests.
 */
export const make = <Request, Response, E>(
  /** Returns the responses in the order of the requests. */
  run: (requests: ReadonlyArray<Request>) => Effect.Effect<ReadonlyArray<Response>, E>,
  /** The most requests of one statement. */
  most: number,
): ((request: Request) => Effect.Effect<Response, E>) => {
  interface Waiting {
    readonly request: Request;
    readonly response: Deferred.Deferred<Response, E>;
  }
  let waiting: Array<Waiting> = [];
  let isRunning = false;

  const runAll: Effect.Effect<void> = Effect.suspend(() => {
    const group = waiting.slice(0, most);
    waiting = waiting.slice(most);
    if (group.length === 0) {
      isRunning = false;
      return Effect.void;
    }
    return Effect.flatMap(Effect.exit(run(group.map(({ request }) => request))), (exit) => {
      group.forEach(({ response }, index) =>
        Deferred.doneUnsafe(
          response,
          Exit.map(exit, (responses) => responses[index] as Response),
        ),
      );
      return runAll;
    });
  });
  // Without `startImmediately`, so that requests that arrived together share the first statement as well.
  const started = Effect.forkDetach(runAll, { uninterruptible: true });

  return (request) =>
    Effect.suspend(() => {
      const response = Deferred.makeUnsafe<Response, E>();
      waiting.push({ request, response });
      if (isRunning) return Deferred.await(response);
      isRunning = true;
      return Effect.andThen(started, Deferred.await(response));
    });
};
