/**
 * The folding of texts for search. Every storage folds what it indexes and what it looks for by this
 * function, and never by a function of its engine.
 */

/**
 * The version of `fold` and `words`. A storage whose index has an older one indexes all issues again:
 * raise it with every change of their results.
 */
export const version = 1;

const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  æ: "ae",
  œ: "oe",
  ı: "i",
};

const marked = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])(\p{M}+)/gu;

const isAscii = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
};

/**
 * Folds a text: compatibility normalization (NFKC), lower case, no diacritics from U+0300 to U+036F
 * after letters of the Latin, Greek and Cyrillic scripts, and letters with strokes and ligatures as
 * the letters that people type for them.
 *
 * @example
 * ```ts
 * import { Folding } from "@quartermaster/core";
 *
 * export const example = () => {
 *   return Folding.fold("Crème Brûlée, Straße, Łódź"); // "creme brulee, strasse, lodz"
 * };
 * ```
 */
export const fold = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKC")
        .toLowerCase()
        .normalize("NFD")
        .replace(marked, (_, letter: string, marks: string) =>
          letter.concat(marks.replace(/[\u0300-\u036f]/gu, "")),
        )
        .normalize("NFC")
        .replace(/[ßøłđæœı]/gu, (letter) => letters[letter] ?? letter);

/** The words of a text, in order, with repetitions: runs of letters, marks and digits after folding. */
export const words = (text: string): ReadonlyArray<string> =>
  fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
