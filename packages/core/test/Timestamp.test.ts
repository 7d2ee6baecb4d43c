import { assert, describe, it } from "@effect/vitest";
import { Input, Timestamp } from "@quartermaster/core";
import { Effect } from "effect";

const decode = Input.decoder(Timestamp.TimestampInput);

describe("timestamps in requests", () => {
  it.effect(
    "[timestamp.input] ISO 8601 with Z or an offset, of any precision, decodes to UTC",
    () =>
      Effect.gen(function* () {
        for (const [written, kept] of [
          ["2026-11-21T03:04:05.678Z", "2026-11-21T03:04:05.678Z"],
          ["2026-11-21T03:04:05Z", "2026-11-21T03:04:05.000Z"],
          ["2026-11-21T03:04Z", "2026-11-21T03:04:00.000Z"],
          ["2026-11-21T03:04:05.678901Z", "2026-11-21T03:04:05.678Z"],
          ["2026-11-21T03:04:05+05:30", "2026-11-20T21:34:05.000Z"],
          ["2028-02-29T23:00:00-02:00", "2028-03-01T01:00:00.000Z"],
        ] as const) {
          assert.strictEqual(yield* decode(written), kept);
        }
      }),
  );

  it.effect("[timestamp.invalid] text that is not a timestamp is refused", () =>
    Effect.gen(function* () {
      for (const written of [
        "",
        "now",
        "2026-11-21",
        "2026-11-21T03:04:05",
        "2026-11-21 03:04:05Z",
        "2026-02-30T00:00:00Z",
        "2027-02-29T00:00:00.000Z",
        "2026-13-01T00:00:00.000Z",
        "2026-13-45T99:99:99.999Z",
        "2026-11-21T25:00:00Z",
        "2026-11-21T03:04:05+99:99",
        "0000-01-01T00:00:00+12:00",
        1_000,
        null,
      ]) {
        assert.strictEqual(
          (yield* Effect.flip(decode(written)))._tag,
          "InvalidRequest",
          String(written),
        );
      }
    }),
  );

  it("[timestamp.add] addSeconds adds and subtracts seconds", () => {
    assert.strictEqual(
      Timestamp.addSeconds("2026-12-31T23:59:59.500Z", 1),
      "2027-01-01T00:00:00.500Z",
    );
    assert.strictEqual(
      Timestamp.addSeconds("2027-01-01T00:00:00.000Z", -1),
      "2026-12-31T23:59:59.000Z",
    );
  });
});
