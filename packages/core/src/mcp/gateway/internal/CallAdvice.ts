import type { ConnectorError } from "../../McpConnector.ts";
import type { ToolUnavailable } from "../../McpErrors.ts";

/** What an agent should do about a call that failed. It has none of the server's own words, which are for Admins. */

type Reason = ToolUnavailable["reason"];

const causes: Partial<Record<Reason, string>> = {
  timeout: "Its server did not start in time.",
  crashed: "Its server went away.",
  failing:
    "Its server cannot be reached or started: ask an Admin to verify it if that does not pass.",
};

/** Undefined where the reason says enough. `isSent`: whether the server may have received the call. */
export const adviceOf = (
  { reason, retryAfterSeconds, sent }: ConnectorError,
  reported: Reason,
  isSent: boolean,
): string | undefined => {
  if (retryAfterSeconds !== undefined) {
    return `The call was not carried out, because its remote server limits calls. Repeat it after ${retryAfterSeconds} s.`;
  }
  if (!isSent || !sent) {
    return `The call was not sent; it is safe to repeat. ${causes[reported] ?? ""}`.trim();
  }
  return reason === "tooLarge"
    ? "The server's response is larger than 32 MiB. The call was carried out; ask for less next time."
    : undefined;
};
