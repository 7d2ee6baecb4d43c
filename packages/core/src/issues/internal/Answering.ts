import { Effect, Result } from "effect";
import { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import * as Fence from "../../agents/Fence.ts";
import { InvalidRequest } from "../../CommonErrors.ts";
import * as Id from "../../Id.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { unchanged } from "../Comment.ts";
import { CommentStore } from "../CommentStore.ts";
import { visible } from "../IssueAccess.ts";
import { QuestionClosed } from "../IssueErrors.ts";
import * as Mentioning from "../Mentioning.ts";
import { isDue, QuestionAnswer, type QuestionRow, toQuestion } from "../Question.ts";
import { QuestionExpiry } from "../QuestionExpiry.ts";
import { QuestionStore } from "../QuestionStore.ts";
import { Timeline } from "../Timeline.ts";

/** The part of `Questions` that answers and withdraws questions. */
export const make = Effect.gen(function* () {
  const store = yield* QuestionStore;
  const fence = yield* Fence.make;
  const comments = yield* CommentStore;
  const expiry = yield* QuestionExpiry;
  const timeline = yield* Timeline;
  const idempotency = yield* Idempotency;
  const { transact } = yield* Transactor;
  const mention = yield* Mentioning.make;
  const newId = yield* Id.generator;
  const decode = Input.decoder(QuestionAnswer);

  const find = (id: string) => visible("question", id, store.get(id), ({ projectId }) => projectId);

  /** The question after its expiry is recorded. */
  const settled = Effect.fnUntraced(function* (id: string, now: Timestamp.Timestamp) {
    const row = yield* find(id);
    if (!isDue(row, now)) return row;
    yield* expiry.record(row.issueId, now);
    return { ...row, status: "expired" as const };
  });

  /**
   * Runs in one transaction. The expiry that a refusal records must commit, so the refusal leaves
   * the transaction as a value. `decide` refuses before it writes anything else.
   */
  const commit = <A, E, R>(decide: Effect.Effect<A, E | QuestionClosed, R>) =>
    transact(
      decide.pipe(
        Effect.map(Result.succeed),
        Effect.catchIf(
          (error): error is E & QuestionClosed => error instanceof QuestionClosed,
          (error) => Effect.succeed(Result.fail(error)),
        ),
      ),
    ).pipe(Effect.flatMap(Effect.fromResult));

  /** The answer as a comment of the person, so that the next turn of the issue's run returns it. */
  const comment = Effect.fnUntraced(function* (
    { id: questionId, issueId, issueKey, projectId, prompt }: QuestionRow,
    answer: string,
    { id: authorId, type: authorType }: Principal.Principal,
    createdAt: Timestamp.Timestamp,
  ) {
    const actor = { type: authorType, id: authorId };
    const content = `${quoted(prompt)}\n\n${answer}`;
    const row = yield* comments.insert({
      id: yield* newId("cmt"),
      issueId,
      content,
      authorType,
      authorId,
      createdAt,
      ...unchanged,
      sourceId: questionId,
    });
    const commentId = row.id;
    // The names in the quoted question are not mentioned again.
    yield* mention(Mentioning.ofComment({ ...row, content: answer }, null));
    const issue = { id: issueId, projectId, key: issueKey };
    yield* timeline.record(actor, [
      { issue, kind: "answered", data: { questionId, commentId } },
      { issue, kind: "commented", data: { commentId } },
    ]);
  });

  const put = Effect.fnUntraced(function* (
    id: string,
    answer: string,
    principal: Principal.Principal,
  ) {
    yield* fence("writes");
    const now = yield* Timestamp.now;
    const row = yield* settled(id, now);
    yield* check(row, answer);
    const { answeredBy } = row;
    if (row.status !== "open") {
      const isRepeated =
        row.answer === answer &&
        answeredBy?.type === principal.type &&
        answeredBy.id === principal.id;
      return isRepeated ? row : yield* new QuestionClosed({ reason: row.status });
    }
    const next = {
      ...row,
      status: "answered",
      answer,
      answeredBy: Principal.actorOf(principal),
      answeredAt: now,
    } as const;
    // The comment locks the issue before its question: see `Transactor`.
    yield* comment(next, answer, principal, now);
    yield* store.update([next]);
    return next;
  });

  const answer = Span.fn("Questions.answer")(function* (
    id: string,
    input: typeof QuestionAnswer.Encoded,
  ) {
    const principal = yield* Principal.require("Editor");
    if (principal.agentId !== null) return yield* new Forbidden({ requiredRole: null });
    const body = yield* decode(input);
    const row = yield* commit(idempotency.once({ make: put(id, body.answer, principal), find }));
    return toQuestion(row, yield* Timestamp.now);
  });

  const withdraw = Span.fn("Questions.withdraw")(function* (id: string) {
    const actor = Principal.actorOf(yield* Principal.require("Editor"));
    yield* commit(
      Effect.gen(function* () {
        yield* fence("writes");
        const row = yield* settled(id, yield* Timestamp.now);
        if (row.status === "withdrawn") return;
        if (row.status !== "open") return yield* new QuestionClosed({ reason: row.status });
        const issue = { id: row.issueId, projectId: row.projectId, key: row.issueKey };
        yield* timeline.record(actor, [
          { issue, kind: "questionWithdrawn", data: { questionId: id } },
        ]);
        yield* store.update([{ ...row, status: "withdrawn" }]);
      }),
    );
  });

  const get = Span.fn("Questions.get")(function* (id: string) {
    const row = yield* find(id);
    return toQuestion(row, yield* Timestamp.now);
  });

  return { answer, withdraw, get };
});

const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

/** Fails if the question does not offer the answer. */
const check = (
  { kind, options }: QuestionRow,
  answer: string,
): Effect.Effect<void, InvalidRequest> => {
  const offered = kind === "confirm" ? ["yes", "no"] : options;
  return offered === null || offered.includes(answer)
    ? Effect.void
    : InvalidRequest.at("answer", `must be one of ${offered.map((one) => `"${one}"`).join(", ")}`);
};
