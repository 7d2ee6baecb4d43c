import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";

/** A text of an issue that mentions a name, which may be the id of a user, of an agent, or of nothing. */
export interface Mention {
  readonly name: string;
  readonly issueId: string;
  /** The comment's id, or the issue's id for its description. */
  readonly textId: string;
  /** When the text mentioned the name first. */
  readonly since: Timestamp;
}

/** Port: mentions. `IssueStore.remove` removes the mentions of the issue. */
export class MentionStore extends Context.Service<
  MentionStore,
  {
    /** Inserts mentions. A mention that is stored keeps its time. */
    insert(mentions: ReadonlyArray<Mention>): Effect.Effect<void, StorageError>;
    /** Removes the mentions of these names in a text; without `textId` in every text of the issue. */
    remove(text: {
      readonly issueId: string;
      readonly textId?: string;
      readonly names: ReadonlyArray<string>;
    }): Effect.Effect<void, StorageError>;
    /** Removes up to `limit` mentions that are older than `before`. Returns their number. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/issues/MentionStore") {}
