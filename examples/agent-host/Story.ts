// What the example tells as it goes, and what it insists on.
import { Console, Effect, Schema } from "effect";

export class Surprise extends Schema.TaggedError<Surprise>()("Surprise", {
  message: Schema.String,
}) {}

export const chapter = (title: string) => Console.log(`\n${title}`);

/** Says what happened, and fails if it is not what should have. */
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
