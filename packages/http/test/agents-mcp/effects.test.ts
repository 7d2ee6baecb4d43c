import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest";
import { ExactNumbers, McpConnector } from "@quartermaster/core";
import { Fixtures } from "@quartermaster/testing";
import { Effect } from "effect";
import { assertProblem } from "../support/Assert.ts";
import * as EffectCalls from "../support/EffectCalls.ts";
import * as World from "../support/World.ts";

let world: World.World;
let serverId: string;

const update = async (body: object) => {
  const updated = await world.admin("PUT", world.at(serverId), { body });
  assert.strictEqual(updated.status, 200, updated.text);
};

beforeAll(async () => {
  world = await World.start();
  serverId = await world.usableTool();
  await update({ once: [{ tools: ["add"] }] });
});
afterEach(() => update({ settle: null, onceErrors: null }));
afterAll(() => world.close());

const { call, replayOf, running, send, textOf } = EffectCalls;

const receipts = () => {
  world.server.calls.length = 0;
  let n = 0;
  world.server.onCall = () =>
    Effect.sync(() => ({ content: [{ type: "text", text: `receipt ${(n += 1)}` }] }));
};

const numbers = (json: string) => ExactNumbers.parse(json) as Record<string, unknown>;

const loseReplies = () => {
  world.server.calls.length = 0;
  world.server.onCall = () =>
    Effect.fail(
      new McpConnector.ConnectorError({ reason: "closed", message: "Gone.", sent: true }),
    );
};

