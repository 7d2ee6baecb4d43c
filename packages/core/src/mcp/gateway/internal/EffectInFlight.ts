import { Deferred, Effect, type Fiber } from "effect";
import type { ToolResult } from "../../McpConnector.ts";
import type { EffectEnd } from "./EffectEnd.ts";
import type { EffectKey } from "./EffectKey.ts";
import type { EffectPlace } from "./IdempotencyKeys.ts";

/**
 * The part of a call that only effects have, from its first judgment until the delivery of its response.
 *
 * States
 * - **judged**: it may be sent, or waits for an equal effect.
 * - **sent**: its slot is stored as `sent`, under its own call id.
 * - **replaying**: its result is the result of the slot of another call.
 * - **settled**: its response was delivered or dropped, or it has none. Equal effects wait for this.
 *
 * Transitions
 *
 *     judged ── admitted ──► sent ──────┐
 *        │                              ├──► settled
 *        └───── replayed ──► replaying ─┘
 */
export class EffectInFlight {
  readonly callId: string;
  readonly runId: string;
  key: EffectKey;
  /** Its slot, and the salt of its issue; null unless it is sent. */
  place: EffectPlace | null = null;
  /** The call whose result it returns; null unless it is replaying. */
  replays: string | null = null;
  /** The end of its wait for equal effects, in milliseconds since the epoch; null before it waits. */
  waitsUntil: number | null = null;
  /** Whether it ended because an equal effect was still in flight. */
  hasWaitedInVain = false;
  /** The state in which its slot ends. A call that is not sent fails. */
  end: EffectEnd = "failed";
  /** The result of its server. */
  result: ToolResult | null = null;
  /** The rest of the call, if its caller hung up after it was sent. */
  rest: Fiber.Fiber<ToolResult, unknown> | null = null;
  readonly #settled = Deferred.makeUnsafe<void>();

  constructor(callId: string, runId: string, key: EffectKey) {
    this.callId = callId;
    this.runId = runId;
    this.key = key;
  }

  /** The call of the slot whose result it returns; its own if it is sent. */
  get slotCallId(): string {
    return this.replays ?? this.callId;
  }

  /** Whether its run has used the slot once its response is delivered. */
  get isDone(): boolean {
    return this.replays !== null || this.end === "done";
  }

  settle(): void {
    Deferred.doneUnsafe(this.#settled, Effect.void);
  }

  get settled(): Effect.Effect<void> {
    return Deferred.await(this.#settled);
  }
}
