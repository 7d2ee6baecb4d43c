import { Effect, Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import * as Timestamp from "../Timestamp.ts";
import { RunEnded } from "./AgentErrors.ts";
import { CurrentRun } from "./CurrentRun.ts";
import type { RunRow, StopReason } from "./Run.ts";
import { RunStore, type StoredRun } from "./RunStore.ts";

/**
 * The fence: what a call may do that acts for a run (`CurrentRun`). A run that is over cannot
 * change anything. Reads are never refused because of a run's state.
 */

/**
 * The kind of a call's action: granted tools, resources and prompts; writes of issues, links,
 * questions, plans and of everything that no other kind covers; files on the run's own issue;
 * comments; log, usage and notes of the run.
 */
export type Act = "tools" | "writes" | "files" | "comments" | "log" | "usage" | "notes";

/**
 * The state of a run. The first state that fits counts:
 *
 * - `deleted`: its issue was deleted;
 * - `live`: it is active, and its lease lasts;
 * - `stopping`: it has to stop, and its agent has not acknowledged that;
 * - `handedIn`: it was handed in as review or resolved in the last 10 minutes, and no other run of its issue
 *   has started since;
 * - `ended`: everything else.
 */
export type State = "deleted" | "live" | "stopping" | "handedIn" | "ended";

/** The seconds after its end for which a run may finish what it started. */
const graceSeconds = 600;

/** `shortly`: until `graceSeconds` after the end of the run. */
type Permission = "yes" | "no" | "shortly";

const everything = {
  tools: "yes",
  writes: "yes",
  files: "yes",
  comments: "yes",
  log: "yes",
  usage: "yes",
  notes: "yes",
} as const;

const nothing = {
  tools: "no",
  writes: "no",
  files: "no",
  comments: "no",
  log: "no",
  usage: "no",
  notes: "no",
} as const;

const table: Readonly<Record<State, Readonly<Record<Act, Permission>>>> = {
  deleted: { ...nothing, usage: "shortly" },
  live: everything,
  stopping: { ...everything, tools: "no", writes: "no" },
  handedIn: { ...nothing, tools: "yes", comments: "yes", log: "yes", usage: "yes" },
  ended: { ...nothing, comments: "yes", log: "shortly", usage: "shortly" },
};

const isLeaseOver = ({ leaseExpiresAt, status }: RunRow, now: Timestamp.Timestamp): boolean =>
  status !== "ended" && leaseExpiresAt <= now;

/** The time at which the run ended; null while it has not. */
const endOf = (run: RunRow, now: Timestamp.Timestamp): Timestamp.Timestamp | null =>
  isLeaseOver(run, now) ? run.leaseExpiresAt : run.endedAt;

const isWithinGrace = (run: RunRow, now: Timestamp.Timestamp): boolean => {
  const end = endOf(run, now);
  return end === null || now <= Timestamp.addSeconds(end, graceSeconds);
};

/** The state of a run at `now`. */
export const stateOf = (
  { isIssueDeleted, isLatest, run }: StoredRun,
  now: Timestamp.Timestamp,
): State => {
  if (isIssueDeleted) return "deleted";
  if (isLeaseOver(run, now)) return "ended";
  if (run.status !== "ended") return run.status === "active" ? "live" : "stopping";
  const isDone = run.outcome === "resolved" || run.outcome === "review";
  return isDone && isLatest && isWithinGrace(run, now) ? "handedIn" : "ended";
};

/** The reason why the run may not do this at `now`; null if it may. */
export const refusalOf = (
  stored: StoredRun,
  act: Act,
  now: Timestamp.Timestamp,
): StopReason | null => {
  const { run } = stored;
  const state = stateOf(stored, now);
  const permission = table[state][act];
  if (permission === "yes" || (permission === "shortly" && isWithinGrace(run, now))) return null;
  if (state === "deleted") return "deleted";
  return isLeaseOver(run, now) ? "leaseExpired" : (run.stopReason ?? "unknown");
};

/** The run that a call acts for, at the time of the call. */
export interface Acting {
  readonly run: RunRow;
  readonly state: State;
}

/**
 * Returns the judge. Inside the transaction of what it permits, it reads the run that the call acts for, and fails
 * unless that run may do this. Returns null for a call that acts for no run. Files on an issue other than the run's
 * own count as `writes`.
 */
export const make: Effect.Effect<
  (act: Act, issueId?: string) => Effect.Effect<Acting | null, RunEnded | StorageError>,
  never,
  RunStore
> = Effect.map(RunStore, (store) =>
  Effect.fnUntraced(function* (act: Act, issueId?: string) {
    const acting = yield* CurrentRun;
    if (acting === null) return null;
    const stored = Option.getOrNull(yield* store.stored(acting.id));
    // Housekeeping removed the run, or its agent was deleted, since the call named it.
    if (stored === null) return yield* new RunEnded({ runId: acting.id, reason: "unknown" });
    const { run } = stored;
    const now = yield* Timestamp.now;
    const judged = act === "files" && issueId !== run.issueId ? "writes" : act;
    const reason = refusalOf(stored, judged, now);
    return reason === null
      ? { run, state: stateOf(stored, now) }
      : yield* new RunEnded({ runId: run.id, reason });
  }),
);
