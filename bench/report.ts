import { cpus } from "node:os";

/** The measured values as a table, each with the target that it must meet. */

export interface Target {
  readonly limit: number;
  /** The comparison of the value with the limit. */
  readonly is: "atLeast" | "atMost" | "below";
}

export interface Line {
  readonly cells: ReadonlyArray<string>;
  /** The measured value. A line without a target is only informative. */
  readonly value?: number | undefined;
  readonly target?: Target | undefined;
}

export interface Table {
  readonly title: string;
  readonly columns: ReadonlyArray<string>;
  readonly lines: ReadonlyArray<Line>;
}

const signs = { atLeast: "≥", atMost: "≤", below: "<" } as const;

const isMet = (value: number, { limit, is }: Target) => {
  if (is === "atLeast") return value >= limit;
  return is === "atMost" ? value <= limit : value < limit;
};

/** True if the line's value meets its target; false for NaN. */
export const passes = ({ value, target }: Line): boolean =>
  target === undefined || (value !== undefined && isMet(value, target));

const judged = (line: Line) => {
  if (line.target === undefined) return ["", ""];
  return [`${signs[line.target.is]} ${line.target.limit}`, passes(line) ? "met" : "MISSED"];
};

export const print = ({ title, columns, lines }: Table) => {
  const head = [...columns, "target", ""];
  const rows = lines.map((line) => [...line.cells, ...judged(line)]);
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const row = (cells: ReadonlyArray<string>) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  console.log(`\n${title}\n`);
  console.log(row(head));
  console.log(row(widths.map((width) => "-".repeat(width))));
  for (const cells of rows) console.log(row(cells));
};

export const printMachine = () =>
  console.log(`${cpus().length} CPUs, Node ${process.versions.node}`);

/** Prints the current step on a separate line. On a terminal the next step replaces the line. */
export const progress = (text: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  else process.stderr.write(`${text}\n`);
};

export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

export const count = (number: number) => Math.round(number).toLocaleString("en-US");
export const ms = (number: number) => `${number.toFixed(number < 10 ? 2 : 1)} ms`;
export const mib = (number: number) => `${number.toFixed(1)} MiB`;
export const ratio = (number: number) => number.toFixed(2);
