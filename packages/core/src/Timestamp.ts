import { Clock, DateTime, Effect, Option, Schema, SchemaTransformation } from "effect";

/**
 * A moment as domain, storage and wire write it: ISO 8601, UTC, milliseconds
 * (`2026-11-21T03:04:05.678Z`). It sorts as text.
 */
export const Timestamp = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, {
    expected: "an ISO 8601 moment in UTC with milliseconds, such as 2026-11-21T03:04:05.678Z",
  }),
).annotate({ format: "date-time" });
export type Timestamp = string;

/** The moment that was written last: a request asks several times within a millisecond. */
let last = { millis: 0, text: new Date(0).toISOString() };

/** The moment of a `Clock`'s milliseconds. */
export const ofMillis = (millis: number): Timestamp => {
  if (millis !== last.millis) last = { millis, text: new Date(millis).toISOString() };
  return last.text;
};

/** The present moment by the `Clock`. */
export const now: Effect.Effect<Timestamp> = Effect.map(Clock.currentTimeMillis, ofMillis);

/** The moment `seconds` after `from`; negative for before. */
export const addSeconds = (from: Timestamp, seconds: number): Timestamp =>
  DateTime.formatIso(DateTime.add(DateTime.makeUnsafe(from), { seconds }));

const written = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** The moment that was written, or nothing: also of a day that its month does not have. */
const read = (text: string): Option.Option<DateTime.DateTime> => {
  const [, day] = written.exec(text) ?? [];
  return day !== undefined &&
    Option.exists(DateTime.make(`${day}T00:00:00Z`), (start) =>
      DateTime.formatIso(start).startsWith(day),
    )
    ? DateTime.make(text)
    : Option.none();
};

/**
 * A moment as a caller may write it: ISO 8601 with `Z` or an offset, of any precision; kept as a
 * `Timestamp`.
 */
export const TimestampInput = Schema.String.pipe(
  Schema.decodeTo(
    Timestamp,
    SchemaTransformation.transform({
      decode: (text) => Option.match(read(text), { onNone: () => "", onSome: DateTime.formatIso }),
      encode: (moment) => moment,
    }),
  ),
);
