import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { AttachmentRow } from "./Attachment.ts";

/** Port: where the metadata of attachments is kept. Their bytes are `AttachmentContent`'s. */
export class AttachmentStore extends Context.Service<
  AttachmentStore,
  {
    /** Keeps a new attachment and gives it its `seq`. */
    insert(attachment: Omit<AttachmentRow, "seq">): Effect.Effect<AttachmentRow, StorageError>;
    /** Removes it, and notes its id among the discarded. */
    remove(attachmentId: string): Effect.Effect<void, StorageError>;
    get(attachmentId: string): Effect.Effect<Option.Option<AttachmentRow>, StorageError>;
    list(issueId: string, slice: Slice): Effect.Effect<ReadonlyArray<AttachmentRow>, StorageError>;
    /** Ids whose bytes are still to be removed: of attachments that were, or whose issue was. */
    discarded(limit: number): Effect.Effect<ReadonlyArray<string>, StorageError>;
    /** Forgets discarded ids once their bytes are gone. */
    forget(attachmentIds: ReadonlyArray<string>): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/issues/AttachmentStore") {}
