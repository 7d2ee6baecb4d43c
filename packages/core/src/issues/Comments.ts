import { Context, Effect, Layer } from "effect";
import { Idempotency } from "../access/Idempotency.ts";
import * as Principal from "../access/Principal.ts";
import * as Errors from "../Errors.ts";
import * as Id from "../Id.ts";
import * as Input from "../Input.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { type Comment, CommentCreate, type CommentRow } from "./Comment.ts";
import { CommentStore } from "./CommentStore.ts";
import { found } from "./IssueAccess.ts";
import { IssueView } from "./IssueView.ts";
import { Timeline } from "./Timeline.ts";
import * as Span from "../Span.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;

/** Comments on issues. They are part of the timeline. */
export class Comments extends Context.Service<
  Comments,
  {
    /** The author is the current principal, and `authorType` must be its type. */
    create(
      issueId: string,
      input: typeof CommentCreate.Encoded,
    ): Effect.Effect<
      Comment,
      | Errors.Forbidden
      | Errors.NotFound
      | Errors.StorageError
      | Errors.InvalidRequest
      | Errors.IdempotencyMismatch,
      CurrentPrincipal
    >;
    /** Oldest first unless told otherwise. */
    list(
      issueId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<Comment>,
      Errors.NotFound | Errors.InvalidRequest | Errors.StorageError,
      CurrentPrincipal
    >;
  }
>()("@quartermaster/core/issues/Comments") {
  static readonly layer = Layer.effect(
    Comments,
    Effect.gen(function* () {
      const store = yield* CommentStore;
      const view = yield* IssueView;
      const timeline = yield* Timeline;
      const idempotency = yield* Idempotency;
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;
      const decodeCreate = Input.decoder(CommentCreate);

      const create = Span.fn("Comments.create")(function* (
        issueId: string,
        input: typeof CommentCreate.Encoded,
      ) {
        const principal = yield* Principal.require("Editor");
        const { content, authorType } = yield* decodeCreate(input);
        if (authorType !== principal.type) {
          return yield* Errors.InvalidRequest.at(
            "authorType",
            `must be ${principal.type}, which is what this key acts as`,
          );
        }
        const make = Effect.gen(function* () {
          const issue = yield* view.row(issueId);
          const row = yield* store.insert({
            id: yield* newId("cmt"),
            issueId,
            content,
            authorType,
            authorId: principal.id,
            createdAt: yield* Timestamp.now,
          });
          yield* timeline.record(Principal.actorOf(principal), [
            { issue, kind: "commented", data: { commentId: row.id } },
          ]);
          return toComment(row);
        });
        const find = (id: string) =>
          Effect.andThen(
            view.row(issueId),
            Effect.map(found("comment", id, store.get(id)), toComment),
          );
        return yield* transact(idempotency.once({ make, find }));
      });

      const list = Span.fn("Comments.list")(function* (
        issueId: string,
        request: Page.PageRequest = {},
      ) {
        const page = yield* Page.read(
          { ...request, defaultOrder: "asc", query: ["comments", issueId] },
          (slice) => Effect.andThen(view.row(issueId), store.list(issueId, slice)),
        );
        return Page.map(page, toComment);
      });

      return Comments.of({ create, list });
    }),
  );
}

/** A comment as every answer shows it. */
export const toComment = (row: CommentRow): Comment => ({
  id: row.id,
  issueId: row.issueId,
  content: row.content,
  authorType: row.authorType,
  authorId: row.authorId,
  createdAt: row.createdAt,
});
