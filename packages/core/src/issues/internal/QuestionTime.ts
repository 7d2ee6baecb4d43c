import type { Timestamp } from "../../Timestamp.ts";
import type { Question } from "../Question.ts";

/** Questions at a time. Apart from the schemas, so that a bundle of the rules has none of them. */

/** Whether a question that is stored as open expired before `now`. */
export const isDue = (question: Pick<Question, "status" | "expiresAt">, now: Timestamp): boolean =>
  question.status === "open" && question.expiresAt !== null && question.expiresAt <= now;

/** Whether the question forbids to pick its issue up at `now`. */
export const isAwaited = (
  question: Pick<Question, "status" | "expiresAt" | "blocking">,
  now: Timestamp,
): boolean => question.status === "open" && question.blocking && !isDue(question, now);
