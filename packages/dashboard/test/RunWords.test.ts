import { assert, describe, it } from "@effect/vitest";
import { phaseOf, stateAt } from "../src/data/runWords.ts";

const expiresAt = Date.parse("2026-01-01T12:00:00.000Z");

const run = (status: "active" | "stopping" | "ended", stopReason: "paused" | null = null) => ({
  leaseExpiresAt: new Date(expiresAt).toISOString(),
  outcome: null,
  status,
  stopReason,
});

describe("the words for a run", () => {
  it("[page.run.overdue] an active run is overdue from the end of its lease", () => {
    assert.strictEqual(stateAt(run("active"), expiresAt - 1).text, "Running");
    assert.strictEqual(phaseOf(run("active"), expiresAt), "overdue");
    assert.deepStrictEqual(stateAt(run("active"), expiresAt + 14 * 60_000), {
      text: "Lease expired 14m ago; the next heartbeat picks it up",
      tone: "warning",
      why: null,
    });
  });

  it("[page.run.overdue] a run that did not confirm its stop is over at the end of its lease", () => {
    assert.strictEqual(stateAt(run("stopping", "paused"), expiresAt - 1).text, "Stopping");
    assert.strictEqual(phaseOf(run("stopping", "paused"), expiresAt), "over");
    assert.deepStrictEqual(stateAt(run("stopping", "paused"), expiresAt), {
      text: "Stopped",
      why: "the issue was paused",
    });
    assert.strictEqual(phaseOf(run("ended"), expiresAt - 1), "over");
  });
});
