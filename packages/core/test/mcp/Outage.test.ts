import { assert, describe, it } from "@effect/vitest";
import { Outage } from "@quartermaster/core";

const at = (time: string) => `2026-11-22T${time}.000Z`;

describe("Outage", () => {
  it("[mcp.outage.clock] a time to try again that is more than 6 minutes ahead is due", () => {
    const now = Date.parse(at("12:00:00"));
    assert.strictEqual(Outage.millisLeft(at("12:05:00"), now), 300_000);
    assert.strictEqual(Outage.millisLeft(at("12:06:00"), now), 360_000);
    assert.strictEqual(Outage.millisLeft(at("12:06:01"), now), 0);
    assert.strictEqual(Outage.millisLeft(at("11:59:59"), now), 0);
  });

  it.each([
    [
      "12:00:00",
      "12:00:40",
      "12:00:52",
      "(40 s); it is tried again at 2026-11-22T12:00:52Z (in 12 s)",
    ],
    [
      "12:00:00",
      "12:01:59",
      "12:02:00",
      "(119 s); it is tried again at 2026-11-22T12:02:00Z (in 1 s)",
    ],
    [
      "12:00:00",
      "12:02:59",
      "12:07:00",
      "(2 min); it is tried again at 2026-11-22T12:07:00Z (in 4 min)",
    ],
    ["12:00:00", "15:10:00", null, "(3 h); it is tried again with the next call"],
    ["12:00:00", "12:00:30", "12:00:30", "(30 s); it is tried again now"],
    [
      "12:00:30",
      "12:00:00",
      "12:00:30",
      "(0 s); it is tried again at 2026-11-22T12:00:30Z (in 30 s)",
    ],
  ])("[mcp.outage.sentence] since %s, at %s, until %s: %s", (since, now, retryAt, text) => {
    const retry = { since: at(since), retryAt: retryAt === null ? null : at(retryAt) };
    assert.strictEqual(
      Outage.describe(retry, at(now)),
      `not reachable since 2026-11-22T${since}Z ${text}`,
    );
  });
});
