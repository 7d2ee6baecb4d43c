import { Effect } from "effect";
import * as Timestamp from "../../../Timestamp.ts";
import { Connections } from "../../connections/Connections.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import type { ToolUnavailableReason } from "../../McpErrors.ts";
import * as CallAdvice from "./CallAdvice.ts";
import * as ToolAccess from "./ToolAccess.ts";

/**
 * The refusals of calls that failed at their server. If a call was not sent, its refusal contains
 * the time of the next retry.
 */
export const make = Effect.gen(function* () {
  const connections = yield* Connections;
  /**
   * The time since which calls do not reach their remote server, by its id, although the connection
   * is open.
   */
  const unreachable = new Map<string, Timestamp.Timestamp>();

  /**
   * The time since which the server is not reachable, and the time of the next retry; null if
   * neither is known.
   */
  const retryOf = Effect.fnUntraced(function* (
    call: { readonly agentId: string; readonly isSent: boolean },
    server: InstalledServerRow,
    error: ConnectorError,
    now: Timestamp.Timestamp,
  ) {
    const wasSent = call.isSent && error.sent;
    if (wasSent || error.retryAfterSeconds !== undefined) return null;
    const retry = yield* connections.retryOf(server, call.agentId);
    if (retry !== null || !call.isSent || error.reason !== "unreachable") return retry;
    const since = unreachable.get(server.id) ?? now;
    unreachable.set(server.id, since);
    return { since, retryAt: null };
  });

  const refuse = Effect.fnUntraced(function* (
    call: { readonly agentId: string; readonly isSent: boolean },
    server: InstalledServerRow,
    error: ConnectorError,
  ) {
    const reason = reasonOf(error, call.isSent);
    if (CallAdvice.needsPerson(error.message)) {
      return yield* ToolAccess.unavailable(reason, error.message, CallAdvice.unauthorized);
    }
    const now = yield* Timestamp.now;
    const retry = yield* retryOf(call, server, error, now);
    const advice =
      retry === null
        ? CallAdvice.adviceOf(error, reason, call.isSent)
        : CallAdvice.ofRetry(retry, reason, now);
    const times = retry === null ? undefined : { since: retry.since, retryAt: retry.retryAt };
    return yield* ToolAccess.unavailable(reason, error.message, advice, times);
  });

  const reached = ({ id }: InstalledServerRow): void => {
    unreachable.delete(id);
  };

  return { reached, refuse };
});

const reasonOf = (
  { reason, sent }: ConnectorError,
  isSent: boolean,
): typeof ToolUnavailableReason.Type => {
  if (reason === "timeout") return "timeout";
  if (reason === "otherNode") return sent && isSent ? "crashed" : "otherNode";
  return reason === "exited" || reason === "closed" ? "crashed" : "failing";
};
