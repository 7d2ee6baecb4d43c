import { Effect } from "effect";
import { Mac } from "effect/crypto";
import { Hex } from "effect/encoding";
import type { EffectSlot } from "../../../effects/EffectSlot.ts";

/** The slot in which an effect was sent, with the salt of its issue. */
export interface EffectPlace extends Pick<EffectSlot, "issueId" | "cycle" | "identity" | "n"> {
  readonly salt: string;
}

/**
 * Returns the key by which a server can recognize an effect that it receives again: an HMAC of the effect's slot under
 * the salt of its issue, 64 hexadecimal digits. It does not change with the service's keys.
 */
export const make = Effect.gen(function* () {
  const mac = yield* Mac.Mac;
  const encoder = new TextEncoder();
  return ({ cycle, identity, issueId, n, salt }: EffectPlace) =>
    Mac.key(Mac.hmacSha256, encoder.encode(salt)).pipe(
      Effect.flatMap((key) =>
        mac.sign(key, encoder.encode(JSON.stringify([issueId, cycle, identity, n]))),
      ),
      Effect.map(Hex.encode),
      Effect.orDie,
    );
});
