import { Context, Effect, Layer } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import { IssueKeys } from "../access/IssueKeys.ts";
import type { CurrentPrincipal } from "../access/Principal.ts";
import type { RunEnded } from "../agents/AgentErrors.ts";
import type {
  IdempotencyMismatch,
  InvalidRequest,
  LimitExceeded,
  NotFound,
  StorageError,
} from "../CommonErrors.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import * as ClosedQuestions from "./ClosedQuestions.ts";
import * as Answering from "./internal/Answering.ts";
import * as Asking from "./internal/Asking.ts";
import type { QuestionClosed } from "./IssueErrors.ts";
import { IssueView } from "./IssueView.ts";
import {
  type Question,
  type QuestionAnswer,
  type QuestionCreate,
  type QuestionStatus,
  toQuestion,
} from "./Question.ts";
import { QuestionExpiry } from "./QuestionExpiry.ts";
import { QuestionStore } from "./QuestionStore.ts";

type Denied = Forbidden | NotFound | StorageError;

/** Expired questions per transaction. */
const expiredAtOnce = 50;

/**
 * Questions of agents and people that only a person can answer.
 *
 * A question is `open` until it is answered, expires or is withdrawn, and never opens again. An issue
 * that is resolved, closed or deleted withdraws its open questions. A question never reads as `open`
 * after its `expiresAt`, whether or not the expiry is recorded yet.
 */
export class Questions extends Context.Service<
  Questions,
  {
    /**
     * Asks a question on an issue. While it is open and `blocking`, no heartbeat picks the issue
     * up; a run that holds the issue continues. If the issue has an open question with the same
     * `key`, returns that question, with `isNew` false.
     *
     * Fails with `Forbidden` for an agent that asks a blocking question on an issue that is not
     * assigned to it, `QuestionClosed` on an issue that is Resolved or Closed, and `LimitExceeded`
     * if 20 questions of the issue are open.
     *
     * @example
     * ```ts
     * import { Issues, Questions } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const questions = yield* Questions.Questions;
     *   const { id } = yield* issues.create("shop", { title: "Rotate the keys" });
     *   const { question } = yield* questions.ask(id, {
     *     prompt: "Which region first?",
     *     kind: "choice",
     *     options: ["eu", "us"],
     *   });
     *   const { status, answer } = yield* questions.answer(question.id, { answer: "eu" });
     *   return [status, answer]; // ["answered","eu"]
     * });
     * ```
     */
    ask(
      issueId: string,
      input: typeof QuestionCreate.Encoded,
    ): Effect.Effect<
      { readonly question: Question; readonly isNew: boolean },
      Denied | InvalidRequest | LimitExceeded | IdempotencyMismatch | QuestionClosed | RunEnded,
      CurrentPrincipal
    >;
    /** Returns a page of an issue's questions, oldest first by default. */
    list(
      issueId: string,
      request?: Page.PageRequest & { readonly status?: QuestionStatus | undefined },
    ): Effect.Effect<
      Page.Page<Question>,
      NotFound | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /**
     * Returns the questions that a run has to know: the newest 100 that were answered, expired or
     * withdrawn since the previous run started (for the first run: all), in the order in which they
     * were closed.
     */
    closedFor(
      issueId: string,
      runId: string,
    ): Effect.Effect<ReadonlyArray<Question>, NotFound | StorageError, CurrentPrincipal>;
    /** Returns a question. */
    get(questionId: string): Effect.Effect<Question, NotFound | StorageError, CurrentPrincipal>;
    /**
     * Stores the answer of a person (`Forbidden` for agents), and adds it to the issue as a
     * comment. The same answer by the same person again returns the question. Fails with
     * `InvalidRequest` for an answer that the question does not offer, and `QuestionClosed` if the
     * question is not open.
     */
    answer(
      questionId: string,
      input: typeof QuestionAnswer.Encoded,
    ): Effect.Effect<
      Question,
      Denied | InvalidRequest | IdempotencyMismatch | QuestionClosed | RunEnded,
      CurrentPrincipal
    >;
    /**
     * Withdraws an open question. Withdrawing it again changes nothing. Fails with `QuestionClosed`
     * if it is answered or expired.
     */
    withdraw(
      questionId: string,
    ): Effect.Effect<void, Denied | QuestionClosed | RunEnded, CurrentPrincipal>;
    /** Records the expiry of questions, at most 50, and returns how many there were. */
    readonly expireDue: Effect.Effect<number, StorageError>;
    /**
     * Corrects questions that were asked while the clock was ahead, so that they do not block their
     * issues until real time catches up, and returns how many there were.
     */
    readonly correctExpiries: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/issues/Questions") {
  static readonly layerNoDeps = Layer.effect(
    Questions,
    Effect.gen(function* () {
      const store = yield* QuestionStore;
      const view = yield* IssueView;
      const expiry = yield* QuestionExpiry;
      const { transact } = yield* Transactor;
      const { taken } = yield* IssueKeys;
      const ask = yield* Asking.make;
      const closed = yield* ClosedQuestions.make;

      const list = Span.fn("Questions.list")(function* (
        issueId: string,
        request: Page.PageRequest & { readonly status?: QuestionStatus | undefined } = {},
      ) {
        const { status } = request;
        const now = yield* Timestamp.now;
        const page = yield* Page.read(
          { ...request, defaultOrder: "asc", query: ["questions", issueId, status] },
          (slice) => Effect.andThen(view.row(issueId), store.list({ issueId, status, now }, slice)),
        );
        return Page.map(page, (row) => toQuestion(row, now));
      });

      const closedFor = Span.fn("Questions.closedFor")(function* (issueId: string, runId: string) {
        yield* view.row(issueId);
        return yield* closed(issueId, runId, yield* Timestamp.now);
      });

      const expireDue = transact(
        Effect.gen(function* () {
          const now = yield* Timestamp.now;
          const due = yield* store.due(now, expiredAtOnce);
          for (const issueId of new Set(due.map((question) => question.issueId))) {
            yield* expiry.record(issueId, now);
          }
          return due.length;
        }),
      );

      const correctExpiries = transact(Effect.flatMap(Timestamp.now, store.correctExpiries)).pipe(
        Effect.tap((count) =>
          count === 0
            ? Effect.void
            : Effect.logWarning(
                `Corrected ${count} questions that were asked while the clock was ahead`,
              ),
        ),
      );

      return Questions.of({
        ask: taken(ask),
        list: taken(list),
        closedFor,
        expireDue,
        correctExpiries,
        ...(yield* Answering.make),
      });
    }),
  );
}
