import { Predicate } from "effect";

/**
 * JSON Schema in the form that readers and tools expect.
 *
 * effect writes the annotations of a field (`annotateKey`) as a member of `allOf`, since the schema
 * of the field may be a reference. In JSON Schema 2020-12 annotations may stand beside every
 * keyword, even beside `$ref`, and documentation tools and language models look for them there.
 */

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  Predicate.isObject(value) && !Array.isArray(value);

const annotations = new Set(["contentSchema", "description", "format"]);

const isAnnotation = (member: unknown): boolean =>
  isObject(member) && Object.keys(member).every((key) => annotations.has(key));

const lift = ({ allOf, ...schema }: Json): Json => {
  if (!Array.isArray(allOf)) return allOf === undefined ? schema : { ...schema, allOf };
  const lifted: Json = Object.assign({}, ...allOf.filter(isAnnotation));
  const rest: ReadonlyArray<unknown> = allOf.filter((member) => !isAnnotation(member));
  const [only] = rest;
  if (rest.length === 1 && isObject(only) && Object.keys(schema).length === 0) {
    return { ...only, ...lifted };
  }
  return { ...schema, ...(rest.length === 0 ? {} : { allOf: rest }), ...lifted };
};

const recur = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(recur);
  return isObject(value) ? liftAnnotations(value) : value;
};

/** The same document, with the annotations of each field directly in the schema of the field. */
export const liftAnnotations = (document: Json): Json =>
  lift(Object.fromEntries(Object.entries(document).map(([key, value]) => [key, recur(value)])));
