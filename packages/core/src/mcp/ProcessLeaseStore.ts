import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";

/** The lease of the one process that a server has in the whole service. */
export interface ProcessLease {
  readonly serverId: string;
  /** The node that runs the process. A node that starts again is another one. */
  readonly nodeId: string;
  /** The URL at which other nodes reach that node; null if they cannot. */
  readonly url: string | null;
  readonly expiresAt: Timestamp;
}

/** Port: stores the leases of processes. A transaction reads a lease before it replaces it. */
export class ProcessLeaseStore extends Context.Service<
  ProcessLeaseStore,
  {
    get(serverId: string): Effect.Effect<Option.Option<ProcessLease>, StorageError>;
    /** Stores the lease, or replaces the lease of the same server. */
    put(lease: ProcessLease): Effect.Effect<void, StorageError>;
    /** Removes the server's lease if the node has it. */
    remove(serverId: string, nodeId: string): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/mcp/ProcessLeaseStore") {}
