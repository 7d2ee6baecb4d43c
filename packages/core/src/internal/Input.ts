import { Effect, Schema, SchemaIssue } from "effect";
import { InvalidRequest } from "../CommonErrors.ts";

const format = SchemaIssue.makeFormatterStandardSchemaV1();

/** What is wrong with a value, place by place. */
export const errorsOf = (issue: SchemaIssue.Issue): InvalidRequest["errors"] =>
  format(issue).issues.map(({ message, path }) => ({
    path: (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message,
  }));

/**
 * Decodes what a caller of the library gave. Properties that the schema does not have are refused.
 * `at` is the place of the value itself, for errors.
 */
export const decoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, at?: string) => {
  const decode = Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" });
  // To look for all errors takes three times as long as to stop at the first.
  const judge = Schema.decodeUnknownEffect(schema, { onExcessProperty: "error", errors: "all" });
  return (input: unknown): Effect.Effect<S["Type"], InvalidRequest> =>
    Effect.mapError(
      Effect.catch(decode(input), () => judge(input)),
      ({ issue }) =>
        new InvalidRequest({
          errors: errorsOf(issue).map(({ path, message }) => ({
            path: [at, path].filter((part) => part).join("."),
            message,
          })),
        }),
    );
};
