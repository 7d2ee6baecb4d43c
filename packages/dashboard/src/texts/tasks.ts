/** The mark of a list item and the start of its box. */
const box = /^((?:[-*+]|\d{1,9}[.)])\s+\[)[ xX](?=\])/;

/** The Markdown with the task whose list item starts there ticked or unticked. */
export const ticked = (text: string, start: number, isDone: boolean): string =>
  text.slice(0, start) + text.slice(start).replace(box, `$1${isDone ? "x" : " "}`);