describe("effects over HTTP", () => {
  for (const road of ["REST", "2026-07-28", "2025-11-25"]) {
    it(`[effects.http.name] ${road}: a named effect is sent once, also in the same run, and again after a failure`, async () => {
      const { runId } = await running(world);
      receipts();
      const named = { runId, effect: "invoice-7", args: { amount: 7 } };
      const first = await call(world, road, named);
      assert.strictEqual(textOf(first), "receipt 1");
      assert.isUndefined(replayOf(first));
      const again = await call(world, road, named);
      assert.strictEqual(textOf(again), "receipt 1");
      assert.match(replayOf(again)?.callId ?? "", /^call_/);
      world.server.onCall = () => Effect.succeed({ content: [], isError: true });
      const other = { ...named, effect: "invoice-8" };
      assert.isTrue((await call(world, road, other)).isError);
      receipts();
      assert.strictEqual(textOf(await call(world, road, other)), "receipt 1");
      assert.lengthOf(world.server.calls, 1);
    });

    it(`[effects.identity] ${road}: a number that a double would change reaches the server as it is, and is another effect`, async () => {
      const { runId } = await running(world);
      receipts();
      const of = (json: string) => call(world, road, { runId, args: numbers(json) });
      const text = '{"id":9007199254740993,"in":[{"a":1234567890123456789}]}';
      await of(text);
      await of('{"id":9007199254740992}');
      const [first, second] = world.server.calls;
      assert.strictEqual(JSON.stringify(first?.args), text);
      assert.deepStrictEqual(second?.args, { id: 9007199254740992 });
      const named = (json: string) =>
        send(world, road, { runId, effect: "invoice-9", args: numbers(json) });
      await named('{"id":9007199254740993}');
      const { body } = await named('{"id":9007199254740992}');
      assert.include(JSON.stringify(body), "idempotency-mismatch");
    });

    it(`[effects.http.mismatch] ${road}: other arguments under the same name are refused`, async () => {
      const { runId } = await running(world);
      receipts();
      await call(world, road, { runId, effect: "invoice-7", args: { amount: 7 } });
      const { body, status } = await send(world, road, {
        runId,
        effect: "invoice-7",
        args: { amount: 8 },
      });
      assert.lengthOf(world.server.calls, 1);
      if (road === "REST") {
        assert.strictEqual(status, 422);
        assert.strictEqual(body.type, "urn:quartermaster:problem:idempotency-mismatch");
      } else {
        assert.isTrue(body.result.isError);
        assert.include(body.result.content[0].text, "idempotency-mismatch");
        assert.include(body.result.content[0].text, "Use another name.");
      }
    });

    it(`[effects.http.unknown] ${road}: a call whose reply was lost is refused until it is settled`, async () => {
      const { effects, runId, settle } = await running(world);
      loseReplies();
      await send(world, road, { runId });
      const { body, status } = await send(world, road, { runId });
      const [{ callId, sentAt, state }] = await effects();
      assert.strictEqual(state, "unknown");
      assert.lengthOf(world.server.calls, 1);
      const text = `Not sent: ${runId} sent this call at ${sentAt.slice(11, 19)} and its reply was lost. Look whether it happened, then call effect_settle with callId ${callId} and happened true or false.`;
      if (road === "REST") {
        assert.strictEqual(status, 409);
        assert.deepInclude(body, { reason: "effectUnknown", callId });
      } else {
        assert.isTrue(body.result.isError);
        assert.strictEqual(body.result.content[0].text, `[Quartermaster] ${text}`);
      }
      const settled = await settle(callId, { happened: true, note: "It is in the ledger" });
      assert.strictEqual(settled.status, 200, settled.text);
      assert.strictEqual(settled.body.state, "done");
      assert.include(textOf(await call(world, road, { runId })), "It is in the ledger");
      assert.lengthOf(world.server.calls, 1);
    });
  }

  it("[effects.http.settle] an effect is settled once; a person corrects the settlement until a call has used it", async () => {
    const { effects, runId, settle } = await running(world);
    loseReplies();
    await send(world, "REST", { runId });
    const [{ callId }] = await effects();
    const yes = { happened: true, note: "Seen" };
    const early = await settle(callId, { happened: false, note: "Not there" });
    assertProblem(early, 409, "effect-open", { retryAt: String });
    const byAgent = await settle(callId, yes, world.agent.key);
    assert.strictEqual(byAgent.status, 200, byAgent.text);
    assertProblem(await settle(callId, yes, world.agent.key), 409, "effect-settled", {
      state: "done",
    });
    assert.strictEqual((await settle(callId, { ...yes, note: "In the ledger" })).status, 200);
    assert.include(textOf(await call(world, "REST", { runId })), "In the ledger");
    assertProblem(await settle(callId, yes), 409, "effect-settled", { state: "done" });
  });

  it("[effects.http.settle] a call that failed and was sent again under another id is effect-settled", async () => {
    const { effects, runId, settle } = await running(world);
    world.server.onCall = () => Effect.succeed({ content: [], isError: true });
    await send(world, "REST", { runId });
    const [{ callId: first }] = await effects();
    await send(world, "REST", { runId });
    const [{ callId: second }, ...others] = await effects();
    assert.deepStrictEqual([first === second, others], [false, []]);
    const yes = { happened: true, note: "Seen" };
    for (const key of [undefined, world.agent.key]) {
      assertProblem(await settle(first, yes, key), 409, "effect-settled", { state: "failed" });
    }
    const other = await running(world);
    assertProblem(await other.settle(first, yes), 404, "not-found", {
      resource: "effect",
      id: first,
    });
  });

  it("[effects.http.person] with settle person, an agent settles nothing; no agent starts over", async () => {
    await update({ settle: "person" });
    const { effects, reset, runId, settle } = await running(world);
    loseReplies();
    await send(world, "2026-07-28", { runId });
    const [{ callId }] = await effects();
    const yes = { happened: true, note: "Seen" };
    const byAgent = await settle(callId, yes, world.agent.key);
    assertProblem(byAgent, 403, "forbidden", { requiredRole: null });
    assert.include(byAgent.text, "Only people settle calls of this server.");
    assert.strictEqual((await settle(callId, yes, world.keys.viewer.key)).status, 403);
    assert.strictEqual((await settle(callId, yes)).status, 200);
    receipts();
    assert.strictEqual((await reset(world.agent.key)).status, 403);
    assert.include(textOf(await call(world, "REST", { runId, effect: "a" })), "receipt 1");
    assert.strictEqual((await reset()).status, 204);
    const again = await call(world, "REST", { runId, effect: "a" });
    assert.strictEqual(textOf(again), "receipt 2");
    assert.deepStrictEqual(
      (await effects()).map(({ cycle, n }: { cycle: number; n: number }) => [cycle, n]),
      [
        [2, 1],
        [1, 1],
        [1, 1],
      ],
    );
  });

  it("[effects.http.result] a result above 256 KiB is replayed as a sentence with its size", async () => {
    const { runId } = await running(world);
    const text = "x".repeat(300_000);
    world.server.onCall = () => Effect.succeed({ content: [{ type: "text", text }] });
    const named = { runId, effect: "large" };
    assert.strictEqual(textOf(await call(world, "REST", named)), text);
    assert.match(
      textOf(await call(world, "REST", named)),
      /result of 300\d{3} bytes was too large/,
    );
  });

  it("[effects.http.result] a result that cannot satisfy the output schema is an error that says not to repeat the call", async () => {
    const { runId } = await running(world);
    const outputSchema = { type: "object", properties: { id: { type: "string" } } };
    world.server.tools = [Fixtures.definition("add", { outputSchema })];
    await world.act(serverId, "verify");
    const accepted = await world.admin("POST", world.at(serverId, "/verify?accept=true"));
    assert.strictEqual(accepted.status, 200, accepted.text);
    const structuredContent = { id: "x".repeat(300_000) };
    world.server.onCall = () => Effect.succeed({ content: [], structuredContent });
    const named = { runId, effect: "structured" };
    await call(world, "REST", named);
    const again = await call(world, "REST", named);
    assert.isTrue(again.isError);
    assert.match(textOf(again), /^Carried out at .*Do not repeat it\.$/);
    assert.isDefined(replayOf(again));
  });
});
