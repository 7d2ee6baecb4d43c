import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { ToolCall, ToolCallRow } from "./ToolCall.ts";

/** Port: stores the records of tool calls. */
export class ToolCallStore extends Context.Service<
  ToolCallStore,
  {
    /** Keeps new records, in this order. */
    append(calls: ReadonlyArray<ToolCall>): Effect.Effect<void, StorageError>;
    /** The calls by that agent, of that server; any of what is not named. */
    list(
      query: { readonly agentId?: string | undefined; readonly serverId?: string | undefined },
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<ToolCallRow>, StorageError>;
    /** Removes records of calls that started before `before`, at most `limit`, and answers how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/mcp/ToolCallStore") {}
