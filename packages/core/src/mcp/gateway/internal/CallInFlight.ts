import { Deferred, type Effect, Exit } from "effect";
import type { Acting } from "../../../agents/Fence.ts";
import type { Failure } from "../../connections/Connections.ts";
import type { Progress } from "../../McpConnector.ts";
import type { ToolUnavailable } from "../../McpErrors.ts";
import * as Once from "../../Once.ts";
import type { AdmittedCall } from "../../ToolCall.ts";
import type { CallTarget, StartedCall } from "./CallRecords.ts";
import type { EffectInFlight } from "./EffectInFlight.ts";
import type { NamedTool } from "./ToolLists.ts";

/**
 * A call of a tool, from its request until its end.
 *
 * States
 * - **finding**: the tool is being looked for. A server whose tools were never listed is opened.
 * - **waiting**: the tool is known and permitted, and the limits allow the call. It waits for the
 *   connection to its server and then for its admission: see `Admissions`.
 * - **sent**: the server may have received it.
 * - **ended**: it has an outcome, or was interrupted.
 *
 * Transitions
 *
 *     finding ──── found ────► waiting ── sent ──► sent
 *        ▲                      │   ▲                │
 *        └──── serverChanged ───┘   └─── rejected ───┘
 *
 *     finding, waiting, sent ── ended ──► ended
 *
 * Invariants
 * 1. A call is sent once, and again only after its server rejected the access token, because such a
 *    call was not carried out.
 * 2. Only a call that was not sent goes back to `finding`, when its server changed.
 * 3. A change of access while the tool is not known makes the call check its permission before it is
 *    sent. A later change that revokes the tool interrupts the call, which cancels it at the server.
 * 4. An effect that was sent runs on when its caller hangs up: see `EffectInFlight`.
 */

export type State = "finding" | "waiting" | "sent" | "ended";
export type Event = "found" | "serverChanged" | "sent" | "rejected" | "ended";

const transitions: Record<State, Partial<Record<Event, State>>> = {
  finding: { found: "waiting", ended: "ended" },
  waiting: { serverChanged: "finding", sent: "sent", ended: "ended" },
  sent: { rejected: "waiting", ended: "ended" },
  ended: {},
};

/** The state after an event. Events that a state does not handle do not change it. */
export const transition = (state: State, event: Event): State => transitions[state][event] ?? state;

export interface CallOptions {
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined;
  /** The caller's name of the effect that the call is. */
  readonly effectName?: string | undefined;
}

/** A caller's request. */
export interface Request {
  readonly agentId: string;
  /** The name in the agent's list. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
}

export class CallInFlight implements StartedCall {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly request: Request;
  #state: State = "finding";
  #tool: NamedTool | null = null;
  /** `Connections.listings` before the tool was looked for. */
  #listings: number;
  #mustRecheck = false;
  #interrupted = Deferred.makeUnsafe<never, ToolUnavailable | Failure>();
  /** Set for an effect that acts for a live run. */
  effect: EffectInFlight | null = null;
  admitted: AdmittedCall | null = null;
  recordedArguments: unknown = undefined;
  /** The run that it acted for when it was judged first. */
  acting: Acting | null = null;
  /** Set by `CallLimits` while it counts the call. */
  countedUnder: string | null = null;

  constructor(id: string, startedAt: number, request: Request, listings: number) {
    this.id = id;
    this.startedAt = startedAt;
    this.request = request;
    this.#listings = listings;
  }

  get agentId(): string {
    return this.request.agentId;
  }

  get content(): Readonly<Record<string, unknown>> {
    return this.request.args;
  }

  /** For its record. */
  get target(): CallTarget {
    const { definition, definitionDigest, server } = this.#tool ?? {};
    return {
      server: server ?? null,
      tool: definition?.name ?? this.request.name.slice(0, 256),
      toolDigest: definitionDigest ?? null,
    };
  }

  /** Null while it is being looked for. */
  get tool(): NamedTool | null {
    return this.#tool;
  }

  get isEffect(): boolean {
    return this.onceRule !== null;
  }

  get onceRule(): Once.OnceRule | null {
    if (this.#tool === null) return null;
    const { definition, server } = this.#tool;
    return Once.ruleFor(server, definition.name, definition);
  }

  get isReplay(): boolean {
    return this.effect?.replays != null;
  }

  get isSent(): boolean {
    return this.#state === "sent";
  }

  /** Fails when the call has to be interrupted. Each attempt to send it has its own. */
  get interrupted(): Deferred.Deferred<never, ToolUnavailable | Failure> {
    return this.#interrupted;
  }

  /** Whether the permission may have ended since the tool was looked for. */
  mustRecheck(listings: number): boolean {
    return this.#mustRecheck || listings !== this.#listings;
  }

  found(tool: NamedTool): void {
    this.#tool = tool;
    this.#apply("found");
  }

  /** The tool has to be looked for again. */
  serverChanged(listings: number): void {
    this.#apply("serverChanged");
    this.#tool = null;
    this.admitted = null;
    this.#listings = listings;
    this.#interrupted = Deferred.makeUnsafe();
  }

  /** `scrub` removes the server's secrets from a value. */
  sent(scrub: <A>(value: A) => A): void {
    this.#apply("sent");
    if (this.admitted?.recorded === "all") this.recordedArguments = scrub(this.content);
  }

  /** The server rejected the access token, and did not carry the call out. */
  rejected(): void {
    this.#apply("rejected");
    this.#interrupted = Deferred.makeUnsafe();
  }

  /** Returns whether a change to this server's or this agent's access may revoke the tool. */
  accessChanged(subjectId: string): boolean {
    if (this.#tool === null) this.#mustRecheck = true;
    return this.#tool !== null && [this.#tool.server.id, this.agentId].includes(subjectId);
  }

  interrupt(refusal: ToolUnavailable | Failure): void {
    Deferred.doneUnsafe(this.#interrupted, Exit.fail(refusal));
  }

  ended(): void {
    this.#apply("ended");
  }

  #apply(event: Event): void {
    this.#state = transition(this.#state, event);
  }
}
