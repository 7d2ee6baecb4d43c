import { Context, type Effect, type Scope, type Stream } from "effect";
import type { PayloadTooLarge, StorageError } from "../CommonErrors.ts";

/** What was received of an upload. */
export interface ReceivedContent {
  /** In bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /**
   * Makes the bytes those of the attachment. Called in the transaction that keeps its row: if that
   * is kept, the bytes are readable from the moment it is, also when the process dies in between;
   * if it is not, they are gone.
   */
  readonly keep: Effect.Effect<void, StorageError>;
}

/** Port: where the bytes of attachments are kept. */
export class AttachmentContent extends Context.Service<
  AttachmentContent,
  {
    /**
     * Receives the bytes of an attachment to be, chunk by chunk, never holding them whole. Beyond
     * `limitBytes` it fails and takes no more. Bytes that are not kept when the scope closes are gone.
     */
    receive<E, R>(
      attachmentId: string,
      bytes: Stream.Stream<Uint8Array, E, R>,
      limitBytes: number,
    ): Effect.Effect<ReceivedContent, E | PayloadTooLarge | StorageError, R | Scope.Scope>;
    /** The bytes from `start` (inclusive) to `end` (exclusive). The attachment must exist. */
    read(attachmentId: string, start: number, end: number): Stream.Stream<Uint8Array, StorageError>;
    /** Removes the bytes; no matter if there are none. */
    remove(attachmentId: string): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/issues/AttachmentContent") {}
