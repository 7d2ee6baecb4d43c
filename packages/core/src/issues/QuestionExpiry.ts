import { Context, Effect, Layer, Option } from "effect";
import * as Actor from "../Actor.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";
import { type IssueFacts, IssueStore } from "./IssueStore.ts";
import { isDue } from "./Question.ts";
import { QuestionStore } from "./QuestionStore.ts";
import * as QuestionRules from "./rules/QuestionRules.ts";
import { Transitions } from "./Transitions.ts";

/**
 * The expiry of questions, inside the caller's transaction. A question expires without a write. The
 * next change, claim, answer, call of a run or housekeeping records the expiry.
 */
export class QuestionExpiry extends Context.Service<
  QuestionExpiry,
  {
    /** Records the expiry of the issue's expired questions, and returns the facts after that. */
    settle(facts: IssueFacts, now: Timestamp): Effect.Effect<IssueFacts, StorageError>;
    /**
     * Like `settle`, for an issue that the caller has not read yet. Returns whether there was
     * anything to record.
     */
    record(issueId: string, now: Timestamp): Effect.Effect<boolean, StorageError>;
  }
>()("@quartermaster/core/issues/QuestionExpiry") {
  static readonly layerNoDeps = Layer.effect(
    QuestionExpiry,
    Effect.gen(function* () {
      const issues = yield* IssueStore;
      const questions = yield* QuestionStore;
      const transitions = yield* Transitions;

      const settle = Effect.fnUntraced(function* (found: IssueFacts, now: Timestamp) {
        let facts = found;
        for (const question of found.openQuestions) {
          if (!isDue(question, now)) continue;
          const change = QuestionRules.expired(facts, question, now);
          yield* transitions.apply(facts, change, Actor.system);
          yield* questions.update([{ ...question, status: "expired" }]);
          facts = QuestionRules.after(facts, question, change);
        }
        return facts;
      });

      const record = Effect.fnUntraced(function* (issueId: string, now: Timestamp) {
        const open = yield* questions.open(issueId);
        if (!open.some((question) => isDue(question, now))) return false;
        const facts = Option.getOrNull(yield* issues.facts(issueId, now));
        if (facts !== null) yield* settle(facts, now);
        return true;
      });

      return QuestionExpiry.of({ settle, record });
    }),
  );
}
