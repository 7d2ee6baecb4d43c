import type { Timestamp } from "../Timestamp.ts";
import { type EffectSlot, stateAt } from "./EffectSlot.ts";

/** A call of a tool whose calls happen once. */
export interface AskedEffect {
  readonly runId: string;
  /** The cycle. */
  readonly cycle: number;
  readonly name: string | null;
  /** The digest of the compared arguments. */
  readonly arguments: string;
  /**
   * The time of the run's last `resume` after a crash; null without one. Responses that were delivered to
   * the run before do not count.
   */
  readonly resumedAt: Timestamp | null;
}

/**
 * The decision on a call.
 *
 * - `mismatch`: the name stands for a call with other arguments.
 * - `unknown`: nothing is sent before the slot is settled.
 * - `wait`: an equal call is in flight, or its response to the same run is. Decide again when it has ended.
 * - `replay`: the slot's result is the result.
 * - `sendAgain`: the failed slot is sent under the new call's id.
 * - `sendNew`: a new slot with this `n` is sent.
 */
export type Decision =
  | { readonly kind: "mismatch"; readonly slot: EffectSlot }
  | { readonly kind: "unknown"; readonly slot: EffectSlot }
  | { readonly kind: "wait"; readonly slot: EffectSlot }
  | { readonly kind: "replay"; readonly slot: EffectSlot }
  | { readonly kind: "sendAgain"; readonly slot: EffectSlot }
  | { readonly kind: "sendNew"; readonly n: number };

/** Whether the run has received the slot's response since its last resume. */
const isUsed = ({ delivered }: EffectSlot, { resumedAt, runId }: AskedEffect): boolean =>
  delivered.some((to) => to.runId === runId && (resumedAt === null || to.at > resumedAt));

/** Whether a response with the slot's result is on its way to the run. */
const isDelivering = ({ delivering }: EffectSlot, { name, runId }: AskedEffect, now: Timestamp) =>
  name === null && delivering?.runId === runId && delivering.until > now;

/** Decides on a call by the slots of its issue that have its identity, as `EffectStore.equal` returns them. */
export const decide = (
  slots: ReadonlyArray<EffectSlot>,
  asked: AskedEffect,
  now: Timestamp,
): Decision => {
  const current = slots.filter(({ cycle }) => cycle === asked.cycle).toSorted((a, b) => a.n - b.n);
  if (asked.name !== null) {
    const other = current.find((slot) => slot.arguments !== asked.arguments);
    if (other !== undefined) return { kind: "mismatch", slot: other };
  }
  const unknown = slots.find((slot) => stateAt(slot, now) === "unknown");
  if (unknown !== undefined) return { kind: "unknown", slot: unknown };
  const sent = slots.find(({ state }) => state === "sent");
  if (sent !== undefined) return { kind: "wait", slot: sent };
  const done = current.find(
    (slot) => slot.state === "done" && (asked.name !== null || !isUsed(slot, asked)),
  );
  if (done !== undefined) {
    return { kind: isDelivering(done, asked, now) ? "wait" : "replay", slot: done };
  }
  const failed = current.find(({ state }) => state === "failed");
  if (failed !== undefined) return { kind: "sendAgain", slot: failed };
  return { kind: "sendNew", n: (current.at(-1)?.n ?? 0) + 1 };
};
