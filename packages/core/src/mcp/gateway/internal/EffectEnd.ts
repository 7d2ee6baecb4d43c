import { Exit, Option } from "effect";
import { ConnectorError, RpcError, type ToolResult } from "../../McpConnector.ts";
import { ToolUnavailable } from "../../McpErrors.ts";
import type { OnceErrors } from "../../Once.ts";

/**
 * The state in which an effect ends. `failed` only if the server surely did not carry it out. `done` if a result
 * arrived, in whatever form. Everything else is `unknown`: a time limit, a crash, a cancellation, a lost connection.
 */
export type EffectEnd = "done" | "failed" | "unknown";

/** JSON-RPC codes of requests that a server rejects before it carries them out. */
const isRejection = (code: number): boolean => code >= -32_602 && code <= -32_600;

/** HTTP statuses of requests that a server rejects before it carries them out. */
const rejections: ReadonlySet<number> = new Set([400, 401, 403, 404, 422, 429]);

const isRefused = (failure: unknown): boolean => {
  // Another node runs the server, and refused to send the request.
  if (failure instanceof ToolUnavailable) return true;
  if (failure instanceof RpcError) return isRejection(failure.code);
  if (!(failure instanceof ConnectorError)) return false;
  const { sent, status } = failure;
  return !sent || (status !== undefined && rejections.has(status));
};

/** The end of a request that was sent. `isReplaced`: its result was too large or unreadable for the service. */
export const of = (
  exit: Exit.Exit<ToolResult, unknown>,
  isReplaced: boolean,
  onceErrors: OnceErrors,
): EffectEnd => {
  if (Exit.isFailure(exit)) {
    return isRefused(Option.getOrNull(Exit.findErrorOption(exit))) ? "failed" : "unknown";
  }
  if (isReplaced || exit.value.isError !== true) return "done";
  return onceErrors === "retry" ? "failed" : "unknown";
};
