import type { Finish } from "@quartermaster/client";
import { Clock, Deferred, Effect } from "effect";
import * as Api from "../Api.ts";
import type { Worker } from "./RunnerKey.ts";

/** Milliseconds for handing in while the runner shuts down. */
const closingMillis = 5_000;

/**
 * Hands a run in. While the server is away or asks to wait, it tries again until the lease is over:
 * after that the issue belongs to the next run. A run that has ended, for example because the command
 * handed it in itself, is left as it is.
 */
export const handIn = Effect.fnUntraced(function* (
  worker: Worker,
  run: { readonly runId: string; readonly deadline: number },
  finish: Finish,
  closing: Deferred.Deferred<void>,
  say: (text: string) => Effect.Effect<void>,
) {
  const attempt = Api.call(
    worker.access,
    (client, options) =>
      client.agents.finish({ agentId: worker.agentId, runId: run.runId, ...finish }, options),
    { timeoutMillis: 10_000 },
  );
  const persistently = Effect.gen(function* () {
    for (;;) {
      const result = yield* Effect.result(attempt);
      if (result._tag === "Success")
        return yield* say(`${finish.outcome}: ${result.success.status}`);
      const { message, problem, retryAfterSeconds } = result.failure;
      if (problem === "run-ended") return yield* say("had been handed in or stopped before");
      if (retryAfterSeconds === null) return yield* say(`cannot be handed in: ${message}`);
      if ((yield* Clock.currentTimeMillis) >= run.deadline) {
        return yield* say("cannot be handed in: the lease is over");
      }
      yield* Effect.sleep(`${Math.min(retryAfterSeconds, 5)} seconds`);
    }
  });
  const giveUp = Effect.andThen(Deferred.await(closing), Effect.sleep(closingMillis));
  yield* Effect.raceFirst(persistently, giveUp);
});
