import type { StatsWindow } from "../data/stats.ts";

export const windowNames: Readonly<Record<StatsWindow, string>> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
};

const number = new Intl.NumberFormat();

export const count = (value: number): string => number.format(value);

/** Narrows a number. The generated type also allows strings such as `NaN`, which the server never sends. */
export const numberOf = (value: number | string | null): number | null =>
  typeof value === "number" ? value : null;

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
] as const;

/** A duration from seconds, to two digits: `40s`, `5.2m`, `3.1h`. A dash if there is none. */
export const duration = (value: number | string | null): string => {
  const seconds = numberOf(value);
  if (seconds === null) return "–";
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? ["s", 1];
  const amount = seconds / length;
  return `${amount < 10 && unit !== "s" ? amount.toFixed(1).replace(/\.0$/, "") : Math.round(amount)}${unit}`;
};

/** A readable duration from milliseconds. A dash if there is none. */
export const millis = (value: number | string | null): string => {
  const time = numberOf(value);
  if (time === null) return "–";
  return time < 1_000 ? `${Math.round(time)} ms` : `${(time / 1_000).toFixed(1)} s`;
};

const hour = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" });

/** The label of an hour or a day, given its start. Days are in UTC. */
export const bucketName = (at: string, bucket: "hour" | "day"): string =>
  (bucket === "hour" ? hour : day).format(new Date(at));
