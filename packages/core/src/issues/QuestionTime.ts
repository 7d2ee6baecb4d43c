import type { Timestamp } from "../Timestamp.ts";

/**
 * The state of a question at a time. `Question` imports this module, and it imports no schema: a bundle of the rules
 * has none.
 */
interface Asked {
  readonly status: string;
  readonly expiresAt: Timestamp | null;
  readonly blocking: boolean;
}

/** Returns whether a question that is stored as open expired before `now`. */
export const isDue = (question: Omit<Asked, "blocking">, now: Timestamp): boolean =>
  question.status === "open" && question.expiresAt !== null && question.expiresAt <= now;

/** Returns whether the question keeps its issue from being picked up at `now`. */
export const isAwaited = (question: Asked, now: Timestamp): boolean =>
  question.status === "open" && question.blocking && !isDue(question, now);
