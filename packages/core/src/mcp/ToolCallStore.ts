import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { ToolCall, ToolCallRow } from "./ToolCall.ts";

/** Port: stores the records of tool calls. */
export class ToolCallStore extends Context.Service<
  ToolCallStore,
  {
    /** Stores new records, in this order. */
    append(calls: ReadonlyArray<ToolCall>): Effect.Effect<void, StorageError>;
    /** Returns the calls by this agent and of this server; an omitted filter matches all. */
    list(
      query: { readonly agentId?: string | undefined; readonly serverId?: string | undefined },
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<ToolCallRow>, StorageError>;
    /**
     * Removes at most `limit` records of calls that started before `before`, and returns how many.
     */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/mcp/ToolCallStore") {}
