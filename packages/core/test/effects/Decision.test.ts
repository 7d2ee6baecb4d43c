import { assert, describe, it } from "@effect/vitest";
import { EffectDecision, EffectSlot } from "@quartermaster/core";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;
const now = at(30);

const slot = (
  state: EffectSlot.EffectState,
  n: number,
  overrides: Partial<EffectSlot.EffectSlot> = {},
): EffectSlot.EffectSlot => ({
  issueId: "iss_1",
  cycle: 1,
  identity: "identity",
  n,
  callId: `call_${n}`,
  runId: "run_1",
  serverId: "srv_1",
  server: "bank",
  tool: "pay",
  name: null,
  arguments: "x",
  state,
  sentAt: at(0),
  endedAt: null,
  until: at(40),
  node: "node_1",
  delivered: [],
  earlier: [],
  delivering: null,
  settled: null,
  result: null,
  summary: null,
  ...overrides,
});

const used = { delivered: [{ runId: "run_2", at: at(10) }] };
const byOther = { delivered: [{ runId: "run_1", at: at(10) }] };

const decide = (
  slots: ReadonlyArray<EffectSlot.EffectSlot>,
  overrides: Partial<EffectDecision.AskedEffect> = {},
): string => {
  const asked = { runId: "run_2", cycle: 1, name: null, arguments: "x", resumedAt: null };
  const decision = EffectDecision.decide(slots, { ...asked, ...overrides }, now);
  return "slot" in decision
    ? `${decision.kind} ${decision.slot.cycle}.${decision.slot.n}`
    : `${decision.kind} ${decision.n}`;
};

describe("The decision on an equal call", () => {
  it("[effects.decision] a slot is refused, awaited, replayed, sent again or new, in this order", () => {
    for (const [expected, slots] of [
      ["sendNew 1", []],
      ["unknown 1.4", [slot("done", 1), slot("failed", 2), slot("sent", 3), slot("unknown", 4)]],
      ["wait 1.3", [slot("done", 1), slot("failed", 2), slot("sent", 3)]],
      ["wait 1.1", [slot("sent", 1, { runId: "run_2" })]],
      ["unknown 1.1", [slot("sent", 1, { until: now })]],
      ["replay 1.2", [slot("failed", 1), slot("done", 2), slot("done", 3)]],
      ["replay 1.2", [slot("done", 1, used), slot("done", 2, byOther)]],
      ["sendAgain 1.2", [slot("done", 1, used), slot("failed", 2), slot("failed", 3)]],
      ["sendNew 3", [slot("done", 1, used), slot("done", 2, used)]],
    ] as const) {
      assert.strictEqual(decide(slots), expected);
    }
  });

  it("[effects.decision] only slots in flight or unknown of earlier cycles count", () => {
    const second = { cycle: 2 };
    assert.strictEqual(decide([slot("unknown", 1)], second), "unknown 1.1");
    assert.strictEqual(decide([slot("sent", 1)], second), "wait 1.1");
    assert.strictEqual(decide([slot("done", 1), slot("failed", 2)], second), "sendNew 1");
    assert.strictEqual(
      decide([slot("done", 7), slot("failed", 1, second)], second),
      "sendAgain 2.1",
    );
  });

  it("[effects.decision] after a resume, slots that were used before it count as unused", () => {
    const slots = [slot("done", 1, used)];
    assert.strictEqual(decide(slots, { resumedAt: at(10) }), "replay 1.1");
    assert.strictEqual(decide(slots, { resumedAt: at(9) }), "sendNew 2");
  });

  it("[effects.decision] a slot whose result is on its way to the run is awaited until the node was killed", () => {
    const delivering = (runId: string, until: string) =>
      slot("done", 1, { delivering: { runId, until } });
    assert.strictEqual(decide([delivering("run_2", at(31))]), "wait 1.1");
    assert.strictEqual(decide([delivering("run_2", now)]), "replay 1.1");
    assert.strictEqual(decide([delivering("run_1", at(31))]), "replay 1.1");
    const name = "order-7";
    assert.strictEqual(decide([{ ...delivering("run_2", at(31)), name }], { name }), "replay 1.1");
  });

  it("[effects.decision] a name has one slot in its cycle, for the same arguments", () => {
    const name = "order-7";
    assert.strictEqual(decide([slot("done", 1, { name, ...used })], { name }), "replay 1.1");
    assert.strictEqual(decide([slot("failed", 1, { name })], { name }), "sendAgain 1.1");
    for (const state of EffectSlot.EffectState.literals) {
      const other = { name, arguments: "y" };
      assert.strictEqual(decide([slot(state, 1, { name })], other), "mismatch 1.1");
    }
    assert.strictEqual(
      decide([slot("done", 1, { name })], { name, cycle: 2, arguments: "y" }),
      "sendNew 1",
    );
  });

  it("[effects.decision] a late result ends no slot that was settled", () => {
    const settled = { by: { type: "User", id: "ada" }, at: at(20), note: "seen" } as const;
    assert.isTrue(EffectSlot.mayEnd(slot("sent", 1)));
    assert.isTrue(EffectSlot.mayEnd(slot("unknown", 1)));
    assert.isFalse(EffectSlot.mayEnd(slot("done", 1)));
    assert.isFalse(EffectSlot.mayEnd(slot("failed", 1, { settled })));
    assert.isTrue(EffectSlot.isCorrectable(slot("done", 1, { settled, ...used })));
    const after = { delivered: [{ runId: "run_2", at: at(21) }] };
    assert.isFalse(EffectSlot.isCorrectable(slot("done", 1, { settled, ...after })));
    assert.isFalse(EffectSlot.isCorrectable(slot("done", 1)));
  });
});
