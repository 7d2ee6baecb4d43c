import type { SealedValue } from "../secrets/SealedValue.ts";
import type { Owner } from "../secrets/SecretBox.ts";
import type { EffectSlot } from "./EffectSlot.ts";

/** The sealed result of an effect: the JSON of its `SealedValue`. */

/** The owner of the result, for which it is sealed. */
export const ownerOf = ({ callId, serverId }: Pick<EffectSlot, "callId" | "serverId">): Owner => ({
  serverId,
  name: `effect:${callId}`,
});

export const read = (result: string): SealedValue => JSON.parse(result);

export const write = (sealed: SealedValue): string => JSON.stringify(sealed);
