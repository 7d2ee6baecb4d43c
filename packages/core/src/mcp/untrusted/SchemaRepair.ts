import { Predicate } from "effect";

/** The keywords of JSON Schema whose values contain schemas, and repairs that keep the meaning of a schema. */

type Json = Readonly<Record<string, unknown>>;

/** Keywords with one schema, or an array of schemas. */
export const nested = new Set([
  "additionalItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "oneOf",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Keywords with an object of schemas by name. */
export const named = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** Keywords whose value may be null. */
const nullable = new Set(["const", "default"]);

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return Predicate.isReadonlyObject(value) ? repaired(value) : value;
};

const schemasByName = (value: unknown): unknown =>
  Predicate.isReadonlyObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, schema]) => schema !== null)
          .map(([name, schema]) => [name, withoutNulls(schema)]),
      )
    : value;

/**
 * The same schema without keywords that are null, which serializers of other languages write for
 * absent ones.
 */
export const repaired = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => value !== null || nullable.has(keyword))
      .map(([keyword, value]) => {
        if (named.has(keyword)) return [keyword, schemasByName(value)];
        return [keyword, nested.has(keyword) ? withoutNulls(value) : value];
      }),
  );
