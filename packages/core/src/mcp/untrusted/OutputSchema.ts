import { Predicate } from "effect";
import { named, nested } from "./SchemaRepair.ts";

/**
 * Checks whether validators can compile an `outputSchema`. Version 1 of the official SDK compiles
 * the output schemas of all tools with Ajv when it lists them: if one does not compile, the client
 * loses the whole list. Tests compare this with that SDK.
 */

type Json = Readonly<Record<string, unknown>>;

const types = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const isSchema = (value: unknown) =>
  Predicate.isReadonlyObject(value) || typeof value === "boolean";
const areSchemas = (value: unknown) => Array.isArray(value) && value.every(isSchema);
const isTypes = (value: unknown) =>
  Array.isArray(value) ? value.every((type) => types.has(type)) : types.has(String(value));
const isPattern = (value: unknown) => {
  try {
    return typeof value === "string" && new RegExp(value, "u").unicode;
  } catch {
    return false;
  }
};
const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0;
const isAnchor = (value: unknown) =>
  typeof value === "string" && /^[a-z_][-a-z0-9._]*$/i.test(value);

type Check = (value: unknown) => boolean;

const each = (check: Check, keywords: ReadonlyArray<string>) =>
  keywords.map((keyword) => [keyword, check] as const);

/** The keywords that a validator compiles, with the required form of their values. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["type", isTypes],
  ["pattern", isPattern],
  ["enum", isFilled],
  ["required", Array.isArray],
  ["items", (value) => isSchema(value) || areSchemas(value)],
  [
    "patternProperties",
    (value) => Predicate.isReadonlyObject(value) && Object.keys(value).every(isPattern),
  ],
  // Unsupported keywords: the name of `$id` before draft 6, a schema inside a schema, and
  // asynchronous validation.
  ["id", () => false],
  ["$async", () => false],
  ...each(isAnchor, ["$anchor", "$dynamicAnchor"]),
  ...each(isText, ["format", "$ref", "$dynamicRef", "$recursiveRef"]),
  ...each(areSchemas, ["allOf", "anyOf", "oneOf"]),
  ...each((value) => typeof value === "boolean", ["nullable", "uniqueItems"]),
  ...each(Predicate.isReadonlyObject, ["properties", "dependencies", "$defs", "definitions"]),
  ...each(isSchema, [
    "additionalItems",
    "additionalProperties",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
  ]),
  ...each(isNumber, [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
  ]),
]);

interface Found {
  /** Paths of keywords that cannot be compiled. */
  readonly problems: Array<string>;
  readonly refs: Array<readonly [path: string, ref: string]>;
  readonly anchors: Array<string>;
}

const look = (schema: Json, path: string, found: Found): void => {
  const { anchors, problems, refs } = found;
  for (const [keyword, value] of Object.entries(schema)) {
    const at = path === "" ? keyword : `${path}.${keyword}`;
    if (checks.get(keyword)?.(value) === false || (keyword === "$id" && path !== ""))
      problems.push(at);
    else if (keyword === "$anchor" || keyword === "$dynamicAnchor") anchors.push(String(value));
    else if (keyword === "$ref" || keyword === "$dynamicRef") refs.push([at, String(value)]);
    else if (named.has(keyword) && Predicate.isReadonlyObject(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, `${at}.${name}`, found);
    } else if (nested.has(keyword)) visit(value, at, found);
  }
  const { nullable, type } = schema;
  const hasNull = type === "null" || (Array.isArray(type) && type.includes("null"));
  const isNullable =
    nullable === undefined || (type !== undefined && !(hasNull && nullable === false));
  if (!isNullable) problems.push(path === "" ? "nullable" : `${path}.nullable`);
};

const visit = (value: unknown, path: string, found: Found): void => {
  if (Array.isArray(value))
    value.forEach((member, index) => visit(member, `${path}.${index}`, found));
  else if (Predicate.isReadonlyObject(value)) look(value, path, found);
};

/** Returns whether a JSON pointer leads to a schema. */
const resolves = (root: Json, pointer: string): boolean => {
  let value: unknown = root;
  try {
    for (const part of pointer.split("/").slice(1)) {
      const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      if (!Predicate.isObject(value) || !Object.hasOwn(value, name)) return false;
      value = Reflect.get(value, name);
    }
  } catch {
    return false;
  }
  return isSchema(value);
};

/** The path of the first keyword that a validator could not compile; null if it can compile all of them. */
export const problemOf = (schema: Json): string | null => {
  const found: Found = { problems: [], refs: [], anchors: [] };
  const id = schema["$id"];
  const isId = typeof id === "string" && /^[A-Za-z][\w.:/?=&-]*$/.test(id);
  if (id !== undefined && !isId) return "$id";
  look(schema, "", found);
  const { anchors, problems, refs } = found;
  if (new Set(anchors).size < anchors.length) return "$anchor";
  const unknown = refs.find(([, ref]) =>
    ref.startsWith("#/") ? !resolves(schema, ref) : ref !== "#" && !anchors.includes(ref.slice(1)),
  );
  return problems[0] ?? unknown?.[0] ?? null;
};
