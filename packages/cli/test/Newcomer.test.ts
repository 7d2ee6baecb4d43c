import { assert, describe, it } from "@effect/vitest";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";
import { scene } from "./Scene.ts";

describe("quartermaster for newcomers", () => {
  it("[cli.exit] wrong usage prints short errors to stderr, and nothing to stdout", async () => {
    const { run } = await home();
    const results = await Promise.all([
      run(["issue", "create"]),
      run(["whoami", "--colour"]),
      run(["isue"]),
      run(["issue", "link", "iss_1", "before", "iss_2"]),
      run(["work", "--agent", "bot"]),
    ]);
    for (const { code, stderr, stdout } of results) {
      assert.deepStrictEqual([code, stdout], [1, ""]);
      assert.isAtMost(stderr.split("\n").length, 8);
      assert.match(stderr, /^Usage: quartermaster /m);
      assert.include(stderr, "--help` explains it.");
    }
    assert.include(results[0]?.stderr, "Missing required argument: title");
    assert.include(results[0]?.stderr, "`quartermaster issue create --help`");
  });

  it("[cli.exit] a key that is not accepted is reported in terms of the command line", async () => {
    const [world, { run }] = await Promise.all([World.forTest(), home()]);
    const wrong = await run(["whoami", "--url", world.url], { QM_KEY: "qm_wrong" });
    assert.strictEqual(wrong.code, 4, wrong.stderr);
    assert.include(wrong.stderr, `Run \`quartermaster login ${world.url}\``);
    assert.notInclude(wrong.stderr, "Bearer");
    // The command sends none of these keys, so its messages do not mention a server.
    for (const key of ["two\nlines", "schlüssel"]) {
      const { code, stderr } = await run(["login", "http://127.0.0.1:9"], {}, key);
      assert.strictEqual(code, 4, stderr);
      assert.include(stderr, "The key has characters that no key has");
      assert.notInclude(stderr, "127.0.0.1");
    }
  });

  it("[cli.bridge] the bridge uses the login, and explains how to log in without one", async () => {
    const [world, { run }] = await Promise.all([World.forTest(), home()]);
    const nobody = await run(["mcp"]);
    assert.strictEqual(nobody.code, 4);
    assert.include(nobody.stderr, "Run `quartermaster login");
    await run(["login", world.url], { QM_KEY: world.agent.key });
    assert.deepStrictEqual(await run(["mcp"]), { code: 0, stdout: "", stderr: "" });
  });

  it("[cli.not-before] --not-before takes a duration, a date, a time of any zone, and none", async () => {
    const { editor, world } = await scene();
    const { id } = await world.issue();
    const deferred = async (text: string) =>
      (await editor.json("issue", "edit", id, "--not-before", text)).notBefore;
    assert.strictEqual(await deferred("2099-01-01"), "2099-01-01T00:00:00.000Z");
    assert.strictEqual(await deferred("2099-01-01T02:00:00+02:00"), "2099-01-01T00:00:00.000Z");
    const { notBefore, updatedAt } = await editor.json("issue", "edit", id, "--not-before", "2h");
    assert.closeTo(Date.parse(notBefore) - Date.parse(updatedAt), 7_200_000, 60_000);
    assert.isNull(await deferred("none"));
    const wrong = await editor.run(["issue", "edit", id, "--not-before", "tomorrow"]);
    assert.strictEqual(wrong.code, 2);
    const project = await editor.run(["issue", "create", "--project", "a b", "x"]);
    assert.include(project.stderr, "and not . or ..)");
  });
});
