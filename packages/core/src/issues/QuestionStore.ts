import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { QuestionRow, QuestionStatus } from "./Question.ts";

/** Port: questions. `IssueStore.remove` removes the questions of the issue. */
export class QuestionStore extends Context.Service<
  QuestionStore,
  {
    /** Inserts a question and assigns its `seq`. */
    insert(question: Omit<QuestionRow, "seq">): Effect.Effect<QuestionRow, StorageError>;
    /** Replaces the rows of the same ids. */
    update(questions: ReadonlyArray<QuestionRow>): Effect.Effect<void, StorageError>;
    /** Returns a question. */
    get(questionId: string): Effect.Effect<Option.Option<QuestionRow>, StorageError>;
    /**
     * Returns the issue's questions that are stored as open, including expired ones, oldest first.
     */
    open(issueId: string): Effect.Effect<ReadonlyArray<QuestionRow>, StorageError>;
    /** Returns questions that are stored as open although they expired before `now`, earliest first. */
    due(now: Timestamp, limit: number): Effect.Effect<ReadonlyArray<QuestionRow>, StorageError>;
    /**
     * Moves open questions with an expiry that were created later than a minute after `now`: their creation to
     * `now`, and their expiry with it. Returns how many there were.
     */
    correctExpiries(now: Timestamp): Effect.Effect<number, StorageError>;
    /**
     * Returns an issue's questions. An open question that expired before `now` has the status
     * `expired` for the filter.
     */
    list(
      query: {
        readonly issueId: string;
        readonly status?: QuestionStatus | undefined;
        readonly now: Timestamp;
      },
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<QuestionRow>, StorageError>;
    /** Returns the number of questions that are open at `now` in `projects` (null for any). */
    countOpen(
      projects: ReadonlyArray<string> | null,
      now: Timestamp,
    ): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/issues/QuestionStore") {}
