import { Context, type Effect } from "effect";
import type { Actor } from "../Actor.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";

/**
 * A version of a text of an issue. A text that never changed has no rows; the first change adds two, for the
 * version before it and for its own. `seq` is the position in the order of changes.
 */
export interface VersionRow {
  readonly seq: number;
  readonly issueId: string;
  /** The comment's id, or the issue's id for its description. */
  readonly textId: string;
  readonly version: number;
  /** Null for an issue without a description. Empty for a deleted comment. */
  readonly content: string | null;
  readonly actor: Actor;
  readonly createdAt: Timestamp;
}

/** Port: the versions of comments and descriptions. `IssueStore.remove` removes the versions of the issue. */
export class VersionStore extends Context.Service<
  VersionStore,
  {
    /** Appends versions, in this order. */
    append(versions: ReadonlyArray<Omit<VersionRow, "seq">>): Effect.Effect<void, StorageError>;
    /** Returns the versions of a text. */
    list(textId: string, slice: Slice): Effect.Effect<ReadonlyArray<VersionRow>, StorageError>;
    /**
     * Returns the newest version of each text of the issue that changed after `after`, at most `limit`, in the
     * order of `seq`.
     */
    since(
      issueId: string,
      after: number,
      limit: number,
    ): Effect.Effect<ReadonlyArray<VersionRow>, StorageError>;
    /** Removes the versions of a text, so that the storage has their content nowhere. */
    remove(textId: string): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/issues/VersionStore") {}
