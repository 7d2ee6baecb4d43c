import type { Halt } from "@quartermaster/client";
import type { Limit } from "./Limits.ts";

/**
 * Stops a runner whose commands cannot succeed now, before it uses up the attempts of every issue.
 *
 * closed ─ `limit` failures in a row, each within 60 s of its start ─► open
 *    └──── a failure whose output names a usage limit or a missing login ─► open
 * open ─ the wait is over ─► trying: one issue
 * trying ─ it fails as above ─► open, with the next wait
 *    └──── it ends otherwise, or works for 60 s ─► closed
 *
 * Times are milliseconds since the epoch.
 */

/** Milliseconds after its start within which a failure counts. */
export const quickMillis = 60_000;

const minute = 60_000;
const waits = [minute, 5 * minute, 15 * minute, 30 * minute] as const;

/** The maximum number of runs that a heartbeat may name. */
const maxRuns = 100;

/** The end of a command that failed. */
export interface Failure {
  readonly runId: string;
  /** Milliseconds from the start of the run. */
  readonly after: number;
  /** The limit or missing login that the output reports; null if it reports none. */
  readonly cause: Limit | null;
}

export class Breaker {
  readonly #limit: number;
  #state: "closed" | "open" | "trying" = "closed";
  #failures = 0;
  /** The runs that led to the current halt. */
  #runs: Array<string> = [];
  #opened = 0;
  #until = 0;
  #reason = "";

  /** `limit`: the number of failures that opens it; `Infinity` never does. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The halt that heartbeats report at `now`; null while the breaker is closed. */
  halt(now: number): Halt | null {
    if (this.#state === "closed") return null;
    if (now >= this.#until) this.#state = "trying";
    const capacity = this.#state === "open" ? 0 : 1;
    const until = new Date(this.#until).toISOString();
    return { halted: { reason: this.#reason, until, runs: this.#runs.slice(-maxRuns) }, capacity };
  }

  /** Counts a failure. Returns whether it opened the breaker. */
  failed({ after, cause, runId }: Failure, now: number): boolean {
    if (this.#limit === Infinity) return false;
    if (after > quickMillis) {
      this.worked();
      return false;
    }
    this.#failures += 1;
    this.#runs.push(runId);
    if (this.#state === "open") return false;
    if (this.#state === "closed" && this.#failures < this.#limit && cause === null) return false;
    const wait = waits[Math.min(this.#opened, waits.length - 1)] ?? minute;
    this.#opened += 1;
    this.#until = Math.max(now + wait, cause?.until ?? 0);
    this.#reason =
      cause?.reason ??
      `The command failed within a minute of its start${this.#failures === 1 ? "" : `, ${this.#failures} times in a row`}.`;
    this.#state = "open";
    return true;
  }

  /** Counts a run that did not fail at its start. Returns whether it closed the breaker. */
  worked(): boolean {
    const wasHalted = this.#state === "trying";
    if (this.#state === "open") return false;
    this.#state = "closed";
    this.#failures = 0;
    this.#opened = 0;
    this.#runs = [];
    return wasHalted;
  }
}
