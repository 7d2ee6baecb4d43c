import { Console, Effect, Stdio } from "effect";
import * as Look from "./Look.ts";

/** Output formats: one JSON document, tables for people, or plain lines for pipes. */

type Text = string | number | boolean | null | undefined;

/** A cell whose text depends on the look of stdout. */
export interface Drawn {
  readonly draw: (look: Look.Look) => string;
}

type Cell = Text | Drawn;

/** Untrusted text on one line. Control characters are replaced: they could manipulate the terminal. */
export const cell = (value: Text): string =>
  // oxlint-disable-next-line no-control-regex -- these are the characters to replace
  String(value ?? "").replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ");

/** Untrusted text on several lines. */
export const multiline = (text: string): string => text.split(/\r?\n/).map(cell).join("\n");

/** A timestamp, or `otherwise` for null: relative on a terminal, ISO 8601 elsewhere. */
export const time = (at: string | null, otherwise = ""): Drawn => ({
  draw: (look) => (at === null ? otherwise : Look.time(look, cell(at))),
});

/** A status or an outcome: in its color on a terminal. */
export const state = (text: string): Drawn => ({ draw: (look) => Look.state(look, cell(text)) });

const drawn = (look: Look.Look) => (value: Cell) =>
  typeof value === "object" && value !== null ? value.draw(look) : cell(value);

type Rows = ReadonlyArray<ReadonlyArray<Cell>>;

/**
 * A table for a terminal. Columns are as wide as their widest cell, unless a line were longer than
 * the terminal: then the widest columns are cut, except the first, which has the key. Lines have no
 * trailing spaces.
 */
export const table = (header: ReadonlyArray<string>, rows: Rows, look: Look.Look) => {
  const head = header.map((name) => Look.faint(look, name));
  const cells = [head, ...rows.map((row) => row.map(drawn(look)))];
  const natural = header.map((_, at) =>
    cells.reduce((width, row) => Math.max(width, Look.width(row[at] ?? "")), 0),
  );
  const widths = Look.fitted(natural, look.columns - 2 * (header.length - 1));
  return cells.map((row) =>
    row
      .map((text, at) => Look.padded(text, widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};

/** Tab-separated lines for programs, without a header. */
export const plain = (rows: Rows) =>
  rows.map((row) => row.map(drawn(Look.plain)).map(cell).join("\t"));

const printAll = (lines: ReadonlyArray<string>) =>
  lines.length > 0 ? Console.log(lines.join("\n")) : Effect.void;

/** Prints a list: JSON with `--json`, else its rows. */
export const list = Effect.fnUntraced(function* (
  json: boolean,
  value: unknown,
  header: ReadonlyArray<string>,
  rows: Rows,
) {
  if (json) return yield* printAll([JSON.stringify(value, null, 2)]);
  const look = yield* Look.ofStdout;
  yield* printAll(look.isTerminal ? table(header, rows, look) : plain(rows));
});

/** Prints one value: JSON with `--json`, else the lines for people. */
export const one = Effect.fnUntraced(function* (
  json: boolean,
  value: unknown,
  lines: ReadonlyArray<string> | ((look: Look.Look) => ReadonlyArray<string>),
) {
  if (json) return yield* printAll([JSON.stringify(value, null, 2)]);
  yield* printAll(typeof lines === "function" ? lines(yield* Look.ofStdout) : lines);
});

/** Prints warnings on stderr. */
export const warnings = (texts: Iterable<string>) =>
  Effect.forEach(texts, (text) => Console.error(cell(text)), { discard: true });

/** On a terminal, reports on stderr that the command waits. `what` completes the sentence. */
export const waiting = Effect.fnUntraced(function* (what: string) {
  const stdio = yield* Stdio.Stdio;
  if (yield* stdio.stderrIsTerminal) yield* Console.error(cell(`Waiting ${what} ...`));
});

/** Makes a call, and reports that the command waits if the call takes longer than 2 seconds. */
export const waitingDuring = <A, E, R>(what: string, call: Effect.Effect<A, E, R>) =>
  waiting(what).pipe(
    Effect.delay("2 seconds"),
    Effect.forkScoped,
    Effect.andThen(call),
    Effect.scoped,
  );
