import type { Line } from "./lines.ts";
import { visible } from "./visible.ts";

/** A part of a patch: the headers of a file or of a hunk, or the lines below them. */
export type PatchPart = { readonly heading: string } | { readonly lines: ReadonlyArray<Line> };

const kinds: Readonly<Record<string, Line["kind"]>> = { "+": "added", "-": "removed" };

/**
 * The parts of a patch in the unified format, such as `git diff` writes. A text in another format is one
 * part without changes.
 */
export const patchParts = (patch: string): ReadonlyArray<PatchPart> => {
  const parts: Array<PatchPart> = [];
  let lines: Array<Line> | null = null;
  let [before, after] = [1, 1];
  /** The lines of the hunk that are still to come, in both versions. */
  let [left, right] = [0, 0];
  for (const text of visible(patch).replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    const isInside = left > 0 || right > 0;
    if (hunk !== null && !isInside) {
      [before, after] = [Number(hunk[1]), Number(hunk[3])];
      [left, right] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      lines = null;
      parts.push({ heading: text });
      continue;
    }
    if (text.startsWith("\\")) continue;
    if (
      !isInside &&
      /^(diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename )/.test(text)
    ) {
      lines = null;
      parts.push({ heading: text });
      continue;
    }
    const kind = isInside ? (kinds[text[0] ?? " "] ?? "same") : "same";
    if (lines === null) parts.push({ lines: (lines = []) });
    lines.push({
      kind,
      text: isInside ? text.slice(1) : text,
      before: kind === "added" ? null : before,
      after: kind === "removed" ? null : after,
    });
    if (kind !== "added") [before, left] = [before + 1, left - 1];
    if (kind !== "removed") [after, right] = [after + 1, right - 1];
  }
  return parts;
};
