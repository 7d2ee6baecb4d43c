import { Predicate } from "effect";

/** Coerces arguments that models often send in the wrong form, if only one value can be meant. */

type Json = Readonly<Record<string, unknown>>;

const typesOf = (schema: unknown): ReadonlyArray<unknown> => {
  if (!Predicate.isReadonlyObject(schema)) return [];
  const { anyOf, type } = schema;
  return Array.isArray(anyOf) ? anyOf.flatMap(typesOf) : [type];
};

const isNumeric = (value: unknown): value is string =>
  typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value.trim());

const read = (schema: unknown, value: unknown, isList: boolean): unknown => {
  const types = typesOf(schema);
  if (Array.isArray(value) && !types.includes("array")) {
    if (isList && value.length > 0 && value.every(Predicate.isString)) return value.join(",");
    return value.length === 1 ? read(schema, value[0], isList) : value;
  }
  const isNumber = types.includes("integer") || types.includes("number");
  return isNumber && !types.includes("string") && isNumeric(value) ? Number(value) : value;
};

/**
 * Converts numeric strings to numbers, and single values to arrays of one, where the schema of the
 * property allows no other type. In the properties `lists`, arrays of strings become
 * comma-separated strings. Null counts as missing, except in the properties `clears`.
 */
export const lenient = (
  properties: Json,
  {
    clears,
    lists,
  }: { readonly clears: ReadonlyArray<string>; readonly lists: ReadonlyArray<string> },
  args: Json,
): Json =>
  Object.fromEntries(
    Object.entries(args)
      .filter(
        ([name, value]) =>
          value !== null || clears.includes(name) || !Object.hasOwn(properties, name),
      )
      .map(([name, value]) => [name, read(properties[name], value, lists.includes(name))]),
  );
