import { Exit, Option, Predicate } from "effect";
import { IdempotencyMismatch } from "../../../CommonErrors.ts";
import { RpcError } from "../../McpConnector.ts";
import { ToolUnavailable } from "../../McpErrors.ts";
import type { EffectInFlight } from "./EffectInFlight.ts";

/** The texts of failures in the record of calls. Results and errors of servers have no secrets here. */

const maxBytes = 2_048;

/** The start of a text, at most `maxBytes` bytes of UTF-8. */
export const startOf = (text: string, maxBytes: number): string => {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  // A character that is cut becomes a replacement character at the end.
  return new TextDecoder().decode(bytes.subarray(0, maxBytes - 3)).replace(/\uFFFD+$/, "");
};

const bounded = (text: string): string => startOf(text, maxBytes);

const resultText = (result: unknown): string => {
  const content = Predicate.isReadonlyObject(result) ? result["content"] : undefined;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: unknown) => {
      const text = Predicate.isReadonlyObject(block) ? block["text"] : undefined;
      return typeof text === "string" ? [text] : [];
    })
    .join("\n");
};

/** The reasons with which a call is refused, which its outcome does not name. */
const withReason: ReadonlySet<string> = new Set(["runEnded", "noRun", "effectUnknown"]);

const failureText = (failure: unknown): string => {
  if (failure instanceof ToolUnavailable) {
    const { explanation, reason } = failure;
    return withReason.has(reason) ? `${reason}: ${explanation}` : explanation;
  }
  if (failure instanceof IdempotencyMismatch) return `idempotencyMismatch: ${failure.message}`;
  return failure instanceof RpcError ? failure.message : "The service failed.";
};

/** The text of the failure with which a call ended. */
export const textOf = (
  exit: Exit.Exit<unknown, unknown>,
  effect: EffectInFlight | null,
): string => {
  if (Exit.isSuccess(exit)) {
    const text = resultText(exit.value);
    return bounded(effect?.hasWaitedInVain === true ? `effectInFlight: ${text}` : text);
  }
  const failure = Option.getOrNull(Exit.findErrorOption(exit));
  return failure === null && Exit.hasInterrupts(exit)
    ? "The caller cancelled the call."
    : bounded(failureText(failure));
};
