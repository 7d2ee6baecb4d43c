import { assert, it } from "@effect/vitest";
import { scene } from "./Scene.ts";

it("[cli.exit] as processes, commands read a pipe and the environment, and exit with their code", async () => {
  const { admin, bot, editor, world } = await scene();
  const { id } = await world.issue();
  const [attached, nothing, installed] = await Promise.all([
    editor.execute(["issue", "attach", id, "-", "--name", "notes.txt"], "0123456789"),
    bot.execute(["work", "next"]),
    admin.execute(["server", "install", "test-wiki", "--env", "WIKI_TOKEN=MINE"], "", {
      MINE: "a secret",
    }),
  ]);
  assert.deepStrictEqual(
    [attached.code, nothing.code, installed.code],
    [0, 3, 0],
    attached.stderr + nothing.stderr + installed.stderr,
  );
  const list = await world.call("GET", `/api/projects/issues/${id}/attachments`);
  assert.strictEqual(list.body[0].size, 10);
  assert.strictEqual(nothing.stdout, "");
  assert.include(nothing.stderr, "(nothing)");
  assert.match(installed.stdout, /^mcp_\w+\n$/);
});
