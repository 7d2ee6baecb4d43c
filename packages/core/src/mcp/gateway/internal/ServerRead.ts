import { Deferred, Exit } from "effect";
import type { Failure } from "../../connections/Connections.ts";
import type { ToolUnavailable } from "../../McpErrors.ts";
import type { AdmittedCall } from "../../ToolCall.ts";
import type { CallTarget, StartedCall } from "./CallRecords.ts";

/** The reading of a resource or prompt, from its request until it ended. */
export class ServerRead implements StartedCall {
  readonly id: string;
  readonly agentId: string;
  readonly isEffect = false;
  readonly isReplay = false;
  readonly effect = null;
  readonly startedAt: number;
  readonly content: unknown;
  readonly target: CallTarget;
  #isSent = false;
  #interrupted = Deferred.makeUnsafe<never, ToolUnavailable | Failure>();
  admitted: AdmittedCall | null = null;
  recordedArguments: unknown = undefined;
  /** Set by `CallLimits` while it counts the read. */
  countedUnder: string | null = null;

  constructor(
    id: string,
    agentId: string,
    startedAt: number,
    content: unknown,
    target: CallTarget,
  ) {
    this.id = id;
    this.agentId = agentId;
    this.startedAt = startedAt;
    this.content = content;
    this.target = target;
  }

  get isSent(): boolean {
    return this.#isSent;
  }

  /** `scrub` removes the server's secrets from a value. */
  sent(scrub: <A>(value: A) => A): void {
    this.#isSent = true;
    if (this.admitted?.recorded === "all") this.recordedArguments = scrub(this.content);
  }

  /** Starts an attempt to read. What it returns fails when the attempt has to be interrupted. */
  attempt(): Deferred.Deferred<never, ToolUnavailable | Failure> {
    this.#isSent = false;
    this.#interrupted = Deferred.makeUnsafe();
    return this.#interrupted;
  }

  interrupt(refusal: ToolUnavailable): void {
    Deferred.doneUnsafe(this.#interrupted, Exit.fail(refusal));
  }
}
