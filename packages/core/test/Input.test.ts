import { assert, describe, it } from "@effect/vitest";
import { Input, IssueInput } from "@quartermaster/core";
import { Effect, Schema } from "effect";

const decode = Input.decoder(
  Schema.Struct({
    title: Schema.String,
    priority: Schema.Literals(["high", "low"]),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))),
    tags: Schema.optionalKey(Schema.Array(Schema.String)),
  }),
);

describe("Input", () => {
  it.effect("[input.sentences] describes the error of each value in a sentence", () =>
    Effect.gen(function* () {
      const { errors } = yield* Effect.flip(
        decode({ priority: "soon", limit: 1.5, tags: 3, titel: "x" }),
      );
      assert.deepStrictEqual(
        Object.fromEntries(errors.map(({ path, message }) => [path, message])),
        {
          titel: "There is no such property; use only title, priority, limit, tags.",
          title: "This property is required.",
          priority: 'Expected "high" or "low".',
          limit: "Expected an integer.",
          tags: "Expected an array.",
        },
      );
    }),
  );

  it.effect("[input.sentences] uses a schema's own description of what it expects", () =>
    Effect.gen(function* () {
      const { errors } = yield* Effect.flip(Input.decoder(IssueInput.IssueCreate)({ title: " " }));
      for (const { message } of errors) assert.match(message, /^Expected .*\.$/);
    }),
  );
});
