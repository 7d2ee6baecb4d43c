import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { AuditAction, AuditRow } from "./AuditEntry.ts";

/** A filter for entries of the audit log. Null does not restrict them. */
export interface AuditQuery {
  readonly actions: ReadonlyArray<AuditAction> | null;
  /** The id of the actor. */
  readonly actor: string | null;
  /** Only entries at this time or later. */
  readonly from: Timestamp | null;
  /** Only entries before this time. */
  readonly to: Timestamp | null;
}

/** Port: the audit log. */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** Stores entries, in this order, and assigns each a growing `seq`. */
    append(entries: ReadonlyArray<Omit<AuditRow, "seq">>): Effect.Effect<void, StorageError>;
    /** Returns a slice of the matching entries. */
    list(query: AuditQuery, slice: Slice): Effect.Effect<ReadonlyArray<AuditRow>, StorageError>;
    /** Removes at most `limit` entries before that time, oldest first, and returns how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/audit/AuditStore") {}
