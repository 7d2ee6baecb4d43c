import { type Cause, Schema } from "effect";

const inspect = Symbol.for("nodejs.util.inspect.custom");

/**
 * Makes `console.log` print instances as errors: the stack, which starts with the message, then the
 * fields. By default Effect prints only the fields.
 */
export const printAsError = (prototype: object, fields: object): void => {
  const keys = Object.keys(fields).filter((key) => key !== "cause");
  Object.defineProperty(prototype, inspect, {
    value(
      this: Error,
      _depth: number,
      options: object,
      print: (value: object, options: object) => string,
    ) {
      const values = Object.fromEntries(keys.map((key) => [key, Reflect.get(this, key)]));
      return keys.length === 0 ? this.stack : `${this.stack} ${print(values, options)}`;
    },
  });
};

/**
 * A tagged error whose message is a sentence that contains its fields. An error whose fields no problem of the
 * API takes is marked as pure, so that the bundle of the typed client leaves it out: 2 kB for all of them.
 */
export const ErrorClass =
  <Self>() =>
  <const Tag extends string, const Fields extends Schema.Struct.Fields>(
    tag: Tag,
    fields: Fields,
    message: (error: Schema.Struct<Fields>["Type"]) => string,
  ): Schema.Class<Self, Schema.TaggedStruct<Tag, Fields>, Cause.YieldableError> => {
    const Class = Schema.TaggedError<Error>()(tag, fields);
    printAsError(Class.prototype, fields);
    Object.defineProperty(Class.prototype, "message", {
      get(this: Schema.Struct<Fields>["Type"]) {
        return message(this);
      },
      configurable: true,
    });
    // TypeScript cannot know that `Self` is the class that extends this one.
    return Class as unknown as Schema.Class<
      Self,
      Schema.TaggedStruct<Tag, Fields>,
      Cause.YieldableError
    >;
  };

/** Fields with the description that the API documents show. */
export const text = (description: string) => Schema.String.annotate({ description });
export const texts = (description: string) => Schema.Array(Schema.String).annotate({ description });
export const integer = (description: string) => Schema.Int.annotate({ description });
