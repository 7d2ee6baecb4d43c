import { Context, Effect, Layer } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import { IssueKeys } from "../access/IssueKeys.ts";
import * as Principal from "../access/Principal.ts";
import type { RunEnded } from "../agents/AgentErrors.ts";
import { CurrentRun } from "../agents/CurrentRun.ts";
import * as Fence from "../agents/Fence.ts";
import {
  type IdempotencyMismatch,
  type NotFound,
  type PreconditionFailed,
  type StorageError,
  getOrNotFound,
  InvalidRequest,
} from "../CommonErrors.ts";
import * as Id from "../Id.ts";
import { Idempotency } from "../idempotency/Idempotency.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import {
  type AuthorType,
  type Comment,
  CommentCreate,
  type CommentUpdate,
  type CommentVersion,
  toComment,
  unchanged,
} from "./Comment.ts";
import { CommentStore } from "./CommentStore.ts";
import * as CommentChanges from "./internal/CommentChanges.ts";
import type { Precondition } from "./IssueAccess.ts";
import type { CommentFixed } from "./IssueErrors.ts";
import { IssueView } from "./IssueView.ts";
import * as Mentioning from "./Mentioning.ts";
import { Timeline } from "./Timeline.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;
type ChangeError =
  | Forbidden
  | NotFound
  | StorageError
  | RunEnded
  | PreconditionFailed
  | CommentFixed;

/** Comments on issues. They are part of the timeline. */
export class Comments extends Context.Service<
  Comments,
  {
    /**
     * Comments on an issue in the name of the principal. `authorType` defaults to the principal's
     * type. With `Agent`, a call that acts for a run (`CurrentRun`) comments in the name of its
     * agent. Another type is `InvalidRequest`. Requires the Editor role. The next turn of the run
     * that holds the issue returns the comment.
     *
     * @example
     * ```ts
     * import { Comments, Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const comments = yield* Comments.Comments;
     *   const { id } = yield* issues.create("shop", { title: "Design the schema" });
     *   const comment = yield* comments.create(id, { content: "Three tables should do." });
     *   return comment.authorType; // "User"
     * });
     * ```
     */
    create(
      issueId: string,
      input: typeof CommentCreate.Encoded,
    ): Effect.Effect<
      Comment,
      Forbidden | NotFound | StorageError | InvalidRequest | IdempotencyMismatch | RunEnded,
      CurrentPrincipal
    >;
    /**
     * Replaces the text of a comment. The earlier text stays a version. Requires to be its author, or the
     * Editor role and no agent's principal (`Forbidden`). Fails with `PreconditionFailed` if
     * `ifMatch` does not include the comment's version, and `CommentFixed` for a comment that is a
     * hand-in, an answer, by the service, or deleted.
     */
    update(
      issueId: string,
      commentId: string,
      input: typeof CommentUpdate.Encoded,
      precondition?: Precondition,
    ): Effect.Effect<Comment, ChangeError | InvalidRequest, CurrentPrincipal>;
    /**
     * Deletes a comment, which keeps its id without a text. Its versions stay, unless `purge` is true:
     * that removes every version, also of deleted and fixed comments, and requires the Admin role.
     * Otherwise as `update`. Deleting a deleted comment changes nothing.
     */
    remove(
      issueId: string,
      commentId: string,
      options?: Precondition & { readonly purge?: boolean | undefined },
    ): Effect.Effect<void, ChangeError, CurrentPrincipal>;
    /** Returns a page of the texts that a comment has or had, oldest first by default. */
    versions(
      issueId: string,
      commentId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<CommentVersion>,
      NotFound | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /** Returns a page of an issue's comments, oldest first by default. */
    list(
      issueId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<Comment>,
      NotFound | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
  }
>()("@quartermaster/core/issues/Comments") {
  static readonly layerNoDeps = Layer.effect(
    Comments,
    Effect.gen(function* () {
      const store = yield* CommentStore;
      const fence = yield* Fence.make;
      const view = yield* IssueView;
      const timeline = yield* Timeline;
      const mention = yield* Mentioning.make;
      const idempotency = yield* Idempotency;
      const { transact } = yield* Transactor;
      const { taken } = yield* IssueKeys;
      const newId = yield* Id.generator;
      const decodeCreate = Input.decoder(CommentCreate);

      /** The principal, or the agent of the run that the call acts for. */
      const authorOf = Effect.fnUntraced(function* (
        principal: Principal.Principal,
        authorType: AuthorType,
      ) {
        const run = yield* CurrentRun;
        if (authorType === principal.type) return Principal.actorOf(principal);
        if (authorType === "Agent" && run !== null) return { type: authorType, id: run.agentId };
        return yield* InvalidRequest.at(
          "authorType",
          `must be ${principal.type}, which this key acts as, or be omitted; \`Agent\` needs the header Quartermaster-Run`,
        );
      });

      const create = Span.fn("Comments.create")(function* (
        issueId: string,
        input: typeof CommentCreate.Encoded,
      ) {
        const principal = yield* Principal.require("Editor");
        const body = yield* decodeCreate(input);
        const author = yield* authorOf(principal, body.authorType ?? principal.type);
        const make = Effect.gen(function* () {
          yield* fence("comments");
          const issue = yield* view.row(issueId);
          const row = yield* store.insert({
            id: yield* newId("cmt"),
            issueId,
            content: body.content,
            authorType: author.type,
            authorId: author.id,
            createdAt: yield* Timestamp.now,
            ...unchanged,
            sourceId: null,
          });
          yield* mention(Mentioning.ofComment(row, null));
          yield* timeline.record(author, [
            { issue, kind: "commented", data: { commentId: row.id } },
          ]);
          return toComment(row);
        });
        const find = (id: string) =>
          Effect.andThen(
            view.row(issueId),
            Effect.map(getOrNotFound("comment", id, store.get(id)), toComment),
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

      const { remove, update, versions } = yield* CommentChanges.make;
      return Comments.of({
        create: taken(create),
        update: taken(update),
        remove: taken(remove),
        versions: taken(versions),
        list: taken(list),
      });
    }),
  );
}
