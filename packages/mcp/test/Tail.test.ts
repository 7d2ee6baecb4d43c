import { assert, describe, it } from "@effect/vitest";
import { Tail } from "../src/programs/processes/Tail.ts";

const written = (...chunks: ReadonlyArray<string>) => {
  const tail = new Tail();
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail;
};

const lines = (count: number, length = 0) =>
  Array.from({ length: count }, (_, n) => `line ${n} ${"x".repeat(length)}`.trim());

describe("the lines that a program wrote", () => {
  it("[connector.stdio.stderr] up to 20 lines are retained unchanged", () => {
    const text = lines(20).join("\n");
    assert.strictEqual(written(`${text}\n`).text, text);
    assert.isFalse(written(text).omits);
    assert.strictEqual(written("").text, "");
    assert.strictEqual(written("\u001b[31mred\u001b[0m", "\n\n").text, "red");
  });

  it("[connector.stdio.stderr] of more lines, the first 5 and the last 15 are retained", () => {
    const all = lines(100);
    const expected = [...all.slice(0, 5), "…", ...all.slice(-15)].join("\n");
    assert.strictEqual(written(all.join("\n")).text, expected);
    assert.strictEqual(written(...all.map((line) => `${line}\n`)).text, expected);
    assert.isTrue(written(all.join("\n")).omits);
  });

  it("[connector.stdio.stderr] of a long text, whole lines of its start and its end are retained", () => {
    const all = lines(1_000, 400);
    for (const chunks of [[all.join("\n")], all.map((line) => `${line}\n`)]) {
      const text = written(...chunks).text.split("\n");
      assert.deepStrictEqual(text.slice(0, 5), all.slice(0, 5));
      assert.strictEqual(text[5], "…");
      assert.deepStrictEqual(text.slice(6), all.slice(-(text.length - 6)));
      assert.isAbove(text.length, 12);
    }
  });

  it("[connector.stdio.stderr] a partial line is not retained", () => {
    const { text } = written(`${"s".repeat(5_000)} end of it ${"t".repeat(5_000)}\nlast`);
    assert.strictEqual(text, "…\nlast");
  });
});
