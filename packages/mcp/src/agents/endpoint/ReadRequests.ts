import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { CurrentRun, type McpConnector, type Principal } from "@quartermaster/core";
import { Effect } from "effect";
import * as ActingRuns from "../toolbox/ActingRuns.ts";
import { type Refusal, Refusals } from "../toolbox/Refusals.ts";
import type { CallingWorker } from "../toolbox/ServiceTool.ts";

/** Requests that read from granted servers. They fail with errors of the protocol. */

/** A failure of such a request. */
export type Failure = McpConnector.RpcError | Refusal;

/** Handles such requests. */
export const make = Effect.gen(function* () {
  const { problemOf } = yield* Refusals;
  const actingFor = yield* ActingRuns.make;

  const refused = (refusal: Refusal) => {
    const { detail, status: _, title: __, type, ...members } = problemOf(refusal);
    const data = { error: String(type).split(":").at(-1), ...members };
    return new ProtocolError(ProtocolErrorCode.InternalError, detail, data);
  };

  /** Reads for the run of the caller. `known` translates failures of the request itself. */
  const inRun = <A extends object, E extends Failure>(
    caller: CallingWorker | null,
    reading: Effect.Effect<A, E, Principal.CurrentPrincipal>,
    known: (error: E) => ProtocolError | null,
  ): Effect.Effect<A, ProtocolError, Principal.CurrentPrincipal> =>
    Effect.gen(function* () {
      const { run, several } = yield* Effect.mapError(actingFor(caller), refused);
      if (several.length > 0) {
        const { detail, ...data } = ActingRuns.several(several);
        return yield* Effect.fail(new ProtocolError(ProtocolErrorCode.InternalError, detail, data));
      }
      return yield* Effect.mapError(
        Effect.provideService(reading, CurrentRun.CurrentRun, run),
        (error: E): ProtocolError => {
          const failure: Failure = error;
          return (
            known(error) ??
            (failure._tag === "RpcError"
              ? new ProtocolError(failure.code, failure.message, failure.data)
              : refused(failure))
          );
        },
      );
    });

  return { inRun, refused };
});
