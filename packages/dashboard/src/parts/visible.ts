/**
 * Replaces every invisible character, except line feeds and tabs, with an escape such as
 * `\u{200b}`. Models read these characters, so reviewers must see them.
 */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}\u{2800}]/gu, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
