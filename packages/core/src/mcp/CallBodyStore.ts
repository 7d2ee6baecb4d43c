import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { SealedValue } from "../secrets/SealedValue.ts";
import type { Timestamp } from "../Timestamp.ts";

/** The arguments and the result of a call, sealed together. */
export interface CallBody extends SealedValue {
  readonly callId: string;
  readonly serverId: string;
  /** Null if the call acted for no run. */
  readonly issueId: string | null;
  readonly endedAt: Timestamp;
  /** The length of `sealed`. */
  readonly bytes: number;
}

/** The owner of a body as a sealed value. */
export const ownerOf = ({ callId, serverId }: Pick<CallBody, "callId" | "serverId">) => ({
  serverId,
  name: `call:${callId}`,
});

/**
 * Port: stores the arguments and results of calls. `IssueStore.remove` also removes the bodies of the issue's calls.
 * Bodies are ordered by `endedAt`, then by `callId`.
 */
export class CallBodyStore extends Context.Service<
  CallBodyStore,
  {
    /** Stores bodies, or replaces them, if their server is installed and their issue exists. */
    put(bodies: ReadonlyArray<CallBody>): Effect.Effect<void, StorageError>;
    get(callId: string): Effect.Effect<Option.Option<CallBody>, StorageError>;
    /** The sum of `bytes` of all bodies. */
    readonly totalBytes: Effect.Effect<number, StorageError>;
    /** Removes at most `limit` bodies of a server's calls, and returns how many. */
    removeOfServer(serverId: string, limit: number): Effect.Effect<number, StorageError>;
    /** Removes at most `limit` bodies of calls that ended before `before`, and returns how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
    /**
     * Removes the oldest bodies, as few as have `bytes` bytes together and at most `limit`. Returns the bytes
     * of the removed bodies.
     */
    removeOldest(bytes: number, limit: number): Effect.Effect<number, StorageError>;
    /** Returns bodies that are not sealed under this key, ordered by key and call, after the one of `after`. */
    notUnder(
      keyId: string,
      after: Pick<CallBody, "callId" | "keyId"> | null,
      limit: number,
    ): Effect.Effect<ReadonlyArray<CallBody>, StorageError>;
  }
>()("@quartermaster/core/mcp/CallBodyStore") {}
