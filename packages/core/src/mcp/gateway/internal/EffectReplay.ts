import { Effect } from "effect";
import type { EffectSlot } from "../../../effects/EffectSlot.ts";
import type { ToolResult } from "../../McpConnector.ts";
import { ToolUnavailable } from "../../McpErrors.ts";
import type { ToolDefinition } from "../../Tool.ts";

/** The results of calls that were not sent because of an equal effect. */

const text = (text: string) => ({ type: "text", text });

/** The texts of a result. */
export const textOf = ({ content }: ToolResult): string =>
  content.flatMap((block) => (typeof block["text"] === "string" ? [block["text"]] : [])).join("\n");

/** The recorded result in place of one that is too large to record. */
export const tooLarge = (bytes: number): ToolResult => ({
  content: [
    text(`The call was carried out; its result of ${bytes} bytes was too large to record.`),
  ],
});

/** The result of a call that waited for an equal effect without success. */
export const stillInFlight = (since: string): ToolResult => ({
  content: [text(`Still in flight since ${since}. Call it again to wait for its result.`)],
  isError: true,
});

/** Fails because an equal effect is unknown. */
export const unknown = ({
  callId,
  runId,
  sentAt,
}: EffectSlot): Effect.Effect<never, ToolUnavailable> =>
  Effect.fail(
    new ToolUnavailable({
      reason: "effectUnknown",
      explanation: `The reply of the equal call ${callId} was lost.`,
      advice: `Not sent: ${runId} sent this call at ${sentAt.slice(11, 19)} and its reply was lost. Look whether it happened, then call effect_settle with callId ${callId} and happened true or false.`,
      callId,
    }),
  );

/**
 * The result of a replay. The note of a settlement is the result of its call. A result that cannot satisfy the tool's
 * output schema is `isError`.
 */
export const of = (
  slot: EffectSlot,
  recorded: ToolResult | null,
  definition: ToolDefinition | null,
): ToolResult => {
  const at = slot.endedAt ?? slot.sentAt;
  const { callId, settled } = slot;
  const meta = { "quartermaster/replayed": { callId, at } };
  const result: ToolResult | null =
    recorded ?? (settled === null ? null : { content: [text(settled.note)] });
  const needsStructure = definition?.["outputSchema"] !== undefined;
  const fits = result !== null && (!needsStructure || result.structuredContent !== undefined);
  if (fits) {
    return { ...result, _meta: { ...result._meta, ...meta } };
  }
  const sentence =
    result === null
      ? `Carried out at ${at}; the result is no longer kept.`
      : `Carried out at ${at}: ${textOf(result)}`;
  return needsStructure
    ? {
        content: [text(`${sentence.replace(/\.$/, "")}. Do not repeat it.`)],
        isError: true,
        _meta: meta,
      }
    : { content: [text(sentence)], _meta: meta };
};
