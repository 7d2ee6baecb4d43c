import * as Timestamp from "../../Timestamp.ts";

/** When a failed attempt is repeated. */

const minute = 60;
const hour = 60 * minute;

/** The seconds between an attempt and the next one: ten attempts in 76 hours. */
const delays = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

const longestWait = 24 * hour;

/** The seconds that a receiver asked to wait, at most a day; 0 without a valid header. */
const askedFor = (retryAfter: string | null, now: Timestamp.Timestamp): number => {
  if (retryAfter === null) return 0;
  const text = retryAfter.trim();
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : (Date.parse(text) - Date.parse(now)) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), longestWait);
};

/**
 * When to try again after `attempts` attempts; null if they are used up. `spread` is a random number from 0 to 1,
 * so that receivers do not get everything again at the same time.
 */
export const next = (
  attempts: number,
  retryAfter: string | null,
  spread: number,
  now: Timestamp.Timestamp,
): Timestamp.Timestamp | null => {
  const delay = delays[attempts - 1];
  if (delay === undefined) return null;
  const seconds = Math.max(delay * (0.9 + 0.2 * spread), askedFor(retryAfter, now));
  return Timestamp.addSeconds(now, seconds);
};
