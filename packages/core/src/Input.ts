import { Effect, Option, Predicate, Schema, SchemaAST, SchemaGetter, SchemaIssue } from "effect";
import { InvalidRequest } from "./CommonErrors.ts";

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "This property is required";
    return issue._tag === "UnexpectedKey" ? unexpected(issue) : SchemaIssue.defaultLeafHook(issue);
  },
});

const unexpected = ({ ast }: SchemaIssue.UnexpectedKey): string => {
  const names = SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => name) : [];
  return names.length === 0
    ? "There is no such property"
    : `There is no such property; use only ${names.join(", ")}`;
};

/** A message of Schema as a sentence: `Expected string` becomes "Expected a string." */
const sentence = (message: string): string => {
  const text = message
    .replace("a string representing a finite number", "a number")
    .replace(/^Expected (?=boolean|number|string)/, "Expected a ")
    .replace(/^Expected (?=array|object)/, "Expected an ");
  const alternatives = text.replace(/^Expected (.+ \| .+)$/s, (_, types: string) => {
    const names = types.split(" | ");
    return `Expected ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  });
  return /[.?!]$/.test(alternatives) ? alternatives : `${alternatives}.`;
};

/** The invalid values, each with its path and a sentence. */
export const errorsOf = (issue: SchemaIssue.Issue): InvalidRequest["errors"] =>
  format(issue).issues.map(({ message, path }) => ({
    path: (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message: sentence(message),
  }));

/** An optional property of a request. Null means the same as an absent property. */
export const optional = <S extends Schema.Top>(
  schema: S,
  annotations: { readonly description: string },
) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional(Option.filter(Predicate.isNotNull)),
      encode: SchemaGetter.passthrough(),
    }),
    Schema.annotateEncoded(annotations),
  );

/**
 * Decodes input from a caller of the library. Properties that the schema does not have are errors.
 * `at` is the path of the value itself.
 */
export const decoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, at?: string) => {
  const decode = Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" });
  // Collecting all errors takes three times as long as stopping at the first.
  const decodeAll = Schema.decodeUnknownEffect(schema, {
    onExcessProperty: "error",
    errors: "all",
  });
  return (input: unknown): Effect.Effect<S["Type"], InvalidRequest> =>
    Effect.mapError(
      Effect.catch(decode(input), () => decodeAll(input)),
      ({ issue }) =>
        new InvalidRequest({
          errors: errorsOf(issue).map(({ path, message }) => ({
            path: [at, path].filter((part) => part).join("."),
            message,
          })),
        }),
    );
};
