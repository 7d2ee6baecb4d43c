import { assert, describe, it } from "@effect/vitest";
import { EffectIdentity } from "@quartermaster/core";

const { argumentsText, canonical, identityText } = EffectIdentity;

describe("The identity of an effect", () => {
  it("[effects.identity] arguments are compared as RFC 8785 JSON", () => {
    for (const [value, text] of [
      [{ b: 1, a: [true, null, "x"] }, '{"a":[true,null,"x"],"b":1}'],
      [
        { "\u{1f600}": 1, "\ufb33": 2, "\r": 3, "1": 4 },
        '{"\\r":3,"1":4,"\u{1f600}":1,"\ufb33":2}',
      ],
      [[1e21, 1e-7, 4.5, 2e-3, -0, 100], "[1e+21,1e-7,4.5,0.002,0,100]"],
      ['\u0001\b"\\/€', '"\\u0001\\b\\"\\\\/€"'],
      ["\ud800", '"\\ud800"'],
      ["\udfff", '"\\udfff"'],
      [{ a: undefined }, "{}"],
      [{ __proto__: null, a: {} }, '{"a":{}}'],
    ] as const) {
      assert.strictEqual(canonical(value), text);
    }
  });

  it("[effects.identity] with by, only the values at the pointers count", () => {
    const of = (args: Record<string, unknown>, by?: ReadonlyArray<string>) =>
      argumentsText(args, by);
    const by = ["/order/id", "/items/0", "/a~1b~0c"];
    const args = { order: { id: 7, at: "now" }, items: ["x", "y"], "a/b~c": 1 };
    const same = { order: { id: 7, at: "later" }, items: ["x"], "a/b~c": 1, more: true };
    assert.strictEqual(of(args, by), of(same, by));
    assert.notStrictEqual(of(args), of(same));
    for (const other of [
      { ...args, order: { id: "7" } },
      { ...args, order: {} },
      { ...args, order: { id: null } },
      { ...args, items: ["y"] },
      { ...args, "a/b~c": 2 },
    ]) {
      assert.notStrictEqual(of(args, by), of(other, by));
    }
    assert.notStrictEqual(of({ id: null }, ["/id"]), of({}, ["/id"]));
    assert.notStrictEqual(of({ id: 1 }, ["/id"]), of({ "/id": 1 }));
  });

  it("[effects.identity] a name stands for the effect instead of the arguments", () => {
    const of = (name: string | null, args: string, tool = "pay") =>
      identityText({ serverId: "srv_1", tool, name, arguments: args });
    assert.strictEqual(of("a", "1"), of("a", "2"));
    assert.notStrictEqual(of("a", "1"), of("b", "1"));
    assert.notStrictEqual(of("1", "1"), of(null, "1"));
    assert.notStrictEqual(of(null, "1"), of(null, "2"));
    assert.notStrictEqual(of("a", "1"), of("a", "1", "refund"));
  });
});
