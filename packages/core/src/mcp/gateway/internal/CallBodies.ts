import { Effect, Option, Redacted } from "effect";
import { parse as read } from "../../../ExactNumbers.ts";
import { SecretBox } from "../../../secrets/SecretBox.ts";
import type { Timestamp } from "../../../Timestamp.ts";
import { type CallBody, CallBodyStore, ownerOf } from "../../CallBodyStore.ts";
import type { RecordedBody, ToolCall } from "../../ToolCall.ts";
import * as CallErrors from "./CallErrors.ts";

/** The largest recorded arguments and the largest recorded result, in bytes of their JSON. */
const maxBytes = 64 * 1_024;

/** A value as JSON; if that is too large, its start. */
interface Part {
  readonly json: string;
  readonly isTruncated: boolean;
}

/** The plain form of a sealed body. */
interface Parts {
  readonly arguments: Part | null;
  readonly result: Part | null;
}

/** The body of a call that is not stored yet. */
export interface PendingBody extends Pick<CallBody, "callId" | "endedAt" | "issueId" | "serverId"> {
  /** JSON of `Parts`. */
  readonly text: string;
}

const partOf = (value: unknown): Part | null => {
  const json = JSON.stringify(value);
  if (json === undefined) return null;
  const start = CallErrors.startOf(json, maxBytes);
  return { json: start, isTruncated: start.length < json.length };
};

const valueOf = (part: Part | null): RecordedBody["arguments"] =>
  part === null || part.isTruncated
    ? (part?.json ?? null)
    : (read(part.json) as RecordedBody["arguments"]);

/**
 * The body of a call of which everything is recorded; null for other calls. Without arguments if the call
 * was not sent: only the connection to its server knows the secrets to leave out.
 */
export const pending = (
  { id, issueId, recorded, serverId }: Pick<ToolCall, "id" | "issueId" | "recorded" | "serverId">,
  endedAt: Timestamp,
  args: unknown,
  result: unknown,
): PendingBody | null => {
  if (recorded !== "all" || serverId === null) return null;
  const parts: Parts = { arguments: partOf(args), result: partOf(result) };
  return parts.arguments === null && parts.result === null
    ? null
    : { callId: id, serverId, issueId, endedAt, text: JSON.stringify(parts) };
};

const none: RecordedBody = { arguments: null, result: null, truncated: false };

/** Seals and opens the arguments and results of calls. */
export const make = Effect.gen(function* () {
  const box = yield* SecretBox;
  const store = yield* CallBodyStore;

  const sealed = Effect.fnUntraced(function* ({ text, ...body }: PendingBody) {
    const value = yield* box.sealOften(ownerOf(body), Redacted.make(text));
    return { ...body, ...value, bytes: value.sealed.length };
  });

  /** The body of a call; nulls if it was not recorded, was removed, or its key was. */
  const of = Effect.fnUntraced(function* (callId: string) {
    const body = Option.getOrNull(yield* store.get(callId));
    if (body === null) return none;
    const opened = Option.getOrNull(yield* Effect.option(box.open(ownerOf(body), body)));
    if (opened === null) return none;
    const { arguments: args, result } = JSON.parse(Redacted.value(opened)) as Parts;
    return {
      arguments: valueOf(args),
      result: valueOf(result),
      truncated: args?.isTruncated === true || result?.isTruncated === true,
    };
  });

  return { sealed, of };
});
