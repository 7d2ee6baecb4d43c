import { assert, describe, it } from "@effect/vitest";
import { Api } from "@quartermaster/http/api";
import { OpenApi } from "effect/http-api";
import { assertFields } from "./support/Assert.ts";

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const members = (value: unknown): ReadonlyArray<readonly [string, Json]> =>
  isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, Json] => isObject(entry[1]))
    : [];

const document: unknown = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)));
const { components, paths } = isObject(document) ? document : {};
const schemas = members(isObject(components) ? components["schemas"] : undefined);

const operations = members(paths).flatMap(([path, methods]) =>
  members(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);

const parametersOf = (operation: Json): ReadonlyArray<Json> =>
  Array.isArray(operation["parameters"]) ? operation["parameters"].filter(isObject) : [];

/** Paths of the properties at or below a schema that have no description, not even by reference. */
const undescribed = (schema: unknown, path: string): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap((member) => undescribed(member, path));
  if (!isObject(schema)) return [];
  const properties = members(schema["properties"]);
  return [
    ...properties
      .filter(([, property]) => !property["description"] && !property["$ref"])
      .map(([name]) => `${path}.${name}`),
    ...properties.flatMap(([name, property]) => undescribed(property, `${path}.${name}`)),
    ...["anyOf", "oneOf", "allOf", "items", "additionalProperties", "contentSchema"].flatMap(
      (keyword) => undescribed(schema[keyword], path),
    ),
  ];
};

const bodiesOf = (operation: Json): ReadonlyArray<Json> =>
  [operation["requestBody"], ...members(operation["responses"]).map(([, response]) => response)]
    .flatMap((body) => members(isObject(body) ? body["content"] : undefined))
    .map(([, media]) => media);

/** The schema behind a reference. */
const resolved = (schema: Json): Json => {
  const name = String(schema["$ref"] ?? "")
    .split("/")
    .at(-1);
  return schemas.find(([known]) => known === name)?.[1] ?? schema;
};

const alternativesOf = (schema: Json): ReadonlyArray<Json> =>
  [schema["anyOf"], schema["oneOf"]].flatMap((some) => (Array.isArray(some) ? some : []));

const isNullable = (given: Json): boolean => {
  const schema = resolved(given);
  return schema["type"] === "null" || alternativesOf(schema).some(isNullable);
};

/** Paths of the optional properties of a request for which null is refused. */
const refusingNull = (given: Json, path: string): ReadonlyArray<string> => {
  const schema = resolved(given);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return [
    ...alternativesOf(schema).flatMap((alternative) => refusingNull(alternative, path)),
    ...(isObject(schema["items"]) ? refusingNull(schema["items"], `${path}[]`) : []),
    ...members(schema["properties"]).flatMap(([name, property]) => [
      ...(required.includes(name) || isNullable(property) ? [] : [`${path}.${name}`]),
      ...refusingNull(property, `${path}.${name}`),
    ]),
  ];
};

describe("the OpenAPI document", () => {
  it("[contract.null] null is accepted for every optional property of a request", () => {
    const bodies = operations.flatMap(([name, { requestBody }]) =>
      members(isObject(requestBody) ? requestBody["content"] : undefined).flatMap(
        ([type, { schema }]) =>
          type === "application/json" && isObject(schema) ? [[name, schema] as const] : [],
      ),
    );
    assert.isAbove(bodies.length, 30);
    // The forms of entries in files, and of configurations that others define.
    const others = /^(POST|PUT) \/api\/mcp\/(catalog|import)\b/;
    assert.deepStrictEqual(
      bodies.flatMap(([name, schema]) => (others.test(name) ? [] : refusingNull(schema, name))),
      [],
    );
  });

  it("[contract.descriptions] the document describes every schema and property", () => {
    assert.isAbove(schemas.length, 70);
    assert.deepStrictEqual(
      schemas.filter(([, schema]) => !schema["description"]).map(([name]) => name),
      [],
    );
    assert.deepStrictEqual(
      schemas.flatMap(([name, schema]) => undescribed(schema, name)),
      [],
    );
    assert.deepStrictEqual(
      operations.flatMap(([name, operation]) =>
        bodiesOf(operation).flatMap(({ schema }) => undescribed(schema, name)),
      ),
      [],
    );
  });

  it("[contract.descriptions] the document describes every parameter", () => {
    const parameters = operations.flatMap(([name, operation]) =>
      parametersOf(operation).map((parameter) => ({ name, parameter })),
    );
    assert.isAbove(parameters.length, 80);
    assert.deepStrictEqual(
      parameters.filter(({ parameter }) => !parameter["description"]),
      [],
    );
  });

  it("[contract.parameters] every parameter has the type of its value", () => {
    const schemaOf = new Map(
      operations.flatMap(([name, operation]) =>
        parametersOf(operation).map(
          (parameter) => [`${name} ${String(parameter["name"])}`, parameter["schema"]] as const,
        ),
      ),
    );
    assert.deepStrictEqual(schemaOf.get("GET /api/keys limit"), {
      type: "integer",
      minimum: 1,
      maximum: 500,
      default: 100,
    });
    assert.deepStrictEqual(schemaOf.get("POST /api/projects/issues/{issueId}/close force"), {
      type: "boolean",
      default: false,
    });
    // effect describes numbers and booleans of a query as strings with a pattern.
    const texts = [...schemaOf].filter(([, schema]) =>
      /"true","false"|\^\[\+-\]\?/.test(JSON.stringify(schema)),
    );
    assert.deepStrictEqual(texts, []);
  });

  it("[contract.optional-body] a heartbeat needs no body", () => {
    const { requestBody } = new Map(operations).get("POST /api/agents/{agentId}/heartbeat") ?? {};
    assertFields(requestBody, { required: false });
  });
});
