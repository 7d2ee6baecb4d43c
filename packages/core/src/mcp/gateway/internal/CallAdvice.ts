import type { Timestamp } from "../../../Timestamp.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import type { ToolUnavailable } from "../../McpErrors.ts";
import { advice as needsAuthorization } from "../../oauth/Bearer.ts";
import * as Outage from "../../Outage.ts";

/**
 * Advice for an agent about a call that failed. It contains no text of the server, which is only
 * for Admins.
 */

type Reason = ToolUnavailable["reason"];

const notSent = "The call was not sent; it is safe to repeat.";

const causes: Partial<Record<Reason, string>> = {
  timeout: "Its server did not start in time.",
  crashed: "Its server stopped.",
  otherNode: "Its server runs on another node of the service, which this node does not reach.",
  failing:
    "Its server cannot be reached or started. If this does not pass, ask an Admin to verify it.",
};

/** Whether, judging by its message, only an authorization ends a failure. */
export const needsPerson = (message: string): boolean => message.includes(needsAuthorization);

/** Advice about a call to a server whose authorization expired, was revoked, or is missing. */
export const unauthorized =
  "The call was not carried out: its server requires an authorization that only a person can give. Do without this tool, or ask an Admin to authorize the server.";

/** Advice about a call that was not sent because its server is not reachable. */
export const ofRetry = (retry: Outage.Retry, reported: Reason, now: Timestamp): string => {
  const cause = reported === "failing" ? "Its server" : `${causes[reported] ?? ""} It`;
  return `${notSent} ${cause} is ${Outage.describe(retry, now)}.`;
};

/**
 * Advice about a failed call; undefined if the reason needs no advice. `isSent`: whether the server
 * may have received the call.
 */
export const adviceOf = (
  { retryAfterSeconds, sent }: ConnectorError,
  reported: Reason,
  isSent: boolean,
): string | undefined => {
  if (retryAfterSeconds !== undefined) {
    return `The remote server limits calls and did not carry this one out. Repeat it after ${retryAfterSeconds} s.`;
  }
  return isSent && sent ? undefined : `${notSent} ${causes[reported] ?? ""}`.trim();
};
