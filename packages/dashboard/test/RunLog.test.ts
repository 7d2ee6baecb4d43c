import { assert, describe, it } from "@effect/vitest";
import { parse, plainText } from "../src/data/ansi.ts";
import { LogFilter } from "../src/data/logFilter.ts";
import { LogLines } from "../src/data/logLines.ts";
import { RowHeights } from "../src/runs/rowHeights.ts";

const at = "2026-11-23T10:00:00.000Z";

describe("LogLines", () => {
  it("[page.run.lines] lines of a stream go on over entries, also between entries of another stream", () => {
    const all = new LogLines();
    all.add({ n: 1, at, stream: "stdout", text: "a\n\nb" });
    all.add({ n: 2, at, stream: "stderr", text: "x" });
    all.add({ n: 3, at, stream: "stdout", text: "c\n" });
    all.add({ n: 4, at, stream: "stderr", text: "\ny\n" });
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

  it("[page.run.gaps] a line says how many entries are missing, and no line goes on over a gap", () => {
    const all = new LogLines();
    all.add({ n: 1, at, stream: "stdout", text: "a" });
    all.add({ n: 13, at, stream: "stdout", text: "b\n" });
    assert.deepStrictEqual(
      all.lines.map(({ missing, text }) => missing ?? text),
      ["a", 11, "b"],
    );
  });

  it("[page.run.blocks] a long entry of a host is a block, and other entries are not", () => {
    const all = new LogLines();
    const long = Array.from({ length: 8 }, (_, index) => `${index}\n`).join("");
    all.add({ n: 1, at, stream: "host", text: "a\nb\n" });
    all.add({ n: 2, at, stream: "host", text: long });
    all.add({ n: 3, at, stream: "stdout", text: long });
    assert.deepStrictEqual(
      all.lines.filter(({ block }) => block !== undefined).map(({ n }) => n),
      [3, 4, 5, 6, 7, 8, 9, 10],
    );
    assert.deepInclude(all.lines[2], { block: 3, length: 8 });
  });
});

describe("LogFilter", () => {
  const logOf = (count: number) => {
    const log = new LogLines();
    for (let n = 1; n <= count; n++) log.add({ n, at, stream: "stdout", text: `line ${n}\n` });
    return log;
  };

  it("[page.run.search] it goes over a log in slices, and over new lines only", () => {
    const log = logOf(5_000);
    let looks = 0;
    const filter = new LogFilter(log, ({ n }) => {
      looks++;
      return n % 1_000 === 0;
    });
    let slices = 1;
    while (filter.advance(0)) slices++;
    assert.isAbove(slices, 5);
    assert.deepStrictEqual(filter.positions, [999, 1_999, 2_999, 3_999, 4_999]);
    log.add({ n: 5_001, at, stream: "stdout", text: "more\n" });
    filter.advance(0);
    assert.strictEqual(looks, 5_001);
  });

  it("[page.run.search] a line that goes on is looked at again", () => {
    const log = new LogLines();
    const filter = new LogFilter(log, ({ text }) => text.includes("ab"));
    log.add({ n: 1, at, stream: "stderr", text: "a" });
    log.add({ n: 2, at, stream: "stdout", text: "ab\n" });
    filter.advance(10);
    assert.deepStrictEqual(filter.positions, [1]);
    log.add({ n: 3, at, stream: "stderr", text: "b" });
    filter.advance(10);
    assert.deepStrictEqual(filter.positions, [0, 1]);
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

describe("RowHeights", () => {
  it("[page.run.follow] rows lie below each other, whichever of them were measured, also far from the measured ones", () => {
    const heights = new RowHeights(19);
    const measured = new Map<number, number>();
    for (let index = 0; index < 400; index++) {
      const row = (index * index * 37) % 3_000;
      measured.set(row, 19 * (1 + (index % 5)));
      heights.set(row, measured.get(row) ?? 19);
    }
    assert.strictEqual(heights.set(0, measured.get(0) ?? 19), 0);
    let top = 0;
    for (let row = 0; row < 5_000; row++) {
      const height = measured.get(row) ?? 19;
      assert.deepStrictEqual(
        [heights.topOf(row), heights.rowAt(top), heights.rowAt(top + height - 1)],
        [top, row, row],
      );
      top += height;
    }
    assert.strictEqual(heights.topOf(1_000_000), top + 995_000 * 19);
  });
});
