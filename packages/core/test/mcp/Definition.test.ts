import { assert, describe, it } from "@effect/vitest";
import { Definition } from "@quartermaster/core";
import { Fixtures } from "@quartermaster/testing";

const { definition } = Fixtures;

const only = (sent: unknown) => {
  const { tools } = Definition.judge([sent]);
  assert.lengthOf(tools, 1);
  return tools[0];
};

const object = { type: "object" };

describe("a definition is repaired", () => {
  it("[mcp.definitions.repaired] a member that every JavaScript object inherits withholds no other tool", () => {
    const sent = JSON.parse(
      '[{"name": "odd", "__proto__": 1, "valueOf": {"a": 1}, "constructor": 2}, {"name": "good"}]',
    );
    const { tools } = Definition.judge(sent);
    assert.deepStrictEqual(
      tools.map(({ name, problem }) => [name, problem]),
      [
        ["odd", null],
        ["good", null],
      ],
    );
    const [odd] = tools;
    assert.strictEqual(
      JSON.stringify(odd?.definition),
      '{"name":"odd","__proto__":1,"valueOf":{"a":1},"constructor":2,"inputSchema":{"type":"object"}}',
    );
  });

  it.each([
    ["title", { title: null }, {}],
    [
      "all optional members",
      { annotations: null, outputSchema: null, icons: null, _meta: null },
      {},
    ],
    [
      "a hint",
      { annotations: { title: null, readOnlyHint: true } },
      { annotations: { readOnlyHint: true } },
    ],
    ["icons", { icons: [null, { src: "a", theme: null }] }, { icons: [{ src: "a" }] }],
    ["no inputSchema", { inputSchema: undefined }, { inputSchema: object }],
    ["inputSchema null", { inputSchema: null }, { inputSchema: object }],
    ["an empty inputSchema", { inputSchema: {} }, { inputSchema: object }],
    [
      "a root without type",
      { inputSchema: { anyOf: [{}] } },
      { inputSchema: { type: "object", anyOf: [{}] } },
    ],
    [
      "an outputSchema without type",
      { outputSchema: { $ref: "#" } },
      { outputSchema: { type: "object", $ref: "#" } },
    ],
    ["required null", { inputSchema: { ...object, required: null } }, { inputSchema: object }],
    [
      "nulls inside of schemas",
      {
        inputSchema: {
          ...object,
          properties: { a: { description: null, items: { title: null } }, b: null },
          $defs: { c: { pattern: null, anyOf: [{ format: null }] } },
        },
      },
      {
        inputSchema: { ...object, properties: { a: { items: {} } }, $defs: { c: { anyOf: [{}] } } },
      },
    ],
  ] as const)("[mcp.definitions.repaired] %s", (_, sent, expected) => {
    const tool = only(JSON.parse(JSON.stringify(definition("add", sent))));
    assert.deepStrictEqual(tool, {
      name: "add",
      definition: { ...definition("add"), ...expected },
      problem: null,
    });
  });

  it("[mcp.definitions.repaired] a null with its own meaning is not removed", () => {
    const sent = definition("add", {
      inputSchema: {
        ...object,
        properties: {
          a: { default: null, enum: [null, "a"], examples: [null, { b: null }] },
          default: { const: null },
        },
      },
      _meta: { "x/y": null },
    });
    assert.deepStrictEqual(only(sent)?.definition, sent);
  });
});

