import { assert, describe, it } from "@effect/vitest";
import { definitionText } from "../src/parts/definition.ts";
import { compareLines, firstOf, partsOf } from "../src/parts/lines.ts";
import { visible } from "../src/parts/visible.ts";

const signs = { same: " ", removed: "-", added: "+" } as const;
const shown = (before: string | null, after: string | null) =>
  compareLines(before, after).map(({ kind, text }) => `${signs[kind]}${text}`);

describe("the comparison of lines", () => {
  it("[dashboard.diff] only changed lines differ, and removed lines come before added lines", () => {
    assert.deepStrictEqual(shown("a\nb\nc\nd", "a\nx\nc\nd\ne"), [
      " a",
      "-b",
      "+x",
      " c",
      " d",
      "+e",
    ]);
    assert.deepStrictEqual(shown("a\na", "a"), [" a", "-a"]);
    assert.deepStrictEqual(shown(null, "a"), ["+a"]);
    assert.deepStrictEqual(shown("a", null), ["-a"]);
    assert.deepStrictEqual(shown("same", "same"), [" same"]);
  });

  it("[dashboard.diff] both texts can be read from the lines, with their numbers", () => {
    for (let seed = 1; seed < 300; seed++) {
      const text = (factor: number) =>
        Array.from(
          { length: (seed * factor) % 9 },
          (_, at) => "abc"[(seed * factor + at * at) % 3],
        );
      const before = text(7);
      const after = text(11);
      const lines = compareLines(before.join("\n"), after.join("\n"));
      const old = lines.filter(({ kind }) => kind !== "added");
      const current = lines.filter(({ kind }) => kind !== "removed");
      assert.deepStrictEqual(
        [old.map((line) => line.text), current.map((line) => line.text)],
        [before, after],
      );
      assert.deepStrictEqual(
        old.map((line) => line.before),
        before.map((_, index) => index + 1),
      );
    }
  });

  it("[dashboard.diff] texts that are too long to be compared are shown one after the other", () => {
    const lines = (prefix: string) => Array.from({ length: 3_000 }, (_, at) => `${prefix}${at}`);
    const compared = compareLines(
      ["first", ...lines("a"), "last"].join("\n"),
      ["first", ...lines("b"), "last"].join("\n"),
    );
    assert.deepStrictEqual(
      [compared[0]?.kind, compared[1]?.kind, compared[3_001]?.kind, compared.at(-1)?.kind],
      ["same", "removed", "added", "same"],
    );
    assert.lengthOf(compared, 6_002);
  });

  it("[dashboard.diff] unchanged lines away from a change are counted", () => {
    const before = Array.from({ length: 20 }, (_, at) => `${at}`);
    const lines = compareLines(before.join("\n"), before.with(10, "changed").join("\n"));
    assert.deepStrictEqual(
      partsOf(lines, 2).map((part) => ("hidden" in part ? part.hidden : part.lines.length)),
      [8, 6, 7],
    );
    assert.deepStrictEqual(partsOf([], 3), []);
    const { left, parts } = firstOf(partsOf(lines, 2), 4);
    assert.strictEqual(left, 2);
    assert.lengthOf(parts, 2);
  });

  it("[dashboard.diff] a definition is the same text in any order of its members, and no member is omitted", () => {
    const text = definitionText({
      inputSchema: { type: "object", properties: {} },
      name: "read",
      description: "Reads\na note",
      icons: ["x"],
    });
    assert.strictEqual(
      text,
      definitionText({
        icons: ["x"],
        description: "Reads\na note",
        name: "read",
        inputSchema: { properties: {}, type: "object" },
      }),
    );
    assert.include(text ?? "", "Description\n  Reads\n  a note\nInput schema\n  {");
    assert.include(text ?? "", "icons\n");
  });

  it("[dashboard.hostile] invisible characters are shown by their numbers", () => {
    assert.strictEqual(
      visible("a\u{200b}b\u{202e}\u{e0041}\r\n\tend"),
      "a\\u{200b}b\\u{202e}\\u{e0041}\\u{d}\n\tend",
    );
  });
});
