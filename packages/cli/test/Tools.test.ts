import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import { assertFields } from "../../http/test/support/Assert.ts";
import { tool } from "../../http/test/support/Servers.ts";
import { scene } from "./Scene.ts";

describe("quartermaster tool", () => {
  it("[cli.tool] an agent searches, reads and calls its tools, and an Admin names the agent", async () => {
    const { admin, bot, folder, world } = await scene();
    world.server.tools = [tool("add", { description: "Adds two numbers. Slowly." }), tool("find")];
    await world.usableTool();
    const name = "test-tool__add";
    assert.strictEqual(
      await bot.text(["tool", "search", "two", "numbers"]),
      `${name}\tAdds two numbers.`,
    );
    const described = await admin.text(["tool", "describe", name, "--agent", "bot"]);
    assert.include(described, `${name}\nAdds two numbers. Slowly.\n`);
    assert.include(described, '"type": "object"');
    const file = join(folder, "arguments.json");
    await writeFile(file, '{"text": "from a file"}');
    const given = [
      ["--arguments", '{"text": "an option"}'],
      ["--file", file],
      ["--arguments", "-"],
    ];
    for (const more of given) await bot.text(["tool", "call", name, ...more], '{"text": "stdin"}');
    assert.deepStrictEqual(
      world.server.calls.map(({ args }) => args),
      [{ text: "an option" }, { text: "from a file" }, { text: "stdin" }],
    );
    const result = await admin.json("tool", "call", name, "--agent", "bot");
    assertFields(result, { isError: false });
  });

  it("[cli.tool.person] a person's command is not a sign of life of the agent", async () => {
    const { admin, bot, editor, world } = await scene();
    await world.usableTool();
    await world.admin("PUT", "/api/agents/bot", { body: {} });
    const seen = async () => (await world.admin("GET", "/api/agents/bot")).body.lastHeartbeatAt;
    assert.isNull(await seen());
    const name = "test-tool__add";
    for (const person of [admin, editor]) {
      await person.text(["tool", "search", "--agent", "bot", "add"]);
      await person.text(["tool", "describe", "--agent", "bot", name]);
      await person.text(["tool", "call", "--agent", "bot", name]);
    }
    assert.isNull(await seen());
    assert.notInclude((await world.admin("GET", "/api/events?limit=500")).text, "key.created");
    await bot.text(["tool", "search", "add"]);
    while ((await seen()) === null) await new Promise((resolve) => setImmediate(resolve));
  });

  it("[cli.tool] a missing tool is not found, and a tool's error is exit code 2", async () => {
    const { admin, bot, editor, world } = await scene();
    await world.usableTool();
    world.server.onCall = () =>
      Effect.succeed({
        content: [{ type: "text", text: "No \u001b[31mpaper" }],
        isError: true,
      });
    const [missing, failed, editors, nobody, invalid, list] = await Promise.all([
      bot.run(["tool", "describe", "test-tool__nothing"]),
      bot.run(["tool", "call", "test-tool__add"]),
      editor.run(["tool", "search", "add"]),
      admin.run(["tool", "search", "add"]),
      bot.run(["tool", "call", "test-tool__add", "--arguments", "[]"]),
      bot.run(["tool", "search", "add", "--limit", "0"]),
    ]);
    assert.deepStrictEqual(
      [missing, failed, editors, nobody, invalid, list].map(({ code }) => code),
      [3, 2, 1, 1, 1, 2],
    );
    assert.include(missing.stderr, "(not-found)");
    assert.strictEqual(failed.stdout, "No  [31mpaper\n");
    assert.include(failed.stderr, "test-tool__add reported an error");
    assert.include(editors.stderr, "name the agent with --agent");
  });
});
