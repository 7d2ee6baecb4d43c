import { assert, describe, it } from "@effect/vitest";
import { specTypeSchemas } from "@modelcontextprotocol/client";
import { ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { Definition } from "@quartermaster/core";

/**
 * Core's own check of definitions compared with the schemas of the official SDKs: version 1 for the
 * protocol versions up to 2025-11-25, version 2 for 2026-07-28. Both must be able to read every
 * definition that core does not reject.
 */

/** Values that real servers send, and others. */
const values: ReadonlyArray<unknown> = [
  undefined,
  null,
  true,
  5,
  "",
  "object",
  [],
  ["a"],
  [null],
  {},
  { a: null },
  { a: true },
  { a: {} },
  { type: "object" },
  { type: "array" },
  { type: null, required: null, properties: null },
  { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  { type: "object", properties: { a: [] } },
  { anyOf: [{ type: "object" }] },
];

const members = [
  "name",
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
].concat(["execution", "icons", "_meta", "x-vendor"]);

const nested: ReadonlyArray<readonly [member: string, inner: ReadonlyArray<string>]> = [
  ["inputSchema", ["type", "properties", "required", "$schema", "$defs", "additionalProperties"]],
  ["outputSchema", ["type", "properties", "required", "$schema", "anyOf"]],
  ["annotations", ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]],
  ["_meta", ["progressToken", "a"]],
];

const good = { name: "add", inputSchema: { type: "object" } };

function* definitions(): Generator<unknown> {
  for (const member of members) for (const value of values) yield { ...good, [member]: value };
  for (const [member, inner] of nested) {
    const outer = member.endsWith("Schema") ? { type: "object" } : {};
    for (const key of inner)
      for (const value of values) yield { ...good, [member]: { ...outer, [key]: value } };
  }
  for (const key of ["src", "mimeType", "sizes", "theme"])
    for (const value of values) yield { ...good, icons: [{ src: "a", [key]: value }] };
}

const isRead = (tool: unknown): boolean =>
  ListToolsResultSchema.safeParse({ tools: [tool] }).success &&
  !("issues" in Object(specTypeSchemas.Tool["~standard"].validate(tool)));

const outputValues: ReadonlyArray<unknown> = [
  ...values,
  1.5,
  false,
  "(",
  "a+",
  "#",
  "#/$defs/a",
  "#/$defs/b",
  "#/$defs/%zz",
  "#anchor",
  "https://example.com/schema",
  ["string", "null"],
  ["nothing"],
  [{ type: "nothing" }],
  { "(": { type: "string" } },
  { a: { pattern: "(" } },
  { a: { $ref: "#/nowhere" } },
  { a: { nullable: true } },
  { a: ["b"] },
];

const outputKeywords = [
  "type",
  "pattern",
  "format",
  "enum",
  "const",
  "required",
  "nullable",
  "minimum",
  "maxLength",
  "items",
  "prefixItems",
  "contains",
  "uniqueItems",
  "additionalItems",
  "multipleOf",
  "properties",
  "patternProperties",
  "additionalProperties",
  "propertyNames",
  "dependencies",
  "dependentSchemas",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "$ref",
  "$dynamicRef",
  "$id",
  "id",
  "$schema",
  "$anchor",
  "$async",
  "$comment",
  "default",
  "examples",
  "x-own",
  "definitions",
  "discriminator",
  "contentSchema",
  "unevaluatedProperties",
  "minProperties",
];

/** One keyword with one value, at the root, in a property, and in a schema that nothing refers to. */
function* outputSchemas(): Generator<object> {
  const $defs = { a: { type: "string", $anchor: "anchor" } };
  for (const keyword of outputKeywords)
    for (const value of outputValues) {
      yield { type: "object", $defs, [keyword]: value };
      yield { type: "object", $defs, properties: { a: { [keyword]: value } } };
      yield { type: "object", $defs, properties: { a: { type: "string", [keyword]: value } } };
      yield { type: "object", $defs: { ...$defs, b: { [keyword]: value } } };
      yield { type: "object", $defs, anyOf: [{ not: { items: { [keyword]: value } } }] };
    }
}

describe("definitions compared with the official SDKs", () => {
  it("[mcp.definitions.sdk] the SDKs read every definition that is not invalid", () => {
    let valid = 0;
    let invalid = 0;
    for (const sent of definitions()) {
      const wire: unknown = JSON.parse(JSON.stringify(sent));
      const [tool] = Definition.judge([wire]).tools;
      if (tool?.problem !== null) invalid++;
      else {
        valid++;
        assert.isTrue(isRead(tool.definition), JSON.stringify(wire));
      }
    }
    assert.isAbove(valid, 200);
    assert.isAbove(invalid, 200);
  });

  it("[mcp.definitions.output] version 1 compiles every output schema that is not invalid", () => {
    // The client shares one validator between the tools of all servers.
    const validator = new AjvJsonSchemaValidator();
    let valid = 0;
    let invalid = 0;
    for (const schema of outputSchemas()) {
      const outputSchema = JSON.parse(JSON.stringify(schema));
      const [tool] = Definition.judge([{ ...good, outputSchema }]).tools;
      if (tool?.problem !== null) invalid++;
      else {
        valid++;
        validator.getValidator(Object(tool.definition)["outputSchema"]);
      }
    }
    assert.isAbove(valid, 1_000);
    assert.isAbove(invalid, 1_000);
  });
});
