import { Context, type Effect, type Scope, type Stream } from "effect";
import type { PayloadTooLarge, StorageError } from "../CommonErrors.ts";

/** A received upload that is not committed yet. */
export interface ReceivedContent {
  /** The size in bytes. */
  readonly size: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256: string;
  /**
   * Assigns the bytes to the attachment, in the transaction that inserts its row. After the commit
   * they are readable immediately, even if the process dies in between. After a rollback it may run
   * again with its change; otherwise the bytes are removed when the scope closes.
   */
  readonly keep: Effect.Effect<void, StorageError>;
}

/** Port: the bytes of attachments. */
export class AttachmentContent extends Context.Service<
  AttachmentContent,
  {
    /**
     * Receives the bytes of a new attachment as a stream, never as a whole. Beyond `limitBytes` it
     * fails with `PayloadTooLarge` and reads no more. Without `keep`, the bytes are removed when the
     * scope closes.
     */
    receive<E, R>(
      attachmentId: string,
      bytes: Stream.Stream<Uint8Array, E, R>,
      limitBytes: number,
    ): Effect.Effect<ReceivedContent, E | PayloadTooLarge | StorageError, R | Scope.Scope>;
    /** Returns the bytes from `start` (inclusive) to `end` (exclusive). The attachment must exist. */
    read(attachmentId: string, start: number, end: number): Stream.Stream<Uint8Array, StorageError>;
    /** Removes the bytes, if there are any. */
    remove(attachmentId: string): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/issues/AttachmentContent") {}
