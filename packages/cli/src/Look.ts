import { DateTime, Effect, Stdio, Terminal } from "effect";
import { CliOutput, TerminalCapabilities } from "effect/cli";

/** The look of output: plain for programs; with colors, relative times and fitted lines on a terminal. */
export interface Look {
  readonly isTerminal: boolean;
  /** The characters of a line; `Infinity` if lines are not cut. */
  readonly columns: number;
  readonly hasColor: boolean;
  /** The current time in milliseconds. */
  readonly now: number;
}

/** The look of a pipe or a file. */
export const plain: Look = {
  isTerminal: false,
  columns: Number.POSITIVE_INFINITY,
  hasColor: false,
  now: 0,
};

/** The columns of a terminal that does not know its size. */
const defaultColumns = 80;

/** The look of stdout. */
export const ofStdout = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio;
  if (!(yield* stdio.stdoutIsTerminal)) return plain;
  const terminal = yield* Terminal.Terminal;
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities;
  return {
    isTerminal: true,
    columns: (yield* terminal.columns) || defaultColumns,
    hasColor: canColor,
    now: DateTime.toEpochMillis(yield* DateTime.now),
  } satisfies Look;
});

const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "m"],
  [1, "s"],
] as const;

/** A duration in milliseconds in its largest unit of which there are two: `90s`, `5m`, `47h`, `3d`. */
export const span = (millis: number): string => {
  const seconds = Math.round(Math.abs(millis) / 1_000);
  const [factor, unit] = units.find(([factor]) => seconds >= 2 * factor) ?? [1, "s"];
  return `${Math.floor(seconds / factor)}${unit}`;
};

/** A timestamp: `5m ago` or `in 2h` on a terminal, unchanged elsewhere. */
export const time = ({ isTerminal, now }: Look, at: string): string => {
  const away = Date.parse(at) - now;
  if (!isTerminal || Number.isNaN(away)) return at;
  if (Math.abs(away) < 1_000) return "now";
  return away < 0 ? `${span(away)} ago` : `in ${span(away)}`;
};

const escape = "\u001b[";

const colored = ({ hasColor }: Look, code: number, text: string): string =>
  hasColor && text !== "" ? `${escape}${code}m${text}${escape}0m` : text;

export const strong = (look: Look, text: string): string => colored(look, 1, text);

export const faint = (look: Look, text: string): string => colored(look, 2, text);

/** The ANSI colors of the first words of states. */
const colors: ReadonlyMap<string, number> = new Map(
  Object.entries({
    31: ["failed", "error", "silent", "lost", "blocked", "urgent", "unknownTool", "unknown"],
    32: ["Open", "resolved", "Resolved", "enabled", "ok", "idle", "done", "accepted", "active"],
    33: ["WaitingOnDependency", "paused", "stopping", "changed", "new", "high", "sent", "halted"],
    35: ["PendingReview", "review", "question"],
    36: ["InProgress", "working", "running", "open"],
    90: ["Closed", "released", "disabled", "low", "withdrawn", "expired", "replayed", "answered"],
  }).flatMap(([code, words]) => words.map((word) => [word, Number(code)] as const)),
);

/** A status in its color. */
export const state = (look: Look, text: string): string => {
  const code = colors.get(/^\w*/.exec(text)?.[0] ?? "");
  return code === undefined ? text : colored(look, code, text);
};

/** The columns that a text takes; colors take none. */
export const width = CliOutput.displayWidth;

const least = 6;

/** The width up to which a column is short: such as the one of a status or a time. */
const short = 12;

/** The largest width to which columns have to be cut, so that all fit into `room` columns. */
const cutTo = (natural: ReadonlyArray<number>, room: number): number => {
  let left = room;
  for (const [at, wanted] of natural.toSorted((a, b) => a - b).entries()) {
    const share = left / (natural.length - at);
    if (wanted > share) return Math.max(least, Math.floor(share));
    left -= wanted;
  }
  return Number.POSITIVE_INFINITY;
};

/**
 * Widths that fit into `room` columns: the widest columns get narrower, down to 6 characters, but
 * not the first column. Short columns get narrower only if the others have no room beside them.
 */
export const fitted = (natural: ReadonlyArray<number>, room: number): ReadonlyArray<number> => {
  const [first = 0, ...others] = natural;
  const long = others.filter((wanted) => wanted > short);
  const all = others.reduce((sum, wanted) => sum + wanted, 0);
  const beside = room - first - all + long.reduce((sum, wanted) => sum + wanted, 0);
  const hasRoom = beside >= least * long.length;
  const most = hasRoom ? cutTo(long, beside) : cutTo(others, room - first);
  const widthOf = (wanted: number) =>
    hasRoom && wanted <= short ? wanted : Math.min(wanted, most);
  return [first, ...others.map(widthOf)];
};

// oxlint-disable-next-line no-control-regex -- colors start with this character
const parts = /\u001b\[\d+m|./gsu;

/** Cuts a text that is longer than `most` columns, and marks the cut with an ellipsis. Colors stay. */
export const cut = (text: string, most: number): string => {
  if (width(text) <= most) return text;
  let used = 0;
  let isFull = false;
  const shown = Array.from(text.matchAll(parts), ([part]) => {
    if (part.startsWith(escape)) return part;
    if (isFull) return "";
    used += width(part);
    isFull = used > most - 1;
    return isFull ? "…" : part;
  });
  return shown.join("");
};

/** The text in a column of this width. */
export const padded = (text: string, columns: number): string => {
  const shown = cut(text, columns);
  return shown + " ".repeat(Math.max(0, columns - width(shown)));
};
