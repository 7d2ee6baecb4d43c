import { assert, describe, it } from "@effect/vitest";
import * as Once from "../../src/mcp/Once.ts";

const readOnly = { name: "x", annotations: { readOnlyHint: true } };

const covers = (pattern: string, tool: string, accepted: object | null = null) =>
  Once.ruleFor({ once: [{ tools: [pattern] }] }, tool, accepted as never) !== null;

describe("once", () => {
  it("[mcp.once.covers] a pattern fits whole names, and its stars stand for any characters", () => {
    for (const [pattern, tool, fits] of [
      ["pay", "pay", true],
      ["pay", "pay_now", false],
      ["send_*", "send_", true],
      ["send_*", "send_mail", true],
      ["send_*", "resend_mail", false],
      ["*", "", true],
      ["*_mail", "send_mail", true],
      ["a*a", "a", false],
      ["a*b*c", "a1b2b3c", true],
      ["a*b*c", "acb", false],
      ["**", "x", true],
      ["a.c", "abc", false],
    ] as const) {
      assert.strictEqual(covers(pattern, tool), fits, `${pattern} ${tool}`);
    }
    assert.isFalse(covers(`${"a*".repeat(120)}b`, "a".repeat(100_000)));
  });

  it("[mcp.once.covers] a tool with readOnlyHint is covered only by its name", () => {
    assert.isFalse(covers("*", "search", readOnly));
    assert.isTrue(covers("search", "search", readOnly));
    assert.isTrue(covers("*", "search", { name: "x", annotations: { readOnlyHint: "true" } }));
  });

  it("[mcp.once.covers] the rule with the tool's name comes before the first pattern that fits", () => {
    const once = [{ tools: ["p*"] }, { tools: ["x", "pay"], by: ["/to"] }, { tools: ["*"] }];
    assert.strictEqual(Once.ruleFor({ once }, "pay", null), once[1]);
    assert.strictEqual(Once.ruleFor({ once }, "pay2", null), once[0]);
    assert.strictEqual(Once.ruleFor({ once }, "mail", null), once[2]);
    assert.isNull(Once.ruleFor({ once: [] }, "pay", null));
  });
});
