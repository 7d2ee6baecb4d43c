/** A line of a diff. `before` and `after` are its line numbers in the old and new text, from 1. */
export interface Line {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * The largest product of line counts that the diff compares. Beyond it, the changed part appears as removed
 * and added in full.
 */
const maxPairs = 4_000_000;

const linesOf = (text: string | null): ReadonlyArray<string> =>
  text === null || text === "" ? [] : text.split("\n");

/**
 * The table of the longest common subsequences: entry (i, j) is the length for the suffixes from line i and
 * line j.
 */
const lengthsOf = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): Uint16Array => {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        before[i] === after[j]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
};

/** The diff of two texts; null means no text. Removed lines come before added lines. */
export const compareLines = (oldText: string | null, newText: string | null): Array<Line> => {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;

  const lines: Array<Line> = [];
  let i = 0;
  let j = 0;
  const same = () => {
    lines.push({ kind: "same", text: before[i] ?? "", before: ++i, after: ++j });
  };
  const remove = () => {
    lines.push({ kind: "removed", text: before[i] ?? "", before: ++i, after: null });
  };
  const add = () => {
    lines.push({ kind: "added", text: after[j] ?? "", before: null, after: ++j });
  };

  for (let count = 0; count < start; count++) same();
  const middle = before.slice(start, before.length - end);
  const newMiddle = after.slice(start, after.length - end);
  const width = newMiddle.length + 1;
  const isSmall = middle.length * newMiddle.length <= maxPairs;
  const lengths = isSmall ? lengthsOf(middle, newMiddle) : null;
  const length = (row: number, column: number) => lengths?.[row * width + column] ?? 0;
  while (i < before.length - end && j < after.length - end) {
    const row = i - start;
    const column = j - start;
    if (lengths !== null && before[i] === after[j]) same();
    else if (length(row + 1, column) >= length(row, column + 1)) remove();
    else add();
  }
  while (i < before.length - end) remove();
  while (j < after.length - end) add();
  while (i < before.length) same();
  return lines;
};

/** Lines to show, or the number of collapsed lines. */
export type Part = { readonly lines: ReadonlyArray<Line> } | { readonly hidden: number };

/** The changed lines with `context` unchanged lines around them. The rest is collapsed. */
export const partsOf = (lines: ReadonlyArray<Line>, context: number): ReadonlyArray<Part> => {
  const isNear = new Uint8Array(lines.length);
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    isNear.fill(1, Math.max(0, index - context), index + context + 1);
  }
  const parts: Array<Part> = [];
  for (let from = 0; from < lines.length;) {
    let to = from + 1;
    while (to < lines.length && isNear[to] === isNear[from]) to++;
    // A single unchanged line is shown: its placeholder would take the same space.
    const isShown = isNear[from] === 1 || to - from === 1;
    parts.push(isShown ? { lines: lines.slice(from, to) } : { hidden: to - from });
    from = to;
  }
  return parts;
};

/** The parts up to the first `most` lines, and the number of remaining lines. */
export const firstOf = (
  parts: ReadonlyArray<Part>,
  most: number,
): { readonly parts: ReadonlyArray<Part>; readonly left: number } => {
  const first: Array<Part> = [];
  let room = most;
  let left = 0;
  for (const part of parts) {
    if ("hidden" in part) {
      if (room > 0) first.push(part);
      continue;
    }
    if (room > 0) first.push({ lines: part.lines.slice(0, room) });
    left += Math.max(0, part.lines.length - room);
    room = Math.max(0, room - part.lines.length);
  }
  return { parts: first, left };
};
