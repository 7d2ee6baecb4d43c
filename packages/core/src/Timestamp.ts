import { DateTime, Effect, Option, Schema, SchemaTransformation } from "effect";

/**
 * A moment as domain, storage and wire write it: ISO 8601, UTC, milliseconds
 * (`2026-11-21T03:04:05.678Z`). It sorts as text.
 */
export const Timestamp = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, {
    expected: "an ISO 8601 moment in UTC with milliseconds, such as 2026-11-21T03:04:05.678Z",
  }),
);
export type Timestamp = string;

/** The present moment by the `Clock`. */
export const now: Effect.Effect<Timestamp> = Effect.map(DateTime.now, DateTime.formatIso);

/** The moment `seconds` after `from`; negative for before. */
export const addSeconds = (from: Timestamp, seconds: number): Timestamp =>
  DateTime.formatIso(DateTime.add(DateTime.makeUnsafe(from), { seconds }));

/**
 * A moment as a caller may write it: ISO 8601 with `Z` or an offset, of any precision; kept as a
 * `Timestamp`.
 */
export const TimestampInput = Schema.String.pipe(
  Schema.decodeTo(
    Timestamp,
    SchemaTransformation.transform({
      decode: (text) =>
        /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
          ? Option.match(DateTime.make(text), { onNone: () => text, onSome: DateTime.formatIso })
          : text,
      encode: (moment) => moment,
    }),
  ),
);
