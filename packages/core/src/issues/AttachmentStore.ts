import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { AttachmentRow } from "./Attachment.ts";

/** Port: the metadata of attachments. `AttachmentContent` has their bytes. */
export class AttachmentStore extends Context.Service<
  AttachmentStore,
  {
    /** Inserts an attachment and assigns its `seq`. */
    insert(attachment: Omit<AttachmentRow, "seq">): Effect.Effect<AttachmentRow, StorageError>;
    /** Removes an attachment, and adds its id to the discarded ones. */
    remove(attachmentId: string): Effect.Effect<void, StorageError>;
    /** Returns an attachment. */
    get(attachmentId: string): Effect.Effect<Option.Option<AttachmentRow>, StorageError>;
    /** Returns the attachments of an issue. */
    list(issueId: string, slice: Slice): Effect.Effect<ReadonlyArray<AttachmentRow>, StorageError>;
    /** Returns ids of removed attachments whose bytes still exist. */
    discarded(limit: number): Effect.Effect<ReadonlyArray<string>, StorageError>;
    /** Removes ids from the discarded ones, after their bytes were removed. */
    forget(attachmentIds: ReadonlyArray<string>): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/issues/AttachmentStore") {}
