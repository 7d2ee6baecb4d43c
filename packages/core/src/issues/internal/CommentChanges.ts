import { Effect, Option } from "effect";
import { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import * as Role from "../../access/Role.ts";
import type { Actor } from "../../Actor.ts";
import * as Fence from "../../agents/Fence.ts";
import { getOrNotFound } from "../../CommonErrors.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Page from "../../Page.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { type CommentRow, CommentUpdate, type CommentVersion, toComment } from "../Comment.ts";
import { CommentStore } from "../CommentStore.ts";
import { checkVersion, type Precondition } from "../IssueAccess.ts";
import { CommentFixed, type CommentFixedReason } from "../IssueErrors.ts";
import { IssueView } from "../IssueView.ts";
import * as Mentioning from "../Mentioning.ts";
import { QuestionStore } from "../QuestionStore.ts";
import { Timeline } from "../Timeline.ts";
import { type VersionRow, VersionStore } from "../VersionStore.ts";

/** The changes of `Comments`: edits and deletions, and the versions that they leave. */
export const make = Effect.gen(function* () {
  const store = yield* CommentStore;
  const stored = yield* VersionStore;
  const questions = yield* QuestionStore;
  const fence = yield* Fence.make;
  const view = yield* IssueView;
  const timeline = yield* Timeline;
  const mention = yield* Mentioning.make;
  const { transact } = yield* Transactor;
  const decode = Input.decoder(CommentUpdate);

  const find = Effect.fnUntraced(function* (issueId: string, commentId: string) {
    const issue = yield* view.row(issueId);
    const ofIssue = Effect.map(
      store.get(commentId),
      Option.filter((comment) => comment.issueId === issueId),
    );
    return { issue, comment: yield* getOrNotFound("comment", commentId, ofIssue) };
  });

  /** Finds a comment that the principal may change: its author, whatever the role, or an Editor without an agent. */
  const changeable = Effect.fnUntraced(function* (
    principal: Principal.Principal,
    issueId: string,
    commentId: string,
  ) {
    yield* fence("comments");
    const found = yield* find(issueId, commentId);
    yield* checkAuthor(principal, found.comment);
    return found;
  });

  const update = Span.fn("Comments.update")(function* (
    issueId: string,
    commentId: string,
    input: typeof CommentUpdate.Encoded,
    precondition: Precondition = {},
  ) {
    const principal = yield* Principal.require("Viewer");
    const { content } = yield* decode(input);
    const actor = Principal.actorOf(principal);
    return yield* transact(
      Effect.gen(function* () {
        const { comment, issue } = yield* changeable(principal, issueId, commentId);
        yield* checkFree(comment);
        yield* checkVersion(comment, precondition);
        if (comment.content === content) return toComment(comment);
        const now = yield* Timestamp.now;
        const next = { ...comment, content, version: comment.version + 1, editedAt: now };
        yield* stored.append([...firstOf(comment), versionOf(next, actor, now)]);
        yield* store.update(next);
        yield* mention({ ...Mentioning.ofComment(next, comment.content), actor, at: now });
        const data = { commentId, version: next.version };
        yield* timeline.record(actor, [{ issue, kind: "commentEdited", data }]);
        return toComment(next);
      }),
    );
  });

  /** An answer is also stored in its question. */
  const purgeAnswer = Effect.fnUntraced(function* ({ sourceId }: CommentRow) {
    const question = sourceId === null ? Option.none() : yield* questions.get(sourceId);
    if (Option.isSome(question)) yield* questions.update([{ ...question.value, answer: "" }]);
  });

  const remove = Span.fn("Comments.remove")(function* (
    issueId: string,
    commentId: string,
    {
      purge = false,
      ...precondition
    }: Precondition & { readonly purge?: boolean | undefined } = {},
  ) {
    const principal = yield* Principal.require(purge ? "Admin" : "Viewer");
    const actor = Principal.actorOf(principal);
    yield* transact(
      Effect.gen(function* () {
        const { comment, issue } = yield* changeable(principal, issueId, commentId);
        const { deletedAt, version } = comment;
        yield* checkVersion(comment, precondition);
        if (!purge) {
          if (deletedAt !== null) return;
          yield* checkFree(comment);
        }
        const now = yield* Timestamp.now;
        const removal = deletedAt === null ? { deletedAt: now, deletedBy: actor } : {};
        const next = { ...comment, content: "", version: version + 1, ...removal };
        if (purge) yield* stored.remove(commentId);
        yield* stored.append([...(purge ? [] : firstOf(comment)), versionOf(next, actor, now)]);
        yield* store.update(next);
        yield* mention(Mentioning.ofComment(next, comment.content));
        if (purge) yield* purgeAnswer(comment);
        const data = { commentId, version: next.version, purged: purge };
        yield* timeline.record(actor, [{ issue, kind: "commentDeleted", data }]);
      }),
    );
  });

  const versions = Span.fn("Comments.versions")(function* (
    issueId: string,
    commentId: string,
    request: Page.PageRequest = {},
  ) {
    const page = yield* Page.read(
      { ...request, defaultOrder: "asc", query: ["versions", commentId] },
      Effect.fnUntraced(function* (slice: Page.Slice) {
        const { comment } = yield* find(issueId, commentId);
        return comment.version === 1
          ? slice.after === null
            ? firstOf(comment).map((row) => ({ ...row, seq: 0 }))
            : []
          : yield* stored.list(commentId, slice);
      }),
    );
    // The version of a deletion has no text.
    const texts = page.items.filter(({ content }) => content !== "");
    return Page.map({ ...page, items: texts }, toVersion);
  });

  return { update, remove, versions };
});

const reasonOf = ({ authorType, deletedAt, sourceId }: CommentRow): CommentFixedReason | null => {
  if (deletedAt !== null) return "deleted";
  if (sourceId !== null) return sourceId.startsWith("run_") ? "handIn" : "answer";
  return authorType === "System" ? "system" : null;
};

const checkAuthor = (
  { agentId, id, role, type }: Principal.Principal,
  { authorId, authorType }: CommentRow,
): Effect.Effect<void, Forbidden> => {
  if (authorType === type && authorId === id) return Effect.void;
  if (agentId !== null) {
    return Effect.fail(
      new Forbidden({
        requiredRole: null,
        explanation: "Agents edit and delete only their own comments. Add another comment.",
      }),
    );
  }
  if (Role.includes(role, "Editor")) return Effect.void;
  return Effect.fail(
    new Forbidden({
      requiredRole: "Editor",
      explanation:
        "The role of this key is too low for comments by others. Use a key with the role Editor or above.",
    }),
  );
};

const checkFree = (comment: CommentRow) => {
  const reason = reasonOf(comment);
  return reason === null ? Effect.void : Effect.fail(new CommentFixed({ reason }));
};

type NewVersion = Omit<VersionRow, "seq">;

const versionOf = (comment: CommentRow, actor: Actor, createdAt: string): NewVersion => ({
  issueId: comment.issueId,
  textId: comment.id,
  version: comment.version,
  content: comment.content,
  actor,
  createdAt,
});

/** The first version of a comment; none if it is stored. */
const firstOf = (comment: CommentRow): ReadonlyArray<NewVersion> =>
  comment.version > 1
    ? []
    : [versionOf(comment, { type: comment.authorType, id: comment.authorId }, comment.createdAt)];

const toVersion = (row: VersionRow): CommentVersion => ({
  version: row.version,
  content: row.content ?? "",
  editedBy: row.actor,
  editedAt: row.createdAt,
});
