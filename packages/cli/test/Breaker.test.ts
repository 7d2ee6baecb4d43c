import { assert, describe, it } from "@effect/vitest";
import { Breaker } from "../src/work/Breaker.ts";
import { limitIn } from "../src/work/Limits.ts";

const start = Date.UTC(2026, 10, 23, 10, 0);
const minute = 60_000;
const quick = (runId: string) => ({ runId, after: 1_000, cause: null });

describe("Breaker", () => {
  it("[runner.breaker] opens at the third quick failure in a row, waits 1, 5, 15 and then every 30 minutes, and tries one issue", () => {
    const breaker = new Breaker(3);
    assert.isFalse(breaker.failed(quick("a"), start));
    assert.isFalse(breaker.failed(quick("b"), start));
    assert.isNull(breaker.halt(start));
    assert.isTrue(breaker.failed(quick("c"), start));
    // A command that failed before it could be stopped belongs to the same halt.
    assert.isFalse(breaker.failed(quick("d"), start));
    const halt = breaker.halt(start);
    assert.strictEqual(halt?.capacity, 0);
    assert.deepStrictEqual(halt?.halted.runs, ["a", "b", "c", "d"]);
    assert.strictEqual(halt?.halted.until, "2026-11-23T10:01:00.000Z");
    let now = start;
    for (const [wait, next] of [
      [1, 5],
      [5, 15],
      [15, 30],
      [30, 30],
    ] as const) {
      assert.strictEqual(breaker.halt(now + wait * minute - 1)?.capacity, 0);
      now += wait * minute;
      assert.strictEqual(breaker.halt(now)?.capacity, 1);
      assert.isTrue(breaker.failed(quick("e"), now));
      assert.strictEqual(
        breaker.halt(now)?.halted.until,
        new Date(now + next * minute).toISOString(),
      );
    }
    breaker.halt(now + 30 * minute);
    assert.isTrue(breaker.worked());
    assert.isNull(breaker.halt(now));
    assert.isFalse(breaker.failed(quick("f"), now));
    assert.isFalse(breaker.failed(quick("g"), now));
  });

  it("[runner.breaker] a success, or a failure after a minute, starts the count again, and off never opens", () => {
    const breaker = new Breaker(2);
    breaker.failed(quick("a"), start);
    assert.isFalse(breaker.worked());
    breaker.failed(quick("b"), start);
    assert.isFalse(breaker.failed({ runId: "c", after: minute + 1, cause: null }, start));
    assert.isFalse(breaker.failed(quick("d"), start));
    assert.isTrue(breaker.failed(quick("e"), start));
    const off = new Breaker(Infinity);
    for (let count = 0; count < 10; count += 1) assert.isFalse(off.failed(quick("a"), start));
  });

  it("[runner.breaker] a usage limit opens immediately, until the time that it names", () => {
    const breaker = new Breaker(3);
    const until = start + 90 * minute;
    assert.isTrue(
      breaker.failed({ ...quick("a"), cause: { reason: "A usage limit", until } }, start),
    );
    assert.deepStrictEqual(breaker.halt(start), {
      capacity: 0,
      halted: { reason: "A usage limit", until: new Date(until).toISOString(), runs: ["a"] },
    });
  });
});

describe("Limits", () => {
  const local = (hours: number, minutes = 0, days = 0) =>
    new Date(2026, 10, 23 + days, hours, minutes).getTime();
  const now = local(12);

  it("[runner.breaker] the messages of hosts about limits and logins are known, with the time of the reset", () => {
    for (const [output, until] of [
      ["Claude AI usage limit reached|1795000000", 1_795_000_000_000],
      ["5-hour limit reached ∙ resets 3pm", local(15)],
      ["You've hit your session limit · resets 2:30am (Europe/Berlin)", local(2, 30, 1)],
      ["You've hit your limit · resets 4:50pm (Europe/Rome)", local(16, 50)],
      ["You've hit your Opus limit", null],
      ["You've hit your weekly limit · resets Nov 25 at 12am (Asia/Tokyo)", local(0, 0, 2)],
      ["Weekly limit reached ∙ resets Jan 30, 11:30am", new Date(2027, 0, 30, 11, 30).getTime()],
      ["You've hit your limit · resets Nov 23, 11am", local(11)],
      [
        "You've hit your usage limit. Upgrade, or try again at Dec 5th, 2026 8:19 PM.",
        new Date(2026, 11, 5, 20, 19).getTime(),
      ],
      [
        "You've hit your usage limit. Upgrade, or try again in 2 days 3 hours.",
        now + 51 * 3_600_000,
      ],
      ["ERROR: You’ve hit your usage limit. Try again in 1h 5m", now + 65 * minute],
      ["Quota exceeded for quota metric 'Gemini 2.5 Pro Requests'", null],
      ["429 RESOURCE_EXHAUSTED", null],
      ["Credit balance is too low", null],
    ] as const) {
      const limit = limitIn(`some text\n${output}\nmore`, now);
      assert.include(limit?.reason, "A usage limit is reached: ", output);
      assert.strictEqual(limit?.until, until, output);
    }
    for (const output of [
      "Not logged in · Please run /login",
      "Invalid API key · Please run /login",
      "Please set an Auth method in your settings.json",
      "OAuth token has expired",
    ]) {
      assert.deepStrictEqual(limitIn(output, now), {
        reason: `The command is not signed in: ${output}`,
        until: null,
      });
    }
  });

  it("[runner.breaker] the output of other failures names no limit", () => {
    for (const output of [
      "",
      "2 tests failed",
      "rate limits of the API are documented",
      "login.ts",
    ]) {
      assert.isNull(limitIn(output, now));
    }
  });
});
