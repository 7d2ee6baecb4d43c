import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Deferred, Effect } from "effect";
import { secret, tool } from "../../http/test/support/Servers.ts";
import * as Program from "../../server/test/support/Program.ts";
import { scene } from "./Scene.ts";

describe("quartermaster server", () => {
  it("[cli.server] a server is installed, verified, enabled, granted, updated and uninstalled", async () => {
    const { admin, world } = await scene();
    const { text } = admin;
    const entries = (await text(["server", "catalog"])).split("\n");
    assert.isTrue(entries.some((line) => line.startsWith("test-tool\t")));
    assert.include(await text(["server", "catalog", "test-wiki"]), "WIKI_TOKEN (required)");
    world.script("tool").tools = [tool("add"), tool("find")];
    const limits = ["--max-result-bytes", "1000", "--idle", "0"];
    const id = await text(["server", "install", "test-tool", "--name", "tools", ...limits]);
    assert.match(id, /^mcp_[0-9A-Z]{26}$/);
    assert.include(await text(["server", "verify", "tools"]), "\nadd\nfind");
    assert.strictEqual(await text(["server", "enable", "tools"]), `${id} tools enabled`);
    const only = await text(["server", "grant", "tools", "bot", "--tool", "add"]);
    assert.strictEqual(only, "bot granted: add");
    assert.include(await text(["server", "grant", id, "bot", "--all-tools"]), "all tools");
    const limited = ["--read-only", "--calls-per-minute", "10", "--concurrency", "2"];
    assert.strictEqual(
      await text(["server", "grant", "tools", "bot", ...limited]),
      "bot granted: all tools that only read; 10 calls per minute; 2 in flight",
    );
    const free = ["--no-read-only", "--calls-per-minute", "0", "--concurrency", "0"];
    assert.strictEqual(
      await text(["server", "grant", "tools", "bot", ...free]),
      "bot granted: all tools",
    );
    await world.callTool("bot", { name: "tools__add" });
    const calls = await text(["server", "calls", "--server", "tools", "--agent", "bot"]);
    assert.match(calls, new RegExp(`^\\S+\tbot\ttools\tadd\tok\t\\d+$`));
    assert.strictEqual(await text(["server", "calls", "tools"]), calls);
    world.script("tool").onCall = () =>
      Effect.succeed({ content: [{ type: "text", text: "No such list." }], isError: true });
    await world.callTool("bot", { name: "tools__find" });
    assert.match(
      await text(["server", "calls", "tools"]),
      /^\S+\tbot\ttools\tfind\terror\t\d+\tNo such list\.$/m,
    );

    world.script("tool").tools = [tool("add", { description: "Other" })];
    await text(["server", "verify", "tools"]);
    assert.match(
      await text(["server", "list"]),
      new RegExp(`^tools\tenabled\ttest-tool\t.*\t${id}$`),
    );
    const states = await text(["server", "tools", "tools"]);
    assert.deepStrictEqual(states.split("\n").toSorted(), [
      "add\tchanged\tOther",
      "find\tgone\tDoes find",
    ]);
    assert.include(await text(["server", "accept", "tools"]), "add\tchanged\tOther");
    assert.strictEqual(await text(["server", "tools", "tools"]), "add\taccepted\tOther");

    const once = ["--once", "none", "--once-errors", "unknown", "--settle", "person"];
    const covered = ["--once", "add=/a,/b~1c", "--once", "pay_*", ...once.slice(2)];
    const set = await admin.run(["server", "update", "tools", ...covered, "--json"]);
    assert.deepInclude(JSON.parse(set.stdout), {
      once: [{ tools: ["add"], by: ["/a", "/b~1c"] }, { tools: ["pay_*"] }],
      onceErrors: "unknown",
      settle: "person",
    });
    assert.strictEqual(await text(["server", "tools", "tools"]), "add\taccepted\tOther\tonce");
    const recording = ["--send-context=false", "--record-calls", "none"];
    const recorded = await admin.run(["server", "update", "tools", ...recording, "--json"]);
    assert.deepInclude(JSON.parse(recorded.stdout), { sendContext: false, recordCalls: "none" });
    await text(["server", "update", "tools", ...once]);
    assert.strictEqual(await text(["server", "tools", "tools"]), "add\taccepted\tOther");

    assert.strictEqual(await text(["server", "revoke", "tools", "bot"]), "bot revoked");
    assert.include(await text(["server", "disable", "tools"]), "disabled");
    assert.include(await text(["server", "update", "tools", "--name", "other"]), "other disabled");
    const { stdout } = await admin.run(["server", "update", "other", "--idle", "60", "--json"]);
    assert.deepInclude(JSON.parse(stdout), { maxResultBytes: 1_000, idleSeconds: 60 });
    assert.strictEqual((await admin.run(["server", "uninstall", "other"])).code, 1);
    await text(["server", "uninstall", "other", "--yes"]);
    const missing = await admin.run(["server", "verify", "other"]);
    assert.strictEqual(missing.code, 3);
    assert.include(missing.stderr, 'No server is called "other".');
  });

  it("[cli.server.accept] tools are accepted as --dry-run printed them, blocked and unblocked", async () => {
    const { admin, editor, world } = await scene();
    const { run, text } = admin;
    world.script("tool").tools = [tool("add"), tool("find")];
    await text(["server", "install", "test-tool", "--name", "tools"]);
    await text(["server", "verify", "tools"]);
    assert.strictEqual(await text(["server", "accept", "tools"]), "");
    const states = async () => (await text(["server", "tools", "tools"])).split("\n");

    world.script("tool").tools = [tool("add", { description: "Other" }), tool("more")];
    await text(["server", "verify", "tools"]);
    const { stderr, stdout } = await run(["server", "accept", "tools", "--dry-run"]);
    const printed = ["add\tchanged\tOther", "more\tnew\tDoes more", "find\tgone\tDoes find"];
    assert.deepStrictEqual(stdout.trimEnd().split("\n"), printed);
    const digest = /--digest ([0-9a-f]{64})$/.exec(stderr.trimEnd())?.[1] ?? "";
    assert.deepStrictEqual(await states(), printed);
    const ofList = await admin.json("server", "accept", "tools", "--dry-run");
    assert.deepInclude(ofList, { toolsDigest: digest, accepted: false });

    world.script("tool").tools = [tool("add", { description: "Evil" }), tool("more")];
    await text(["server", "verify", "tools"]);
    const stale = await run(["server", "accept", "tools", "--digest", digest]);
    assert.strictEqual(stale.code, 2);
    assert.include(stale.stderr, "no longer as they were shown");
    assert.include(await states(), "add\tchanged\tEvil");
    world.script("tool").tools = [tool("add", { description: "Other" }), tool("more")];
    await text(["server", "verify", "tools"]);
    await text(["server", "accept", "tools", "--digest", digest, "--tool", "more"]);
    assert.deepStrictEqual(await states(), [
      "add\tchanged\tOther",
      "more\taccepted\tDoes more",
      "find\tgone\tDoes find",
    ]);
    await text(["server", "accept", "tools", "--digest", digest]);
    assert.deepStrictEqual(await states(), ["add\taccepted\tOther", "more\taccepted\tDoes more"]);
    assert.strictEqual((await run(["server", "accept", "tools", "--tool", "no"])).code, 3);

    world.script("tool").instructions = "Add first.";
    await text(["server", "verify", "tools"]);
    await text(["server", "accept", "tools", "--tool", "add"]);
    const told = "(instructions)\tnew\tAdd first.";
    assert.strictEqual(await text(["server", "accept", "tools", "--dry-run"]), told);
    assert.strictEqual(await text(["server", "accept", "tools"]), told);
    assert.strictEqual(await text(["server", "accept", "tools"]), "");

    const blocked = await text(["server", "block", "tools", "more", "later"]);
    assert.strictEqual(blocked, "more\tblocked\tDoes more\nlater\tblocked\t".trimEnd());
    const unblocked = await text(["server", "unblock", "tools", "more", "later"]);
    assert.strictEqual(unblocked, "more\taccepted\tDoes more");
    assert.strictEqual((await editor.run(["server", "block", "tools", "more"])).code, 2);
    assert.strictEqual((await run(["server", "block", "tools"])).code, 1);
  });

  it("[cli.server.out] a server that does not start, an Editor's key and an unchanged update are refused", async () => {
    const { admin, editor, world } = await scene();
    await admin.text(["server", "install", "test-tool"]);
    const missing = new McpConnector.ConnectorError({
      reason: "spawnFailed",
      message: "It is not there.",
      sent: false,
    });
    world.script("tool").onConnect = missing;
    const [failed, editors, unchanged] = await Promise.all([
      admin.run(["server", "verify", "test-tool", "--json"]),
      editor.run(["server", "list"]),
      admin.run(["server", "update", "test-tool"]),
    ]);
    assert.deepStrictEqual([failed.code, editors.code, unchanged.code], [2, 2, 1]);
    assert.strictEqual(JSON.parse(failed.stdout).status, "error");
    const note = async () => (await admin.text(["server", "list"])).split("\t")[4];
    assert.match((await note()) ?? "", /^down since \S+Z, verify or enable it$/);
    world.script("tool").onConnect = Effect.void;
    await admin.text(["server", "enable", "test-tool"]);
    world.script("tool").onConnect = missing;
    await admin.run(["server", "verify", "test-tool"]);
    assert.match((await note()) ?? "", /^down since \S+Z, next attempt \S+Z$/);
    assert.include(failed.stderr, "could not be verified");
    assert.include(editors.stderr, "(forbidden)");
  });

  it("[cli.server.progress] on a terminal, a verify shows the preparation of the package", async () => {
    const { admin, world } = await scene();
    await admin.text(["server", "install", "test-notes", "--env", "NOTES_KEY"], "", {
      NOTES_KEY: secret,
    });
    const gate = Deferred.makeUnsafe<void>();
    world.scripted.packages.onPrepare = () => Deferred.await(gate);
    const shown: Array<string> = [];
    const { code, stdout } = await Program.run(["server", "verify", "test-notes"], {
      env: { QM_URL: world.url, QM_KEY: world.keys.admin.key },
      terminal: (line) => {
        shown.push(line);
        Deferred.doneUnsafe(gate, Effect.void);
      },
    });
    assert.deepStrictEqual(shown, ["Preparing @example/notes@1.2.3 ..."]);
    assert.strictEqual(code, 0);
    assert.include(stdout, "Responded in");
  });

  it("[cli.values] values come from a variable, a file or stdin, and no output contains them", async () => {
    const { admin, folder } = await scene();
    const file = join(folder, "token");
    await writeFile(file, `${secret}\n`);
    const isSet = async (id: string) =>
      Object.fromEntries(
        (await admin.json("server", "list"))
          .find((server: { readonly id: string }) => server.id === id)
          .env.map(({ isSet, name }: { readonly isSet: boolean; readonly name: string }) => [
            name,
            isSet,
          ]),
      );
    const install = (...args: ReadonlyArray<string>) => ["server", "install", ...args];
    const byVariable = await admin.text(install("test-wiki", "--env", "WIKI_TOKEN=MINE"), "", {
      MINE: secret,
    });
    const byFile = await admin.text(install("test-wiki", "--file", `WIKI_TOKEN=${file}`));
    const values = JSON.stringify({ WIKI_TOKEN: secret, SPACE: "team" });
    const byStdin = await admin.text(install("test-wiki", "--values", "-"), values);
    for (const id of [byVariable, byFile, byStdin]) {
      assert.isTrue((await isSet(id))["WIKI_TOKEN"]);
    }
    await admin.text(["server", "update", byStdin, "--unset", "SPACE"]);

    const wrong = await Promise.all([
      admin.run(install("test-wiki", "--env", `WIKI_TOKEN=${secret}`)),
      admin.run(install("test-wiki", "--file", `WIKI_TOKEN=${secret}`)),
      admin.run(install("test-wiki", "--file", secret)),
      admin.run(install("test-wiki", "--values", "-"), `{"WIKI_TOKEN": "${secret}"`),
      admin.run(install("test-wiki", "--values", "-", "--file", "SPACE=-"), values),
      admin.run(install("test-wiki")),
    ]);
    assert.deepStrictEqual(
      wrong.map(({ code }) => code),
      [1, 1, 1, 1, 1, 2],
    );
    for (const { stderr, stdout } of wrong) assert.notInclude(stdout + stderr, secret);
  });

  it("[cli.server] a client's configuration is imported, without its other settings", async () => {
    const { admin, as, world } = await scene();
    const configuration = {
      theme: "dark",
      mcpServers: {
        mine: { command: "npx", args: ["-y", "@nobody/unknown"] },
      },
    };
    const table = await admin.text(["server", "import", "-"], JSON.stringify(configuration));
    assert.match(table, /^mine\tskipped\t\t\S+/);
    const toml =
      '[mcp_servers.mine]\ncommand = "npx"\nargs = ["@example/unknown"]\n[tui]\ntheme = 1';
    assert.strictEqual(await admin.text(["server", "import", "-"], toml), table);
    const registry = {
      name: "io.github.ada/weather",
      version: "1.0.0",
      icons: [],
      remotes: [{ type: "sse", url: "https://weather.example/sse" }],
    };
    const created = await as(world.keys.owner.key).text(
      ["server", "import", "-"],
      JSON.stringify(registry),
    );
    assert.match(created, /^io\.github\.ada\/weather\tcreated\tweather\t/);
    for (const text of ["[tui", "[tui]", `mcp_servers = "${secret}"`]) {
      const { code, stderr } = await admin.run(["server", "import", "-"], text);
      assert.strictEqual(code, 1);
      assert.notInclude(stderr, secret);
    }
    const wrong = await admin.run(["server", "import", "-"], "{}");
    assert.strictEqual(wrong.code, 1);
    assert.include(wrong.stderr, "no mcpServers, servers or mcp_servers, and is not a server.json");
  });
});
