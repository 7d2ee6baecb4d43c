import { assert } from "@effect/vitest";
import {
  type Attachment,
  AttachmentContent,
  AttachmentStore,
  type Errors,
  type IssueStore,
  Transactor,
} from "@quartermaster/core";
import { Effect, Exit, type Scope, Stream } from "effect";
import type { SecureRandom } from "effect/crypto";
import * as Fixtures from "../../Fixtures.ts";

type New = Omit<Attachment.AttachmentRow, "seq">;
type Uploads =
  | AttachmentContent.AttachmentContent
  | AttachmentStore.AttachmentStore
  | IssueStore.IssueStore
  | SecureRandom.SecureRandom
  | Transactor.Transactor;

/** The row of an upload that has not started. */
export const row: Effect.Effect<New, Errors.StorageError, Uploads> = Effect.flatMap(
  Fixtures.issue(),
  ({ id }) => Fixtures.attachmentRow(id),
);

/** Receives the bytes of an attachment without storing its row. */
export const receive = <E, R>(
  attachmentId: string,
  bytes: Stream.Stream<Uint8Array, E, R>,
  limitBytes = 26_214_400,
): Effect.Effect<
  AttachmentContent.ReceivedContent,
  E | Errors.PayloadTooLarge | Errors.StorageError,
  R | Scope.Scope | AttachmentContent.AttachmentContent
> =>
  Effect.flatMap(AttachmentContent.AttachmentContent, (content) =>
    content.receive(attachmentId, bytes, limitBytes),
  );

/** Stores a received upload together with its row, in the surrounding transaction or a new one. */
export const keep = (
  attachment: New,
  { keep, sha256, size }: AttachmentContent.ReceivedContent,
): Effect.Effect<void, Errors.StorageError, Uploads> =>
  Effect.gen(function* () {
    const attachments = yield* AttachmentStore.AttachmentStore;
    const transactor = yield* Transactor.Transactor;
    yield* transactor.transact(
      Effect.andThen(attachments.insert({ ...attachment, sha256, size }), keep),
    );
  });

/** A committed attachment with these bytes. */
export const upload = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  limitBytes?: number,
): Effect.Effect<
  Pick<New, "id" | "sha256" | "size">,
  E | Errors.PayloadTooLarge | Errors.StorageError,
  Exclude<R, Scope.Scope> | Uploads
> =>
  Effect.scoped(
    Effect.gen(function* () {
      const attachment = yield* row;
      const received = yield* receive(attachment.id, bytes, limitBytes);
      yield* keep(attachment, received);
      return { id: attachment.id, size: received.size, sha256: received.sha256 };
    }),
  );

export const read = (
  attachmentId: string,
  start: number,
  end: number,
): Effect.Effect<Uint8Array, Errors.StorageError, AttachmentContent.AttachmentContent> =>
  Effect.flatMap(AttachmentContent.AttachmentContent, (content) =>
    Stream.mkUint8Array(content.read(attachmentId, start, end)),
  );

/** Checks that no bytes of the attachment remain. */
export const checkGone = (
  attachmentId: string,
): Effect.Effect<void, never, AttachmentContent.AttachmentContent> =>
  Effect.map(Effect.exit(read(attachmentId, 0, 1)), (exit) =>
    assert.isTrue(Exit.isFailure(exit), "the bytes are still there"),
  );
