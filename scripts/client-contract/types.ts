import { isObject, type Json, listAt, objectAt, textAt } from "./json.ts";

export const comment = (text: string) => {
  if (text === "") return "";
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  return lines.length === 1
    ? `/** ${text} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
};

export const unionOf = (members: ReadonlyArray<string>) => [...new Set(members)].join(" | ");

export const keyOf = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name));

export const fieldsOf = (schema: Json): string =>
  Object.entries(objectAt(schema, "properties"))
    .map(([name, property]) => {
      const isRequired = listAt(schema, "required").includes(name);
      const type = typeOf(property);
      return `${comment(textAt(property, "description"))}readonly ${keyOf(name)}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"};`;
    })
    .join("\n");

/** The type of a JSON Schema. The descriptions contain the limits of numbers and lengths. */
export const typeOf = (schema: unknown): string => {
  if (!isObject(schema)) return "unknown";
  const ref = textAt(schema, "$ref");
  if (ref !== "") return `Schemas.${ref.slice(ref.lastIndexOf("/") + 1)}`;
  const members = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")];
  if (members.length > 0) return unionOf(members.map(typeOf));
  const literals = listAt(schema, "enum");
  if (literals.length > 0) return unionOf(literals.map((literal) => JSON.stringify(literal)));
  switch (schema["type"]) {
    case "string":
    case "boolean":
    case "null":
      return schema["type"];
    case "integer":
    case "number":
      return "number";
    case "array":
      return `ReadonlyArray<${typeOf(schema["items"])}>`;
    case "object": {
      if (isObject(schema["properties"])) return `{ ${fieldsOf(schema)} }`;
      return `Readonly<Record<string, ${typeOf(schema["additionalProperties"])}>>`;
    }
    default:
      return "unknown";
  }
};
