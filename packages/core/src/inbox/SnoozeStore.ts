import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { InboxKind } from "./InboxItem.ts";

/** An item of the inbox that one principal does not see for a time. */
export interface Snooze {
  /** The type and the id of the principal, separated by a space. */
  readonly principal: string;
  readonly kind: InboxKind;
  /** The id of the question, else of the issue, server or agent. */
  readonly itemId: string;
  /** The item's `since`. A later one ends the snooze. */
  readonly since: Timestamp;
  readonly until: Timestamp;
}

/** Port: snoozed items. */
export class SnoozeStore extends Context.Service<
  SnoozeStore,
  {
    /** Returns a principal's snoozes that last longer than `now`. */
    list(principal: string, now: Timestamp): Effect.Effect<ReadonlyArray<Snooze>, StorageError>;
    /** Stores a snooze, or replaces the principal's snooze of that item. */
    put(snooze: Snooze): Effect.Effect<void, StorageError>;
    /** Removes a principal's snooze of an item. */
    remove(item: Pick<Snooze, "principal" | "kind" | "itemId">): Effect.Effect<void, StorageError>;
    /** Removes up to `limit` snoozes until `now` or earlier. Returns their number. */
    prune(now: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/inbox/SnoozeStore") {}
