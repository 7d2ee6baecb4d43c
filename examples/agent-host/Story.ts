// Prints each step of the example, and checks its result.
import { Console, Effect, Schema } from "effect";

export class Surprise extends Schema.TaggedError<Surprise>()("Surprise", {
  message: Schema.String,
}) {}

export const chapter = (title: string) => Console.log(`\n${title}`);

/** Prints a result, and fails if it is not the expected one. */
export const check = Effect.fnUntraced(function* (
  what: string,
  actual: unknown,
  expected: unknown,
) {
  yield* Console.log(`  ${what}: ${actual}`);
  if (actual !== expected) {
    return yield* new Surprise({ message: `${what}: ${actual}, expected ${expected}` });
  }
});
