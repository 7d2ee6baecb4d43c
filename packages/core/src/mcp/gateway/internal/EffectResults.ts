import { Effect, Option, Redacted } from "effect";
import type { EffectSlot } from "../../../effects/EffectSlot.ts";
import * as SealedResult from "../../../effects/SealedResult.ts";
import { SecretBox } from "../../../secrets/SecretBox.ts";
import type { ToolResult } from "../../McpConnector.ts";
import * as Results from "../../untrusted/Results.ts";
import type { CallInFlight } from "./CallInFlight.ts";
import * as EffectReplay from "./EffectReplay.ts";

/** The largest recorded result, in bytes of its JSON. */
const maxBytes = 256 * 1_024;

/** The recorded results of effects, sealed with the service's secret key. */
export const make = Effect.gen(function* () {
  const box = yield* SecretBox;

  /** The result of an effect to record. A sentence takes the place of one that is too large. */
  const sealed = Effect.fnUntraced(function* (call: CallInFlight, result: ToolResult) {
    const bytes = Results.bytesOf(result);
    const stored = bytes > maxBytes ? EffectReplay.tooLarge(bytes) : result;
    const owner = SealedResult.ownerOf({
      callId: call.id,
      serverId: call.target.server?.id ?? "",
    });
    return SealedResult.write(yield* box.sealOften(owner, Redacted.make(JSON.stringify(stored))));
  });

  /** The recorded result; null if it was removed, or its key was. */
  const recorded = Effect.fnUntraced(function* (slot: EffectSlot) {
    if (slot.result === null) return null;
    const opened = yield* Effect.option(
      box.open(SealedResult.ownerOf(slot), SealedResult.read(slot.result)),
    );
    return Option.isNone(opened) ? null : (JSON.parse(Redacted.value(opened.value)) as ToolResult);
  });

  return { sealed, recorded };
});
