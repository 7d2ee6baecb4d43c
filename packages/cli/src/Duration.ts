import { DateTime, Effect, Option } from "effect";
import { usage } from "./CommandError.ts";

const units = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Parses `90`, `90s`, `5m` or `2h` to seconds; undefined for anything else. */
export const seconds = (text: string): number | undefined => {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text.trim());
  if (match === null) return undefined;
  const [, digits, unit = ""] = match;
  const factor = Object.entries(units).find(([name]) => name === unit)?.[1] ?? 1;
  return Number(digits) * factor;
};

/**
 * Converts the time of an option to the server's format: a duration from now, or an ISO 8601 time
 * in any form. Any other text is unchanged, and the server refuses it.
 */
export const timeFromNow = Effect.fnUntraced(function* (text: string) {
  const after = seconds(text);
  if (after !== undefined) {
    return DateTime.formatIso(DateTime.add(yield* DateTime.now, { seconds: after }));
  }
  const millis = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  return Number.isNaN(millis) ? text : new Date(millis).toISOString();
});

/** The same for a duration before now. */
export const timeBeforeNow = Effect.fnUntraced(function* (text: string) {
  const before = seconds(text);
  return before === undefined
    ? yield* timeFromNow(text)
    : DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { seconds: before }));
});

/** `timeBeforeNow` of an option that may be missing. */
export const givenTime = (given: Option.Option<string>) =>
  Option.isNone(given) ? Effect.undefined : timeBeforeNow(given.value);

/** Formats seconds for an option: as hours if they are whole hours, else as seconds. */
const text = (seconds: number): string =>
  seconds > 0 && seconds % 3_600 === 0 ? `${seconds / 3_600}h` : `${seconds}s`;

/** Parses an option that is a duration. Fails outside the limits, which are in seconds. */
export const option = (name: string, given: string, least: number, most: number) => {
  const value = seconds(given);
  return value !== undefined && value >= least && value <= most
    ? Effect.succeed(value)
    : Effect.fail(
        usage(
          `--${name} must be a duration from ${text(least)} to ${text(most)}, such as 90s, 5m or 2h, not ${JSON.stringify(given)}.`,
        ),
      );
};
