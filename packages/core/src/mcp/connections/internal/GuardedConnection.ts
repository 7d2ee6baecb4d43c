import { Deferred, Effect } from "effect";
import * as Definition from "../../Definition.ts";
import { isTooDeep, maxLevels } from "../../Depth.ts";
import { type Connection, ConnectorError, RpcError, type ToolResult } from "../../McpConnector.ts";
import * as Results from "../../Results.ts";
import type { Scrubber } from "../../values/internal/Scrubber.ts";

/**
 * Guards the service against its servers. Everything that a server sends passes here once: it is
 * judged, its secrets are replaced, and its failures are interpreted.
 */

/** A connection whose list of tools is judged. */
export interface GuardedConnection extends Omit<Connection, "listTools"> {
  readonly listTools: Effect.Effect<Definition.Listing, ConnectorError>;
}

export type Refused = ConnectorError | RpcError;

export interface Guard {
  readonly scrubber: Scrubber;
  /** Adds to a failure what to do about it. */
  readonly explain: <E extends Refused>(failure: E) => E;
  /** Runs on each failure. Returns true if the server rejects the token: the connection is lost. */
  readonly onFailure: (failure: Refused) => Effect.Effect<boolean>;
}

/** The same failure without secrets. */
export const scrubbed = <E extends Refused>(scrubber: Scrubber, failure: E): E => {
  const message = scrubber.text(failure.message);
  if (failure._tag === "RpcError") {
    const data = isTooDeep(failure.data) ? undefined : scrubber.json(failure.data);
    return new RpcError({ code: failure.code, message, data }) as E;
  }
  const { reason, retryAfterSeconds, scope, sent } = failure;
  return new ConnectorError({ reason, message, sent, scope, retryAfterSeconds }) as E;
};

export const make = (
  connection: Connection,
  { explain, onFailure, scrubber }: Guard,
): GuardedConnection => {
  const lost = Deferred.makeUnsafe<ConnectorError>();
  const cleaned = <E extends Refused>(failure: E) => explain(scrubbed(scrubber, failure));
  const guarded = <A, E extends Refused>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.matchEffect(effect, {
      onSuccess: (value) => Effect.succeed(scrubber.json(value)),
      onFailure: (failure) => {
        const told: E = cleaned(failure);
        const refused: Refused = told;
        return Effect.flatMap(onFailure(failure), (isLost) => {
          if (isLost && refused._tag === "ConnectorError") {
            Deferred.doneUnsafe(lost, Effect.succeed(refused));
          }
          return Effect.fail(told);
        });
      },
    });
  return {
    connectMillis: connection.connectMillis,
    listTools: guarded(Effect.flatMap(connection.listTools, Definition.judgeInSlices)),
    callTool: (name, args, { onProgress, timeoutMillis }) =>
      guarded(
        Effect.map(
          connection.callTool(name, args, {
            timeoutMillis,
            onProgress: onProgress && ((progress) => onProgress(scrubber.json(progress))),
          }),
          (result) => (isTooDeep(result) ? tooDeepResult : Results.readable(result)),
        ),
      ),
    toolsChanged: connection.toolsChanged,
    closed: Effect.raceFirst(Effect.map(connection.closed, cleaned), Deferred.await(lost)),
  };
};

const tooDeepResult: ToolResult = {
  content: [
    { type: "text", text: `The server's result is nested more than ${maxLevels} levels deep.` },
  ],
  isError: true,
};
