/** The name that is being typed before the caret, without its `@`; null if there is none. */
export const typedName = (text: string, caret: number): string | null =>
  /(?<![\p{L}\p{M}\p{N}./@+%=&#-])@([A-Za-z0-9._:-]{0,64})$/u.exec(
    text.slice(Math.max(0, caret - 70), caret),
  )?.[1] ?? null;
