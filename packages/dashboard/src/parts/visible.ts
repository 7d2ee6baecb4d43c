/**
 * The text with every character that is not seen written as `\u{200b}`: what a model reads, a person has to
 * see. Line feeds and tabs stay.
 */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}\u{2800}]/gu, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
