/** Text of terminals: colors and weights as runs of text, and no other control. */

export interface Styled {
  /** The position in the line. */
  readonly at: number;
  readonly text: string;
  /** One of the sixteen colors, by its number; null for the color of text. */
  readonly color: number | null;
  readonly isBold: boolean;
  readonly isFaint: boolean;
}

type Style = Omit<Styled, "at" | "text">;

const plain: Style = { color: null, isBold: false, isFaint: false };

const escape = "\u001b";

/** An escape sequence: `ESC [ ... letter`, `ESC ] ... BEL` or ST, or two characters. */
const sequence = new RegExp(
  `${escape}(?:\\[([0-9;:?<=>]*)[ -/]*([@-~])|\\][^\u0007${escape}]*(?:\u0007|${escape}\\\\)|[@-_])`,
  "g",
);

// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

const apply = (style: Style, codes: ReadonlyArray<number>): Style => {
  let next = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 0) next = plain;
    else if (code === 1) next = { ...next, isBold: true };
    else if (code === 2) next = { ...next, isFaint: true };
    else if (code === 22) next = { ...next, isBold: false, isFaint: false };
    else if (code >= 30 && code <= 37) next = { ...next, color: code - 30 };
    else if (code >= 90 && code <= 97) next = { ...next, color: code - 82 };
    else if (code === 39) next = { ...next, color: null };
    // Of 256 colors only the first sixteen have names; the others are left out, with their arguments.
    else if (code === 38 || code === 48) {
      const color = codes[at + 2] ?? 16;
      if (code === 38 && codes[at + 1] === 5 && color < 16) next = { ...next, color };
      at += codes[at + 1] === 2 ? 4 : 2;
    }
  }
  return next;
};

/** Splits a line. After a carriage return the line starts again, as in a terminal. */
export const parse = (line: string): ReadonlyArray<Styled> => {
  const parts: Array<Styled> = [];
  const shown = line.replace(/\r$/, "");
  const text = shown.slice(shown.lastIndexOf("\r") + 1);
  let style = plain;
  let from = 0;
  const push = (to: number) => {
    const part = text.slice(from, to).replace(controls, "");
    if (part !== "") parts.push({ ...style, at: from, text: part });
  };
  for (const match of text.matchAll(sequence)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[2] === "m") style = apply(style, (match[1] ?? "").split(/[;:]/).map(Number));
  }
  push(text.length);
  return parts;
};

/** The line without colors, for search. */
export const plainText = (line: string): string =>
  line.includes(escape) || line.includes("\r")
    ? parse(line)
        .map(({ text }) => text)
        .join("")
    : line;
