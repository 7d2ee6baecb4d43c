import { assert, describe, it } from "@effect/vitest";
import { specTypeSchemas } from "@modelcontextprotocol/client";
import { CallToolResultSchema, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { Results } from "@quartermaster/core";
import { wellFormed } from "../src/protocol/WellFormed.ts";

/**
 * The results of core and the transports, compared with the schemas of the official SDKs, which
 * must accept all of them.
 */

const values: ReadonlyArray<unknown> = [
  undefined,
  null,
  true,
  5,
  1.5,
  "",
  "text",
  "aGVsbG8=",
  [],
  [null],
  {},
  { type: "text" },
  { type: "text", text: "a" },
  [
    {
      type: "text",
      text: "a",
      annotations: { audience: ["user"], lastModified: "2026-01-01T00:00:00Z" },
    },
  ],
  [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }],
  [{ type: "audio", data: "a", mimeType: "audio/wav" }],
  [{ type: "resource", resource: { uri: "a:b", text: "t" } }],
  [{ type: "resource", resource: { uri: "a:b", blob: "*" } }],
  [{ type: "resource_link", uri: "a:b", name: "n" }],
  [{ type: "novel" }, 5, "a"],
  { progressToken: {} },
  { "io.modelcontextprotocol/related-task": 5 },
];

function* results(): Generator<unknown> {
  yield* values;
  for (const member of ["content", "structuredContent", "isError", "_meta", "x-own"])
    for (const value of values) {
      yield { [member]: value };
      yield { content: [{ type: "text", text: "a" }], [member]: value };
      yield { structuredContent: { a: 1 }, [member]: value };
    }
  for (const block of values.flat())
    for (const member of ["annotations", "_meta", "mimeType", "icons", "size", "resource", "data"])
      for (const value of values) yield { content: [{ ...Object(block), [member]: value }] };
}

describe("responses compared with the official SDKs", () => {
  it("[tools.call.readable] the SDKs read every result", () => {
    for (const sent of results()) {
      const wire: unknown = JSON.parse(
        JSON.stringify({ id: 1, jsonrpc: "2.0", result: sent ?? null }),
      );
      const message = wellFormed(wire);
      assert.isTrue(JSONRPCMessageSchema.safeParse(message).success, JSON.stringify(wire));
      const result = Results.readable(Reflect.get(Object(message), "result"), 10_000);
      assert.isTrue(CallToolResultSchema.safeParse(result).success, JSON.stringify(result));
      const validated = Object(specTypeSchemas.CallToolResult["~standard"].validate(result));
      assert.notProperty(validated, "issues");
    }
  });

  it("[connector.answered] every response has the form that the SDK reads", () => {
    for (const value of values)
      for (const other of values) {
        const wire = JSON.parse(
          JSON.stringify({ jsonrpc: "2.0", id: 1, error: value, "x-own": other }),
        );
        if (!("error" in wire)) continue;
        assert.isTrue(
          JSONRPCMessageSchema.safeParse(wellFormed(wire)).success,
          JSON.stringify(wire),
        );
      }
    const good = { jsonrpc: "2.0", id: 1, result: { content: [] } };
    assert.strictEqual(wellFormed(good), good);
    assert.deepStrictEqual(wellFormed({ ...good, error: null }), good);
    // Serializers that omit null leave no result.
    assert.deepStrictEqual<unknown>(wellFormed({ jsonrpc: "2.0", id: 1 }), {
      jsonrpc: "2.0",
      id: 1,
      result: {},
    });
    const request = { jsonrpc: "2.0", id: 1, method: "ping", result: 5 };
    assert.strictEqual(wellFormed(request), request);
  });
});
