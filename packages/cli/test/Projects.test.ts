import { assert, describe, it } from "@effect/vitest";
import { assertFields } from "../../http/test/support/Assert.ts";
import { home } from "./Command.ts";
import { scene } from "./Scene.ts";

describe("quartermaster project and use", { timeout: 60_000 }, () => {
  it("[cli.project] projects are created, listed, shown, paused, resumed and deleted", async () => {
    const { admin, editor } = await scene();
    const create = ["project", "new", "roofs", "--name", "The roofs", "--prefix", "ROOF"];
    assert.strictEqual(await admin.text(create), "roofs");
    assert.include((await admin.run(create)).stderr, "(exists)");
    const key = await editor.text(["new", "--project", "roofs", "Mend"]);
    assert.strictEqual(key, "ROOF-1");
    assert.match(
      await editor.text(["project", "ls"]),
      /^roofs\tROOF\tactive\t1\t0\t0\t\S+Z\tThe roofs$/m,
    );
    assert.match(
      await editor.text(["project", "show", "roofs"]),
      /^roofs {2}ROOF {2}active {2}The/,
    );
    assert.include(await editor.text(["project", "pause", "roofs"]), "paused");
    assertFields(await editor.json("project", "show", "roofs"), { id: "roofs", paused: true });
    assert.include(await editor.text(["project", "resume", "roofs"]), "active");
    // Neither creates a misspelled project.
    assert.strictEqual((await editor.run(["project", "pause", "rofs"])).code, 3);
    assert.strictEqual((await editor.run(["use", "rofs"])).code, 3);
    assert.notMatch(await editor.text(["project", "ls"]), /^rofs/m);
    const remove = ["project", "delete", "roofs"];
    assert.include((await admin.run(remove)).stderr, "Confirm with --yes.");
    assert.include((await admin.run([...remove, "--yes"])).stderr, "(in-use)");
    await editor.text(["issue", "delete", key, "--yes"]);
    assert.strictEqual((await editor.run([...remove, "--yes"])).code, 2);
    assert.strictEqual((await admin.run([...remove, "--yes"])).code, 0);
    assert.strictEqual((await admin.run(["project", "show", "roofs"])).code, 3);
  });

  it("[cli.use] the default project applies to commands without --project, at its server only", async () => {
    const { bot, editor, world } = await scene();
    const first = await editor.text(["new", "--project", "roofs", "Mend"]);
    const second = await editor.text(["new", "--project", "walls", "Paint"]);
    const missing = await editor.run(["new", "Sweep"]);
    assert.strictEqual(missing.code, 1);
    assert.include(missing.stderr, "`quartermaster use PROJECT`");
    assert.strictEqual(
      await editor.text(["use", "roofs"]),
      `Commands use the project roofs at ${world.url}.`,
    );
    const third = await editor.text(["new", "Sweep"]);
    assert.strictEqual(third, "ROOFS-2");
    const keysOf = async (...args: ReadonlyArray<string>) =>
      (await editor.text(["ls", ...args])).split("\n").map((line) => line.split("\t")[0]);
    assert.deepStrictEqual(await keysOf(), [third, first]);
    assert.deepStrictEqual(await keysOf("--status", "OPEN"), [third, first]);
    assert.deepStrictEqual(await keysOf("--project", "walls"), [second]);
    assert.deepStrictEqual(await keysOf("--all-projects"), [third, second, first]);
    assert.strictEqual((await editor.run(["ls", "--all-projects", "--project", "a"])).code, 1);
    assert.include(await editor.text(["show", third.toLowerCase()]), "Sweep");
    // A run works on its own issue, and another server has other projects.
    const { key } = await world.issue({ assignedAgentId: "bot" });
    const { run } = await bot.json("work", "next");
    const list = ["ls", "--status", "InProgress"];
    assert.strictEqual(await bot.text(list), "");
    assert.include(await bot.text(list, "", { QM_RUN_ID: run.runId }), String(key));
    const elsewhere = await editor.run(["use"], "", {
      QM_URL: world.url.replace("127.0.0.1", "localhost"),
    });
    assert.include(elsewhere.stdout, "Commands use all projects.");
    await editor.text(["use", "--none"]);
    assert.deepStrictEqual(await keysOf(), [key, third, second, first]);
  });

  it("[cli.ask] a question and a run are named by the key of their issue", async () => {
    const { bot, editor, world } = await scene();
    const { key } = await world.issue({ assignedAgentId: "bot", title: "Mend" });
    const runId = (await bot.json("work", "next")).run.runId;
    assert.include(await editor.text(["run", "show", String(key)]), runId);
    assert.strictEqual((await editor.run(["ask", "answer", String(key), "Yes"])).code, 3);
    await editor.text(["ask", "Slates?", "--issue", String(key)]);
    assert.include(await editor.text(["ask", "answer", String(key), "Yes"]), "answered");
    await editor.text(["ask", "Nails?", "--issue", String(key)]);
    await editor.text(["ask", "Glue?", "--issue", String(key)]);
    const several = await editor.run(["ask", "answer", String(key), "Yes"]);
    assert.include(several.stderr, "has several open questions");
    const none = await editor.run(["run", "log", String((await world.issue())["key"])]);
    assert.strictEqual(none.code, 3);
  });

  it("[cli.help] the main help has the flags of all commands, and no other help has", async () => {
    const { run } = await home();
    const main = (await run(["--help"])).stdout;
    const list = (await run(["ls", "--help"])).stdout;
    for (const flag of ["--url", "--key-file", "--json", "--no-color"]) {
      assert.lengthOf(main.split(`${flag} `), 2, flag);
      assert.notInclude(list, `${flag} `);
    }
    assert.include(list, "`quartermaster --help` explains the flags that all commands have.");
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await run(["--completions", shell]);
      assert.strictEqual(code, 0);
      for (const word of ["project", "all-projects"]) assert.include(stdout, word);
    }
  });
});
