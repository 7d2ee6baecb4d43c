import { Context, Effect, Layer, type Scope, type Stream } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import { IssueKeys } from "../access/IssueKeys.ts";
import * as Principal from "../access/Principal.ts";
import type { RunEnded } from "../agents/AgentErrors.ts";
import * as Fence from "../agents/Fence.ts";
import {
  type IdempotencyMismatch,
  type PayloadTooLarge,
  type StorageError,
  getOrNotFound,
  InvalidRequest,
  NotFound,
} from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import * as Id from "../Id.ts";
import { Idempotency } from "../idempotency/Idempotency.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import {
  type Attachment,
  type AttachmentRow,
  cleanFileName,
  downloadUrl,
  isFileName,
} from "./Attachment.ts";
import { AttachmentContent } from "./AttachmentContent.ts";
import { AttachmentStore } from "./AttachmentStore.ts";
import { IssueView } from "./IssueView.ts";
import { Timeline } from "./Timeline.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;

/** A file to attach. `bytes` is streamed. */
export interface Upload<E, R> {
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Stream.Stream<Uint8Array, E, R>;
}

/** An attachment, and its bytes from `start` (inclusive) to `end` (exclusive). Default: all. */
export interface Download {
  readonly attachment: Attachment;
  read(start?: number, end?: number): Stream.Stream<Uint8Array, StorageError>;
}

