import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { RunRow, RunStatus } from "./Run.ts";

/** Port: where runs are kept. */
export class RunStore extends Context.Service<
  RunStore,
  {
    /** Keeps new runs and gives them their `seq`. Refuses a second one of an issue that has not ended. */
    insert(
      runs: ReadonlyArray<Omit<RunRow, "seq">>,
    ): Effect.Effect<ReadonlyArray<RunRow>, StorageError>;
    /** Replaces the rows of the same ids. */
    update(runs: ReadonlyArray<RunRow>): Effect.Effect<void, StorageError>;
    get(runId: string): Effect.Effect<Option.Option<RunRow>, StorageError>;
    /** The agent's runs that have not ended, also those whose lease is over, oldest first. */
    notEnded(agentId: string): Effect.Effect<ReadonlyArray<RunRow>, StorageError>;
    /** Runs that have not ended though their lease is over at the moment `now`, oldest lease first. */
    expired(now: Timestamp, limit: number): Effect.Effect<ReadonlyArray<RunRow>, StorageError>;
    /** The issue's run that has not ended, also if its lease is over. */
    ofIssue(issueId: string): Effect.Effect<Option.Option<RunRow>, StorageError>;
    /**
     * The agent's runs of issues in one of `projects` (null for any). `status` as at the moment
     * `now`: a run whose lease is over has ended.
     */
    list(
      query: {
        readonly agentId: string;
        readonly status?: RunStatus | undefined;
        readonly projects: ReadonlyArray<string> | null;
        readonly now: Timestamp;
      },
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<RunRow>, StorageError>;
    /** Removes runs that ended before `before`, at most `limit`, and answers how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/agents/RunStore") {}
