import { assert, describe, it } from "@effect/vitest";
import { Failures } from "../../src/mcp/connections/internal/Failures.ts";

const key = (serverId: string, generation: number, agentId: string | null = null) => ({
  serverId,
  generation,
  agentId,
});

describe("Failures", () => {
  it("[mcp.failures.delay] the first delay is half a second, and each further one is twice as long", () => {
    const failures = new Failures();
    assert.strictEqual(failures.delay(key("a", 1), 0), 0);
    for (const delay of [500, 1_000, 2_000, 4_000]) {
      assert.isFalse(failures.note(key("a", 1), 0));
      assert.strictEqual(failures.delay(key("a", 1), 0), delay);
      assert.strictEqual(failures.delay(key("a", 1), delay - 1), 1);
      assert.strictEqual(failures.delay(key("a", 1), delay + 5), 0);
    }
    assert.strictEqual(failures.delay(key("b", 1), 0), 0);
  });

  it("[mcp.failures.clock] A clock that is set back does not extend a delay", () => {
    const failures = new Failures();
    failures.note(key("a", 1), 100_000);
    assert.strictEqual(failures.delay(key("a", 1), 40_000), 500);
  });

  it("[mcp.failures.window] the fifth failure within a minute is the last; older ones do not count", () => {
    const failures = new Failures();
    const notes = [0, 1, 2, 3, 60_000, 60_001, 60_002, 60_003].map((now) =>
      failures.note(key("a", 1), now),
    );
    assert.deepStrictEqual(
      notes,
      notes.map(() => false),
    );
    assert.isFalse(failures.note(key("a", 1), 120_001));
    assert.isFalse(failures.note(key("a", 1), 120_001));
    assert.isTrue(failures.note(key("a", 1), 120_001));
  });

  it("[mcp.failures.generation] A changed server starts with no failures", () => {
    const failures = new Failures();
    for (const _ of [1, 2, 3, 4]) failures.note(key("a", 1), 0);
    assert.strictEqual(failures.delay(key("a", 2), 0), 0);
    assert.isFalse(failures.note(key("a", 2), 0));
    assert.strictEqual(failures.delay(key("a", 2), 0), 500);
  });

  it("[mcp.failures.in-vain] the fifth attempt in a row without a connection is the last", () => {
    const failures = new Failures();
    const hour = 3_600_000;
    for (const hours of [0, 1, 2, 3]) {
      assert.isFalse(failures.noteUnopened(key("a", 1), hours * hour));
      assert.strictEqual(failures.delay(key("a", 1), hours * hour), 500 * 2 ** hours);
    }
    failures.opened(key("a", 1));
    assert.strictEqual(failures.delay(key("a", 1), 4 * hour), 0);
    for (const hours of [4, 5, 6, 7])
      assert.isFalse(failures.noteUnopened(key("a", 1), hours * hour));
    assert.isFalse(failures.noteUnopened(key("a", 2), 8 * hour));
    for (const hours of [9, 10, 11])
      assert.isFalse(failures.noteUnopened(key("a", 2), hours * hour));
    assert.isTrue(failures.noteUnopened(key("a", 2), 12 * hour));
  });
});
