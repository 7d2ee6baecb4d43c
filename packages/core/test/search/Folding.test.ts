import { assert, describe, it } from "@effect/vitest";
import { Folding } from "@quartermaster/core";
import { Schema } from "effect";

/** Letters, marks and digits of ten scripts. */
const scripts = {
  latin: "aZéÑøŁßÆŒıİđﬁ９",
  greek: "αΣςΆϊΐΏ",
  cyrillic: "йЁЇґщЖ",
  hebrew: "אבשׁלֶ",
  arabic: "عربيةّأ٣",
  devanagari: "हिन्दीक्ष४",
  thai: "ไทยกำ้",
  han: "日本語漢道",
  kana: "テキストがﾃﾞぱ",
  hangul: "한국어각\u1112\u1161\u11ab",
};
const pieces = [
  ...Object.values(scripts).flatMap((text) => [...text]),
  ..."\u0300\u0301\u0308\u0327\u0345\u036f \n-_./©½①²",
  "𝒳",
  "👩‍🚀",
];
const Text = Schema.Array(Schema.Literals(pieces as [string, ...Array<string>])).check(
  Schema.isMaxLength(12),
);

describe("Folding", () => {
  it("[search.folding] the words of a text are its runs of letters, marks and digits, folded", () => {
    for (const [text, words] of [
      ["", []],
      ["  ?!- ", []],
      ["Mend the ROOF, (the roof)!", ["mend", "the", "roof", "the", "roof"]],
      ["Zürich ZU\u0308RICH", ["zurich", "zurich"]],
      ["ﬁle ２０２６ ① x² ½", ["file", "2026", "1", "x2", "1", "2"]],
      ["don't snake_case a-b", ["don", "t", "snake", "case", "a", "b"]],
      ["İstanbul ISPARTA ısı", ["istanbul", "isparta", "isi"]],
      ["Straße STRASSE Łódź Ærø cœur Đà", ["strasse", "strasse", "lodz", "aero", "coeur", "da"]],
      ["Ǿrsted ǽ ẞ", ["orsted", "ae", "ss"]],
      ["Άνθρωπος ΐ", ["ανθρωπος", "ι"]],
      ["Чёрный Київ", ["черныи", "киів"]],
      ["日本語、한국어 がぎ ﾃﾞ", ["日本語", "한국어", "がぎ", "デ"]],
      ["हिन्दी ไทย", ["हिन्दी", "ไทย"]],
      ["שָׁלוֹם عربيّة", ["שָׁלוֹם".normalize("NFC"), "عربيّة"]],
    ] as const) {
      assert.deepStrictEqual<ReadonlyArray<string>>(Folding.words(text), words, text);
    }
  });

  it.prop(
    "[search.folding] a folded text does not change when it is folded again",
    [Text],
    ([text]) => {
      const folded = Folding.fold(text.join(""));
      assert.strictEqual(Folding.fold(folded), folded);
    },
  );

  it.prop(
    "[search.folding] every normalization form of a text has the same words",
    [Text],
    ([text]) => {
      const words = Folding.words(text.join(""));
      for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const) {
        assert.deepStrictEqual(Folding.words(text.join("").normalize(form)), words, form);
      }
    },
  );

  it.prop(
    "[search.folding] the words of texts with a space between them are the words of each",
    [Text, Text],
    ([left, right]) => {
      assert.deepStrictEqual(Folding.words(`${left.join("")} ${right.join("")}`), [
        ...Folding.words(left.join("")),
        ...Folding.words(right.join("")),
      ]);
    },
  );
});
