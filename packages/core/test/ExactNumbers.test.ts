import { assert, describe, it } from "@effect/vitest";
import { EffectIdentity, ExactNumbers } from "@quartermaster/core";

const { literalOf, parse } = ExactNumbers;

describe("ExactNumbers", () => {
  it("[effects.identity] a number that is not exactly a double keeps its literal", () => {
    for (const literal of [
      "9007199254740993",
      "-1234567890123456789",
      "0.1000000000000000055",
      "123456789.123456789",
      "1e400",
      "1.00000000000000000001E0",
    ]) {
      const value = parse(`{"a":[${literal}]}`);
      assert.strictEqual(JSON.stringify(value), `{"a":[${literal}]}`);
      assert.strictEqual(EffectIdentity.canonical(value), `{"a":[${literal}]}`);
      assert.strictEqual(literalOf((value as { readonly a: unknown[] }).a[0]), literal);
    }
    assert.notStrictEqual(
      EffectIdentity.canonical(parse("9007199254740993")),
      EffectIdentity.canonical(parse("9007199254740992")),
    );
  });

  it("[effects.identity] literals of one double are the same number", () => {
    for (const [literal, number] of [
      ["9007199254740992", 9007199254740992],
      ["9007199254740992.000", 9007199254740992],
      ["1e2", 100],
      ["100.00000000000000000000", 100],
      ["0.1", 0.1],
      ["-0e0", -0],
      ["12.5E-1", 1.25],
      ["1e21", 1e21],
      ["0.00000000000000000e5", 0],
    ] as const) {
      assert.strictEqual(parse(literal), number);
      assert.isUndefined(literalOf(parse(literal)));
    }
    const text = '{"a":"9007199254740993","b":[1,true,null]}';
    assert.deepStrictEqual(parse(text), JSON.parse(text));
    assert.isUndefined(literalOf({ rawJSON: "1" }));
    assert.throws(() => parse("9007199254740993x"), SyntaxError);
  });

  it("[body.time] a number with a million digits is read in time", () => {
    const literal = `1${"0".repeat(1_000_000)}1`;
    const before = process.threadCpuUsage();
    assert.strictEqual(JSON.stringify(parse(literal)), literal);
    // A few milliseconds. It was minutes with a regular expression for the zeros at the end.
    assert.isBelow(process.threadCpuUsage(before).user / 1_000, 1_000, "ms");
  });
});
