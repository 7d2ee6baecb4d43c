import { Predicate } from "effect";

/** Coerces arguments that models often send in the wrong form, if only one value can be meant. */

type Json = Readonly<Record<string, unknown>>;

/** The JSON Schema of arguments. */
export interface ArgumentsSchema {
  readonly properties: Json;
  readonly definitions: Json;
  /** Properties that accept several values, separated by commas. */
  readonly lists: ReadonlyArray<string>;
  /** Properties that null clears. Null of any other property counts as missing. */
  readonly clears: ReadonlyArray<string>;
}

const reference = "#/$defs/";

/** The alternatives that a schema allows, without references. */
const alternativesOf = (schema: unknown, definitions: Json): ReadonlyArray<Json> => {
  if (!Predicate.isReadonlyObject(schema)) return [];
  const { $ref, anyOf } = schema;
  if (typeof $ref === "string") {
    return alternativesOf(definitions[$ref.slice(reference.length)], definitions);
  }
  return Array.isArray(anyOf)
    ? anyOf.flatMap((each) => alternativesOf(each, definitions))
    : [schema];
};

const isNumeric = (value: unknown): value is string =>
  typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value.trim());

const read = (schema: unknown, value: unknown, definitions: Json): unknown => {
  const alternatives = alternativesOf(schema, definitions);
  const ofType = (type: string) => alternatives.find((each) => each["type"] === type);
  if (Array.isArray(value)) {
    const list = ofType("array");
    if (list !== undefined) return value.map((item) => read(list["items"], item, definitions));
    return value.length === 1 ? read(schema, value[0], definitions) : value;
  }
  if (Predicate.isReadonlyObject(value)) {
    const properties = ofType("object")?.["properties"];
    return Predicate.isReadonlyObject(properties) ? members(properties, value, definitions) : value;
  }
  const isNumber = ofType("integer") !== undefined || ofType("number") !== undefined;
  return isNumber && ofType("string") === undefined && isNumeric(value) ? Number(value) : value;
};

const members = (properties: Json, values: Json, definitions: Json): Json =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      read(properties[name], value, definitions),
    ]),
  );

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.length > 0 && value.every(Predicate.isString);

/**
 * Converts numeric strings to numbers, and arrays of one value to that value, where the schema
 * allows no other type, at every depth. In the properties `lists`, arrays of strings become
 * comma-separated strings. Null counts as missing, except in the properties `clears`.
 */
export const lenient = (
  { clears, definitions, lists, properties }: ArgumentsSchema,
  args: Json,
): Json =>
  members(
    properties,
    Object.fromEntries(
      Object.entries(args)
        .filter(
          ([name, value]) =>
            value !== null || clears.includes(name) || !Object.hasOwn(properties, name),
        )
        .map(([name, value]) => [
          name,
          lists.includes(name) && isTexts(value) ? value.join(",") : value,
        ]),
    ),
    definitions,
  );
