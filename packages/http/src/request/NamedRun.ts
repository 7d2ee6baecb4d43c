import { CurrentRun, type Errors, type Principal, Runs } from "@quartermaster/core";
import { Effect } from "effect";
import type { HttpServerRequest } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Refused from "./Refused.ts";

/** The run that a request acts for, from the header `Quartermaster-Run` or a member of its body. */

export const header = "quartermaster-run";

const foreign = Refused.from(
  new Problem.Forbidden({
    detail:
      "The request names a run that this key may not act for (`Quartermaster-Run`, `runId` or `quartermaster/run`). Name a run of an agent that the key may act for, in a project that the key may see, or none.",
    requiredRole: null,
  }),
);

/** The response to a request that names two different runs. `path` is the field with the second one. */
export const differs = (path: string): Refused.Refused =>
  Refused.invalid(400, path, "must be the run that the header Quartermaster-Run names");

/** The run in the header. An empty header counts as missing: some hosts cannot omit it. */
export const of = ({ headers }: HttpServerRequest.HttpServerRequest): string | null =>
  headers[header] || null;

/**
 * Returns a function that handles a request on behalf of a run. It refuses a caller that may not
 * act for the run.
 */
export const make = Effect.gen(function* () {
  const runs = yield* Runs.Runs;

  return <R>(
    runId: string,
    handled: Effect.Effect<Refused.Refused, Errors.StorageError, R>,
  ): Effect.Effect<Refused.Refused, Errors.StorageError, R | Principal.CurrentPrincipal> =>
    Effect.matchEffect(runs.acting(runId), {
      onFailure: (error) =>
        error._tag === "Forbidden" ? Effect.succeed(foreign) : Effect.fail(error),
      onSuccess: (run) => Effect.provideService(handled, CurrentRun.CurrentRun, run),
    });
});
