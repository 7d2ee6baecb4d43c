import { Console, Effect, Stdio } from "effect";
import { CliOutput } from "effect/cli";

/** Output formats: one JSON document, tables for people, or plain lines for pipes. */

type Cell = string | number | boolean | null | undefined;

/** Untrusted text on one line. Control characters are replaced: they could manipulate the terminal. */
export const cell = (value: Cell): string =>
  // oxlint-disable-next-line no-control-regex -- these are the characters to replace
  String(value ?? "").replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ");

/** Untrusted text on several lines. */
export const multiline = (text: string): string => text.split(/\r?\n/).map(cell).join("\n");

/** A table for a terminal. Columns are as wide as their widest cell; lines have no trailing spaces. */
export const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>) => {
  const cells = [header, ...rows.map((row) => row.map(cell))];
  const widths = header.map((_, at) =>
    cells.reduce((width, row) => Math.max(width, CliOutput.displayWidth(row[at] ?? "")), 0),
  );
  const pad = (text: string, width: number) =>
    text + " ".repeat(Math.max(0, width - CliOutput.displayWidth(text)));
  return cells.map((row) =>
    row
      .map((text, at) => pad(text, widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};

/** Tab-separated lines for programs, without a header. */
export const plain = (rows: ReadonlyArray<ReadonlyArray<Cell>>) =>
  rows.map((row) => row.map(cell).join("\t"));

const printAll = (lines: ReadonlyArray<string>) =>
  lines.length > 0 ? Console.log(lines.join("\n")) : Effect.void;

/** Prints a list: JSON with `--json`, else its rows. */
export const list = Effect.fnUntraced(function* (
  json: boolean,
  value: unknown,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
) {
  if (json) return yield* printAll([JSON.stringify(value, null, 2)]);
  const stdio = yield* Stdio.Stdio;
  yield* printAll((yield* stdio.stdoutIsTerminal) ? table(header, rows) : plain(rows));
});

/** Prints one value: JSON with `--json`, else the lines for people. */
export const one = (json: boolean, value: unknown, lines: ReadonlyArray<string>) =>
  printAll(json ? [JSON.stringify(value, null, 2)] : lines);
