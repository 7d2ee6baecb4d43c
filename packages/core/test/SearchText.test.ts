import { assert, describe, it } from "@effect/vitest";
import { SearchText } from "@quartermaster/core";

describe("The words of a text", () => {
  it("[search.words] words are runs of letters, marks and digits, in lower case and in order", () => {
    for (const [text, words] of [
      ["", []],
      ["  ?!- ", []],
      ["Mend the ROOF, (the roof)!", ["mend", "the", "roof", "the", "roof"]],
      ["Zürich ZU\u0308RICH", ["zürich", "zürich"]],
      ["ﬁle ２０２６ ① x²", ["file", "2026", "1", "x2"]],
      ["don't snake_case a-b", ["don", "t", "snake", "case", "a", "b"]],
      ["日本語、한국어", ["日本語", "한국어"]],
      ["हिन्दी", ["हिन्दी"]],
      ["İstanbul", ["i\u0307stanbul"]],
    ] as const) {
      assert.deepStrictEqual<ReadonlyArray<string>>(SearchText.words(text), words);
    }
  });
});
