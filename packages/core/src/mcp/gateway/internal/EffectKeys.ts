import { Effect } from "effect";
import { Digest } from "effect/crypto";
import { Hex } from "effect/encoding";
import * as EffectIdentity from "../../../effects/EffectIdentity.ts";
import type { CallInFlight } from "./CallInFlight.ts";

/** Returns the key of a call, by its server's settings. */
export const make = Effect.gen(function* () {
  const digest = yield* Digest.Digest;
  const encoder = new TextEncoder();
  const hash = (text: string) =>
    Effect.map(digest.digest(Digest.sha256, encoder.encode(text)), Hex.encode);

  return Effect.fnUntraced(function* (call: CallInFlight) {
    const { args, options } = call.request;
    const name = options.effectName ?? null;
    const text = EffectIdentity.argumentsText(args, call.onceRule?.by);
    const { server, tool } = call.target;
    const identity = EffectIdentity.identityText({
      serverId: server?.id ?? "",
      tool,
      name,
      arguments: text,
    });
    return { identity: yield* hash(identity), arguments: yield* hash(text), name };
  });
});
