import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { RunOutcome, RunRow, RunStatus } from "./Run.ts";

/** A run with the facts that decide what it may still do. See `Fence`. */
export interface StoredRun {
  readonly run: RunRow;
  readonly isIssueDeleted: boolean;
  /** Whether no other run of its issue has started since. */
  readonly isLatest: boolean;
}

/** Port: runs. */
export class RunStore extends Context.Service<
  RunStore,
  {
    /**
     * Inserts runs and assigns their `seq`. Fails if an issue has a run that has not ended; a storage
     * decides whether this fails or the commit.
     */
    insert(runs: ReadonlyArray<Omit<RunRow, "seq">>): Effect.Effect<void, StorageError>;
    /** Replaces the rows of the same ids. */
    update(runs: ReadonlyArray<RunRow>): Effect.Effect<void, StorageError>;
    /** Returns a run. */
    get(runId: string): Effect.Effect<Option.Option<RunRow>, StorageError>;
    /** Returns a run with the facts that decide what it may still do. */
    stored(runId: string): Effect.Effect<Option.Option<StoredRun>, StorageError>;
    /**
     * Returns the agent's runs that have not ended, including runs with an expired lease, oldest
     * first.
     */
    notEnded(agentId: string): Effect.Effect<ReadonlyArray<RunRow>, StorageError>;
    /** Returns the agent's runs with this `worker`, including ended runs, newest first. */
    ofWorker(agentId: string, worker: string): Effect.Effect<ReadonlyArray<RunRow>, StorageError>;
    /**
     * Returns the runs of the project's issues that have not ended, including runs with an expired
     * lease, oldest first.
     */
    notEndedIn(projectId: string): Effect.Effect<ReadonlyArray<RunRow>, StorageError>;
    /** Returns runs that have not ended although their lease expired before `now`, oldest lease first. */
    expired(now: Timestamp, limit: number): Effect.Effect<ReadonlyArray<RunRow>, StorageError>;
    /**
     * Sets leases that expire later than their `leaseSeconds` and a minute after `now` to their
     * `leaseSeconds` after `now`, and returns how many there were.
     */
    shortenLeases(now: Timestamp): Effect.Effect<number, StorageError>;
    /** Returns the issue's run that has not ended, even if its lease has expired. */
    ofIssue(issueId: string): Effect.Effect<Option.Option<RunRow>, StorageError>;
    /** Returns whether the run's agent had another run of its issue. Pruned runs do not count. */
    hasOther(run: Pick<RunRow, "id" | "agentId" | "issueId">): Effect.Effect<boolean, StorageError>;
    /**
     * Returns the runs of issues in one of `projects` (null for any) that match all filters. A run whose
     * lease expired before `now` has the status `ended`. `from` and `to` are about the start: from `from`
     * on, and before `to`. `endedFrom` is the earliest end; an expired lease is one.
     */
    list(
      query: {
        readonly agentId?: string | undefined;
        readonly projectId?: string | undefined;
        readonly issueId?: string | undefined;
        readonly status?: RunStatus | undefined;
        readonly outcome?: RunOutcome | undefined;
        readonly from?: Timestamp | undefined;
        readonly to?: Timestamp | undefined;
        readonly endedFrom?: Timestamp | undefined;
        readonly projects: ReadonlyArray<string> | null;
        readonly now: Timestamp;
      },
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<RunRow>, StorageError>;
    /**
     * Removes at most `limit` runs of deleted issues of the project, also runs that have not ended, and
     * returns how many.
     */
    removeIn(projectId: string, limit: number): Effect.Effect<number, StorageError>;
    /** Removes at most `limit` runs that ended before `before`, and returns how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/agents/RunStore") {}