describe("a definition is withheld", () => {
  it.each([
    [{ name: "" }, "name: It has no name."],
    [{ title: 5 }, "title: Expected a string."],
    [{ description: 5 }, "description: Expected a string."],
    [{ inputSchema: "x" }, "inputSchema: Expected an object."],
    [{ inputSchema: { type: "array" } }, 'inputSchema.type: Expected "object".'],
    [{ inputSchema: { ...object, properties: [] } }, "inputSchema.properties: Expected an object."],
    [
      { inputSchema: { ...object, properties: { a: true } } },
      "inputSchema.properties.a: Expected an object.",
    ],
    [{ inputSchema: { ...object, required: "x" } }, "inputSchema.required: Expected an array."],
    [{ inputSchema: { ...object, required: [5] } }, "inputSchema.required.0: Expected a string."],
    [{ inputSchema: { ...object, $schema: 7 } }, "inputSchema.$schema: Expected a string."],
    [{ outputSchema: { type: "string" } }, 'outputSchema.type: Expected "object".'],
    [
      { outputSchema: { properties: { a: { pattern: "(" } } } },
      "outputSchema.properties.a.pattern: Validators cannot compile it.",
    ],
    [{ outputSchema: { $ref: "#/$defs/a" } }, "outputSchema.$ref: Validators cannot compile it."],
    [{ annotations: "yes" }, "annotations: Expected an object."],
    [{ annotations: { readOnlyHint: "yes" } }, "annotations.readOnlyHint: Expected a boolean."],
    [{ icons: [{}] }, "icons.0.src: This property is required."],
    [{ _meta: [] }, "_meta: Expected an object."],
    [{ execution: "soon" }, "execution: Expected an object."],
    [
      { description: "a\u{E0041}b" },
      "It has a character that models read and people do not see (U+E0041).",
    ],
    [
      { inputSchema: { ...object, properties: { "a\u202E": {} } } },
      "It has a character that models read and people do not see (U+202E).",
    ],
  ] as const)("[mcp.definitions.invalid] %j", (more, problem) => {
    assert.deepInclude(only(definition("add", more)), { problem });
  });

  it.each([
    [5, "", "It is not an object."],
    [null, "", "It is not an object."],
    [[], "", "It is not an object."],
    [{ title: "x" }, "", "It has no name."],
    [{ name: 5 }, "", "It has no name."],
  ] as const)("[mcp.definitions.invalid] %j", (sent, name, problem) => {
    assert.deepStrictEqual(only(sent), { name, definition: null, problem });
  });

  it("[mcp.definitions.size] a definition of more than 64 KiB, by its repaired form", () => {
    const size = (description: string, more: object = {}) =>
      only(definition("add", { description, ...more }))?.problem;
    const rest = JSON.stringify(definition("add", { description: "" })).length;
    const most = "x".repeat(Definition.maxBytes - rest);
    assert.isNull(size(most));
    assert.isNull(size(most, { title: null }));
    assert.strictEqual(size(`${most}x`), "It has 65537 bytes, and at most 65536 are used.");
    assert.strictEqual(
      size("é".repeat(40_000)),
      `It has ${80_000 + rest} bytes, and at most 65536 are used.`,
    );
    assert.deepInclude(only(definition("add", { description: `${most}x` })), {
      name: "add",
      definition: null,
    });
  });

  it("[mcp.definitions.invalid] a definition nested too deep", () => {
    let deep: unknown = {};
    for (let level = 0; level < 300; level++) deep = { deep };
    assert.deepStrictEqual(only(definition("add", { deep })), {
      name: "add",
      definition: null,
      problem: "It is nested more than 256 levels deep.",
    });
  });
});

describe("a list", () => {
  const many = (count: number, more: Readonly<Record<string, unknown>> = {}) =>
    Array.from({ length: count }, (_, n) => definition(`tool_${n}`, more));

  it("[mcp.definitions.limits] has at most 2,000 tools", () => {
    assert.deepInclude(Definition.judge(many(2_000)), { cutAt: null });
    const { cutAt, tools } = Definition.judge(many(2_100));
    assert.lengthOf(tools, 2_000);
    assert.strictEqual(cutAt, 2_100);
    assert.strictEqual(tools.at(-1)?.name, "tool_1999");
  });

  it("[mcp.definitions.limits] has at most 8 MiB, and withheld tools do not count", () => {
    const large = many(200, { description: "x".repeat(60_000) });
    const { cutAt, tools } = Definition.judge(large);
    assert.isBelow(tools.length * 60_000, 8 * 1024 * 1024);
    assert.isAbove(tools.length * 60_200, 8 * 1024 * 1024 - 60_200);
    assert.strictEqual(cutAt, 200);
    const withheld = many(200, { description: "x".repeat(70_000) });
    assert.deepInclude(Definition.judge([...withheld, definition("add")]), { cutAt: null });
  });

  it("[mcp.pins.twice] has the first tool of each name", () => {
    const { repeated, tools } = Definition.judge([
      definition("a"),
      definition("b"),
      definition("a", { title: "2" }),
    ]);
    assert.deepStrictEqual(
      tools.map(({ definition }) => definition),
      [definition("a"), definition("b")],
    );
    assert.deepStrictEqual(repeated, ["a"]);
  });
});
