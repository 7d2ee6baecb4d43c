import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type {
  AdmittedCall,
  AdmittedCallRow,
  CallOutcome,
  EndedCall,
  ToolCallRow,
} from "./ToolCall.ts";

/** Filters of records; an omitted filter matches all. */
export interface CallQuery {
  readonly agentId?: string | undefined;
  readonly serverId?: string | undefined;
  readonly runId?: string | undefined;
  readonly issueId?: string | undefined;
  /** The server's own name of the tool. */
  readonly tool?: string | undefined;
  /** The earliest start. */
  readonly from?: Timestamp | undefined;
  /** The time before which the call started. */
  readonly to?: Timestamp | undefined;
}

/**
 * Port: stores the records of tool calls. A call is admitted before it is sent, and its end moves it
 * to the ended calls.
 */
export class ToolCallStore extends Context.Service<
  ToolCallStore,
  {
    /** Stores an admitted call, or replaces the admitted call with its id. */
    admit(call: AdmittedCall): Effect.Effect<void, StorageError>;
    /** Sets `until` of admitted calls, and returns the ids of calls that are still admitted. */
    extend(
      ids: ReadonlyArray<string>,
      until: Timestamp,
    ): Effect.Effect<ReadonlyArray<string>, StorageError>;
    /**
     * Stores ended calls, in this order, which are then no longer admitted. Replaces the end of a call
     * that had ended before, because a lost call may turn out to have another end.
     */
    append(calls: ReadonlyArray<EndedCall>): Effect.Effect<void, StorageError>;
    /** Returns the newest admitted calls, newest first, at most `limit`. */
    admitted(
      query: CallQuery,
      limit: number,
    ): Effect.Effect<ReadonlyArray<AdmittedCallRow>, StorageError>;
    /** Returns admitted calls whose `until` is not after `now`, oldest `until` first. */
    overdue(
      now: Timestamp,
      limit: number,
    ): Effect.Effect<ReadonlyArray<AdmittedCallRow>, StorageError>;
    /** Returns the ended or admitted call with this id. */
    get(callId: string): Effect.Effect<Option.Option<ToolCallRow | AdmittedCallRow>, StorageError>;
    /** Returns ended calls, with one of `outcomes` (omitted: any). */
    list(
      query: CallQuery & { readonly outcomes?: ReadonlyArray<CallOutcome> | undefined },
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<ToolCallRow>, StorageError>;
    /** Counts the ended calls of runs, and how many have one of `failed`. A run without calls is missing. */
    countByRun(
      runIds: ReadonlyArray<string>,
      failed: ReadonlyArray<CallOutcome>,
    ): Effect.Effect<
      ReadonlyMap<string, { readonly total: number; readonly failed: number }>,
      StorageError
    >;
    /**
     * Removes at most `limit` records of ended calls that started before `before`, and returns how many.
     */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/mcp/ToolCallStore") {}
