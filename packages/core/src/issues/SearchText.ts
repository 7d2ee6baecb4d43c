/**
 * The rules of full text for every storage: a text is the set of its words; a word is a run of
 * letters, marks and digits, compared in lower case after compatibility normalization (NFKC).
 */

const word = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a text, in their order, with repetitions. */
export const words = (text: string): ReadonlyArray<string> =>
  text.normalize("NFKC").toLowerCase().match(word) ?? [];
