import { Timestamp } from "@quartermaster/core";
import { always, and, type Clause, clause, raw } from "../sql/Clause.ts";

/** Timestamps from `from` on and before `to`; an absent end is open. */
export interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type Unit = "day" | "month";

/** The length of a day or a month as text, such as `2026-11-25` or `2026-11`. */
const lengths: Readonly<Record<Unit, number>> = { day: 10, month: 7 };

const startOf = (unit: Unit, at: string): string =>
  `${at.slice(0, lengths[unit])}${unit === "day" ? "" : "-01"}T00:00:00.000Z`;

const startAfter = (unit: Unit, at: string): string =>
  startOf(unit, Timestamp.addSeconds(startOf(unit, at), (unit === "day" ? 1 : 31) * 86_400));

/** The whole days or months of a range, and what is left at its ends. */
export const split = (
  unit: Unit,
  { from, to }: Range,
): { readonly whole: ReadonlyArray<Range>; readonly rest: ReadonlyArray<Range> } => {
  const first = from === undefined || from === startOf(unit, from) ? from : startAfter(unit, from);
  const end = to === undefined ? undefined : startOf(unit, to);
  if (first !== undefined && end !== undefined && first >= end) {
    return { whole: [], rest: [{ from, to }] };
  }
  const ends = [
    { from, to: first },
    { from: end, to },
  ];
  return { whole: [{ from: first, to: end }], rest: ends.filter((some) => some.from !== some.to) };
};

/** Restricts a column of timestamps, or of days or months, to a range. */
export const within = (column: string, { from, to }: Range, unit?: Unit): Clause => {
  const length = unit === undefined ? undefined : lengths[unit];
  return and([
    from === undefined ? always : clause`${raw(column)} >= ${from.slice(0, length)}`,
    to === undefined ? always : clause`${raw(column)} < ${to.slice(0, length)}`,
  ]);
};