/** Files attached to issues. Their bytes are streamed, never held whole. */
export class Attachments extends Context.Service<
  Attachments,
  {
    /**
     * Attaches a file to an issue. The stored name is the last path segment of `fileName`, without
     * control characters, 1 to 255 characters (otherwise `InvalidRequest`). Requires the Editor
     * role.
     *
     * Fails with `PayloadTooLarge` beyond `CoreOptions.maxAttachmentBytes`. A failed or interrupted
     * upload stores nothing.
     *
     * @example
     * ```ts
     * import { Attachments, Issues } from "@quartermaster/core";
     * import { Effect, Stream } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const attachments = yield* Attachments.Attachments;
     *   const { id } = yield* issues.create("shop", { title: "Design the schema" });
     *   const file = yield* attachments.upload(id, {
     *     fileName: "tables.txt",
     *     contentType: "text/plain",
     *     bytes: Stream.make(new TextEncoder().encode("orders, lines")),
     *   });
     *   return file.size; // 13
     * });
     * ```
     */
    upload<E, R>(
      issueId: string,
      file: Upload<E, R>,
    ): Effect.Effect<
      Attachment,
      | E
      | Forbidden
      | NotFound
      | StorageError
      | InvalidRequest
      | PayloadTooLarge
      | IdempotencyMismatch
      | RunEnded,
      CurrentPrincipal | Exclude<R, Scope.Scope>
    >;
    /** Returns a page of an issue's attachments without their bytes, oldest first by default. */
    list(
      issueId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<Attachment>,
      NotFound | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /** Returns an attachment and its bytes. */
    download(
      attachmentId: string,
    ): Effect.Effect<Download, NotFound | StorageError, CurrentPrincipal>;
    /** Deletes an attachment and its bytes. Requires the Editor role. */
    remove(
      attachmentId: string,
    ): Effect.Effect<void, Forbidden | NotFound | StorageError | RunEnded, CurrentPrincipal>;
    /** Removes the bytes of deleted attachments. Logs a failure and leaves them for the next run. */
    readonly removeDiscarded: Effect.Effect<void>;
  }
>()("@quartermaster/core/issues/Attachments") {
  static readonly layerNoDeps = Layer.effect(
    Attachments,
    Effect.gen(function* () {
      const store = yield* AttachmentStore;
      const fence = yield* Fence.make;
      const content = yield* AttachmentContent;
      const view = yield* IssueView;
      const timeline = yield* Timeline;
      const idempotency = yield* Idempotency;
      const { maxAttachmentBytes } = yield* CoreOptions;
      const { transact } = yield* Transactor;
      const { idOf, taken } = yield* IssueKeys;
      const newId = yield* Id.generator;

      const find = Effect.fnUntraced(function* (attachmentId: string) {
        const missing = new NotFound({ resource: "attachment", id: attachmentId });
        const row = yield* getOrNotFound("attachment", attachmentId, store.get(attachmentId));
        const issue = yield* Effect.catchTag(view.row(row.issueId), "NotFound", () => missing);
        return { row, issue };
      });

      const upload = Span.fn("Attachments.upload")(function* <E, R>(
        idOrKey: string,
        file: Upload<E, R>,
      ) {
        const principal = yield* Principal.require("Editor");
        const issueId = yield* idOf(idOrKey);
        const fileName = cleanFileName(file.fileName);
        if (!isFileName(fileName)) {
          return yield* InvalidRequest.at("file", "must have a file name of 1 to 255 characters");
        }
        // Checks before the bytes arrive; the transaction checks both again.
        yield* fence("files", issueId);
        yield* view.row(issueId);
        const id = yield* newId("att");
        const received = yield* content.receive(id, file.bytes, maxAttachmentBytes);
        const { contentType } = file;
        const { size, sha256 } = received;
        const uploadedBy = Principal.actorOf(principal);
        const make = Effect.gen(function* () {
          yield* fence("files", issueId);
          const issue = yield* view.row(issueId);
          const row = yield* store.insert({
            id,
            issueId,
            fileName,
            contentType,
            size,
            sha256,
            downloadUrl: downloadUrl(id),
            uploadedBy,
            createdAt: yield* Timestamp.now,
          });
          yield* timeline.record(uploadedBy, [
            { issue, kind: "attached", data: { attachmentId: id, fileName, size } },
          ]);
          yield* received.keep;
          return toAttachment(row);
        });
        return yield* transact(
          idempotency.once({
            make,
            find: (id) => Effect.map(find(id), ({ row }) => toAttachment(row)),
            content: JSON.stringify([fileName, contentType, sha256]),
          }),
        );
      }, Effect.scoped);

      const list = Span.fn("Attachments.list")(function* (
        issueId: string,
        request: Page.PageRequest = {},
      ) {
        const page = yield* Page.read(
          { ...request, defaultOrder: "asc", query: ["attachments", issueId] },
          (slice) => Effect.andThen(view.row(issueId), store.list(issueId, slice)),
        );
        return Page.map(page, toAttachment);
      });

      const download = Span.fn("Attachments.download")(function* (attachmentId: string) {
        const { row } = yield* find(attachmentId);
        return {
          attachment: toAttachment(row),
          read: (start = 0, end = row.size) => content.read(attachmentId, start, end),
        };
      });

      const removeDiscarded: Effect.Effect<void> = Effect.gen(function* () {
        const ids = yield* store.discarded(100);
        if (ids.length === 0) return;
        yield* Effect.forEach(ids, (id) => content.remove(id), { concurrency: 8, discard: true });
        yield* transact(store.forget(ids));
        yield* removeDiscarded;
      }).pipe(
        Effect.catch((error) =>
          Effect.logWarning("Cannot remove the bytes of deleted attachments yet", error),
        ),
      );

      const remove = Span.fn("Attachments.remove")(function* (attachmentId: string) {
        const actor = Principal.actorOf(yield* Principal.require("Editor"));
        yield* transact(
          Effect.gen(function* () {
            const { row, issue } = yield* Effect.tapErrorTag(find(attachmentId), "NotFound", () =>
              fence("writes"),
            );
            yield* fence("files", row.issueId);
            yield* store.remove(attachmentId);
            yield* timeline.record(actor, [
              { issue, kind: "detached", data: { attachmentId, fileName: row.fileName } },
            ]);
          }),
        );
        yield* removeDiscarded;
      });

      return Attachments.of({ upload, list: taken(list), download, remove, removeDiscarded });
    }),
  );
}

const toAttachment = (row: AttachmentRow): Attachment => ({
  id: row.id,
  issueId: row.issueId,
  fileName: row.fileName,
  contentType: row.contentType,
  size: row.size,
  sha256: row.sha256,
  downloadUrl: row.downloadUrl,
  uploadedBy: row.uploadedBy,
  createdAt: row.createdAt,
});
