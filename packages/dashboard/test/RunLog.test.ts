import { assert, describe, it } from "@effect/vitest";
import { LogLines } from "../src/data/logLines.ts";
import { parse, plainText } from "../src/runs/ansi.ts";

const at = "2026-11-23T10:00:00.000Z";

describe("LogLines", () => {
  it("[page.run.lines] lines of a stream go on over entries, also between entries of another stream", () => {
    const all = new LogLines();
    all.add({ at, stream: "stdout", text: "a\n\nb" });
    all.add({ at, stream: "stderr", text: "x" });
    all.add({ at, stream: "stdout", text: "c\n" });
    all.add({ at, stream: "stderr", text: "\ny\n" });
    assert.deepStrictEqual(
      all.lines.map(({ n, stream, text }) => [n, stream, text]),
      [
        [1, "stdout", "a"],
        [2, "stdout", ""],
        [3, "stdout", "bc"],
        [4, "stderr", "x"],
        [5, "stderr", "y"],
      ],
    );
  });
});

describe("parse", () => {
  const shown = (line: string) =>
    parse(line).map(({ color, isBold, text }) => [text, color, isBold]);

  it("[page.run.colors] colors and weights of a terminal stay, and every other control goes", () => {
    assert.deepStrictEqual(shown("a\u001b[1;31mb\u001b[39mc\u001b[0md"), [
      ["a", null, false],
      ["b", 1, true],
      ["c", null, true],
      ["d", null, false],
    ]);
    assert.deepStrictEqual(shown("\u001b[38;5;10ma\u001b[38;2;1;2;3mb\u001b[48;5;1mc\u001b[92md"), [
      ["a", 10, false],
      ["b", 10, false],
      ["c", 10, false],
      ["d", 10, false],
    ]);
    assert.deepStrictEqual(
      shown("\u001b]0;title\u0007a\u001b[2Kb\u001b[?25lc\u0007").map(([text]) => text),
      ["a", "b", "c"],
    );
  });

  it("[page.run.colors] after a carriage return a line starts again", () => {
    assert.strictEqual(plainText("10 %\r50 %\r100 %\r"), "100 %");
    assert.deepStrictEqual(shown("10 %\r\u001b[32m100 %\r"), [["100 %", 2, false]]);
  });
});
