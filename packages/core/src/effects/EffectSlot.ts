import { Schema } from "effect";
import type { Actor } from "../Actor.ts";
import * as Text from "../Text.ts";
import * as Timestamp from "../Timestamp.ts";

/**
 * The state of an effect, a call that happens once per issue.
 *
 * - `sent`: the server may have received it. Past its `until` it counts as `unknown`.
 * - `done`: a result arrived.
 * - `failed`: surely not carried out. An equal call sends it again, under a new call id.
 * - `unknown`: the reply was lost. Until it is settled as `done` or `failed`, no equal call is sent.
 *
 * A late result ends an `unknown` slot that is not settled.
 */
export const EffectState = Schema.Literals(["sent", "done", "failed", "unknown"]);
export type EffectState = typeof EffectState.Type;

/** The decision of an agent or a person on an unknown effect. */
export interface Settlement {
  readonly by: Actor;
  readonly at: Timestamp.Timestamp;
  readonly note: string;
}

/**
 * A response on its way to a run. Its node replaces it when the last byte is written or the connection
 * closes. Past `until` the node was killed, and the response counts as lost.
 */
export interface Delivering {
  readonly runId: string;
  readonly until: Timestamp.Timestamp;
}

/** The place of one effect in an issue. An issue has one slot for each cycle, identity and `n`. */
export interface EffectSlot {
  readonly issueId: string;
  readonly cycle: number;
  /** The digest of the server, the tool, and the arguments or the caller's name: see `EffectIdentity`. */
  readonly identity: string;
  /** Counts equal calls of a cycle, from 1. */
  readonly n: number;
  /** The call that sent it last. Writes to a slot name this call, so that no other call ends it. */
  readonly callId: string;
  /** The calls that sent it before and failed, oldest first, at most `maxEarlier`. */
  readonly earlier: ReadonlyArray<string>;
  readonly runId: string;
  readonly serverId: string;
  /** The server's name at the time of the call. */
  readonly server: string;
  readonly tool: string;
  /** The caller's name of the effect; null without one. */
  readonly name: string | null;
  /** The digest of the compared arguments. */
  readonly arguments: string;
  readonly state: EffectState;
  readonly sentAt: Timestamp.Timestamp;
  readonly endedAt: Timestamp.Timestamp | null;
  /** The time until which the node vouches for the call. */
  readonly until: Timestamp.Timestamp;
  readonly node: string;
  /** The runs that received the whole response, each with its last time. */
  readonly delivered: ReadonlyArray<{ readonly runId: string; readonly at: Timestamp.Timestamp }>;
  /** A run that is being sent a response with the result; null if there is none. */
  readonly delivering: Delivering | null;
  readonly settled: Settlement | null;
  /** The sealed result; null if there is none, or none any more. */
  readonly result: string | null;
  /** The start of the result's text. */
  readonly summary: string | null;
}

/** The `summary` of a slot whose result, or whose note of a settlement, has this text. */
export const summaryOf = (text: string): string => Text.start(text, 200);

const maxEarlier = 100;

/** The `earlier` of a slot that another call sends again. */
export const earlierThanNext = ({ callId, earlier }: EffectSlot): ReadonlyArray<string> =>
  [...earlier, callId].slice(-maxEarlier);

/** The state at a time: a `sent` slot whose node no longer vouches for it is `unknown`. */
export const stateAt = ({ state, until }: EffectSlot, now: Timestamp.Timestamp): EffectState =>
  state === "sent" && until <= now ? "unknown" : state;

/** The end of a slot by a result or a lost reply of its call. */
export type SlotEnd = Pick<EffectSlot, "delivering" | "endedAt" | "result" | "state" | "summary">;

/** Whether a result that arrives now may end the slot. */
export const mayEnd = ({ settled, state }: EffectSlot): boolean =>
  state === "sent" || (state === "unknown" && settled === null);

/** Whether a person may correct the settlement: no response with the slot was delivered since. */
export const isCorrectable = ({ delivered, settled }: EffectSlot): boolean =>
  settled !== null && !delivered.some(({ at }) => at >= settled.at);

/** The longest time in which a node writes a response and records its delivery, in seconds. */
const deliverySeconds = 5;

/** The slot after the delivery of its response to a run; `at` is null if the response was lost. */
export const deliveredTo = <Slot extends Pick<EffectSlot, "delivered" | "delivering">>(
  slot: Slot,
  runId: string,
  at: Timestamp.Timestamp | null,
): Slot => ({
  ...slot,
  delivered:
    at === null
      ? slot.delivered
      : [...slot.delivered.filter((to) => to.runId !== runId), { runId, at }],
  delivering: slot.delivering?.runId === runId ? null : slot.delivering,
});

export const deliveringTo = (runId: string, now: Timestamp.Timestamp): Delivering => ({
  runId,
  until: Timestamp.addSeconds(now, deliverySeconds),
});
