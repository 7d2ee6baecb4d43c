import { assert, describe, it } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Effect } from "effect";
import { tool } from "../../http/test/support/Servers.ts";
import { scene } from "./Scene.ts";

describe("quartermaster effects", { timeout: 90_000 }, () => {
  it("[cli.effects] effects lists the effects of an issue, settles one, and starts over", async () => {
    const { bot, editor, world } = await scene();
    world.server.tools = [tool("pay")];
    const id = await world.usableTool();
    await world.admin("PUT", world.at(id), { body: { once: [{ tools: ["pay"] }] } });
    const { issueId, runId } = await world.running("bot");
    const call = (text: string) =>
      bot.run(["tool", "call", "test-tool__pay", "--arguments", JSON.stringify({ text })], "", {
        QM_RUN_ID: runId,
      });
    assert.strictEqual(await editor.text(["effects", "list", issueId]), "");

    world.server.onCall = () =>
      Effect.fail(new McpConnector.RpcError({ code: -32_603, message: "Lost." }));
    await call("one");
    await call("two");
    world.server.onCall = () => Effect.succeed({ content: [{ type: "text", text: "Paid." }] });
    await call("three");
    const list = await editor.json("effects", "list", issueId);
    const states = list.map(({ state }: { readonly state: string }) => state);
    assert.deepStrictEqual(states.toSorted(), ["done", "unknown", "unknown"]);
    const [first, second] = list.filter(
      ({ state }: { readonly state: string }) => state === "unknown",
    );
    const done = (await editor.text(["effects", "list", issueId]))
      .split("\n")
      .find((line) => line.includes("\tdone\t"));
    assert.match(
      done ?? "",
      new RegExp(`^call_.*Z\tdone\t1\t1\ttest-tool__pay\t${runId}\tPaid\\.$`),
    );
    assert.lengthOf(
      (await editor.text(["effects", "list", issueId, "--limit", "1"])).split("\n"),
      1,
    );

    const settle = (callId: string, happened: string, ...more: ReadonlyArray<string>) =>
      editor.run(
        ["effects", "settle", issueId, callId, "--happened", happened, ...more],
        "Seen.\n",
      );
    const early = await settle(first.callId, "false", "--note", "Not there.");
    assert.strictEqual(early.code, 2);
    assert.include(early.stderr, "may still carry the call out");
    const settled = await settle(first.callId, "true", "--note", "-");
    assert.strictEqual(settled.code, 0, settled.stderr);
    assert.include(settled.stdout, `${first.callId} is done.`);
    const other = await settle(second.callId, "TRUE", "--note", "Seen.", "--json");
    assert.deepInclude(JSON.parse(other.stdout), { state: "done", summary: "Seen." });
    for (const wrong of [["perhaps", "--note", "x"], ["true"]]) {
      assert.strictEqual((await settle(first.callId, ...(wrong as [string]))).code, 1);
    }

    const sent = world.server.calls.length;
    const replay = await call("one");
    assert.include(replay.stdout, "Seen.");
    assert.lengthOf(world.server.calls, sent);
    const refused = await bot.run(["effects", "reset", issueId]);
    assert.strictEqual(refused.code, 2, refused.stderr);
    await editor.text(["effects", "reset", issueId]);
    await call("one");
    assert.lengthOf(world.server.calls, sent + 1);
    const [newest] = await editor.json("effects", "list", issueId);
    assert.deepInclude(newest, { cycle: 2, state: "done" });
  });
});
