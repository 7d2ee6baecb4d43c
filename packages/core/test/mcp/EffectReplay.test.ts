import { assert, it } from "@effect/vitest";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect } from "effect";
import * as EffectReplay from "../../src/mcp/gateway/internal/EffectReplay.ts";

const plain = Fixtures.definition("pay");
const structured = Fixtures.definition("pay", { outputSchema: { type: "object" } });

it.effect("[tools.once.replay] a replay without its result says when it happened", () =>
  Effect.gen(function* () {
    const slot = yield* Fixtures.effectSlot({ state: "done", endedAt: Fixtures.at(1) });
    const { callId } = slot;
    const at = Fixtures.at(1);
    const _meta = { "quartermaster/replayed": { callId, at } };
    const sentence = `Carried out at ${at}; the result is no longer kept.`;
    assert.deepStrictEqual(EffectReplay.of(slot, null, plain), {
      content: [{ type: "text", text: sentence }],
      _meta,
    });
    assert.deepStrictEqual(EffectReplay.of(slot, null, structured), {
      content: [{ type: "text", text: `${sentence} Do not repeat it.` }],
      isError: true,
      _meta,
    });
  }).pipe(Effect.provide(SeededRandom.layer)),
);

it.effect("[effects.settle] the note of a settlement is the result of its call", () =>
  Effect.gen(function* () {
    const at = Fixtures.at(1);
    const settled = { by: Fixtures.alice, at, note: "Invoice 17 is paid." };
    const slot = yield* Fixtures.effectSlot({ state: "done", endedAt: at, settled });
    const _meta = { "quartermaster/replayed": { callId: slot.callId, at } };
    assert.deepStrictEqual(EffectReplay.of(slot, null, plain), {
      content: [{ type: "text", text: settled.note }],
      _meta,
    });
    const text = `Carried out at ${at}: ${settled.note} Do not repeat it.`;
    assert.deepStrictEqual(EffectReplay.of(slot, null, structured), {
      content: [{ type: "text", text }],
      isError: true,
      _meta,
    });
  }).pipe(Effect.provide(SeededRandom.layer)),
);
