import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import * as World from "../../http/test/support/World.ts";
import * as Look from "../src/Look.ts";
import { home } from "./Command.ts";
import * as Pty from "./Pty.ts";
import { scene } from "./Scene.ts";

const title = "Ask the roofer whether the slates of the north side hold for another winter";

/** A world with a run whose issue has a long title and a question. */
const withIssues = async () => {
  const { admin, editor, folder, world } = await scene();
  const { issueId, runId } = await world.running("worker");
  await world.call("PUT", `/api/projects/issues/${issueId}`, { body: { title } });
  await world.call("POST", `/api/projects/issues/${issueId}/questions`, {
    body: { prompt: `${title}?` },
  });
  return {
    admin,
    editor,
    folder,
    runId,
    world,
    env: { QM_URL: world.url, QM_KEY: world.keys.editor.key, HOME: folder },
  };
};

/** The same with a browser that only notes what it opens. */
const withBrowser = async () => {
  const issues = await withIssues();
  const browser = join(issues.folder, "browser");
  const opened = join(issues.folder, "opened");
  await writeFile(browser, `#!/bin/sh\necho "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`);
  await chmod(browser, 0o700);
  return {
    ...issues,
    env: { ...issues.env, BROWSER: browser },
    /** The target that the browser opened. It may start after the command has ended. */
    browsed: () => vi.waitFor(async () => (await readFile(opened, "utf8")).trim(), 20_000),
  };
};

describe.skipIf(!Pty.hasTerminal)("on a terminal, which needs python3", { timeout: 60_000 }, () => {
  it("[cli.terminal] tables fit into 80 columns, with colors, whole keys and relative times", async () => {
    const { env, runId } = await withIssues();
    const lists = [["ls"], ["ask", "ls"], ["status"], ["events", "--since", "5m"]];
    for (const args of lists) {
      const { code, lines, text } = await Pty.run(80, args, env);
      assert.strictEqual(code, 0, text);
      for (const line of lines) assert.isAtMost(Look.width(line), 80, line);
      assert.include(text, "…", args.join(" "));
      assert.match(text, /P1-1\b/, args.join(" "));
    }
    const issues = await Pty.run(80, ["ls"], env);
    assert.include(issues.text, "\u001b[36mInProgress\u001b[0m");
    assert.include(issues.lines[0], "KEY");
    const runs = await Pty.run(80, ["run", "ls"], env);
    assert.match(runs.text, /now|\ds ago/);
    assert.include(runs.text, runId);
    const wide = await Pty.run(200, ["ls"], env);
    assert.include(wide.text, title);
  });

  it("[cli.terminal.names] an issue has the keys of its links and the names of people on a terminal, and ids in a pipe", async () => {
    const { editor, env, world } = await withIssues();
    const blocker = (await world.call("GET", "/api/projects/issues/P1-1")).body;
    const body = { title: "Order the slates", blockedByIssueId: "P1-1" };
    const { key } = (await world.call("POST", "/api/projects/p1/issues", { body })).body;
    await world.as(world.keys.editor.key)("POST", `/api/projects/issues/${key}/comments`, {
      body: { content: "Forty of them" },
    });
    const shown = await Pty.run(80, ["show", key], env);
    for (const line of shown.lines) assert.isAtMost(Look.width(line), 80, line);
    assert.match(shown.text, /BlockedBy .*P1-1.*InProgress.* Ask the roofer/);
    assert.match(shown.text, /by \w+/);
    assert.match(shown.text, /you, (now|\ds ago):/);
    assert.notMatch(shown.text, /iss_|key_/);
    assert.include(await editor.text(["show", key]), `BlockedBy ${blocker.id} (incoming, lnk_`);
    for (const args of [
      ["issue", "log", key],
      ["comment", "ls", key],
      ["inbox", "ls"],
    ]) {
      const list = await Pty.run(80, args, env);
      assert.notMatch(list.text, /key_|qst_/, args.join(" "));
    }
    const why = await Pty.run(80, ["issue", "why", key], env);
    assert.notMatch(why.text, /\dT\d/);
  });

  it("[cli.terminal] NO_COLOR and --no-color print no colors, also in the help", async () => {
    const { env } = await withIssues();
    const results = await Promise.all([
      Pty.run(80, ["ls", "--no-color"], env),
      Pty.run(80, ["ls"], { ...env, NO_COLOR: "1" }),
      Pty.run(80, ["--help", "--no-color"], env),
    ]);
    for (const { code, text } of results) {
      assert.strictEqual(code, 0, text);
      assert.notInclude(text, "\u001b[");
    }
    assert.include(results[0]?.text, "…");
  });

  it("[cli.terminal] a command that waits says so", async () => {
    const { env, runId, world } = await withIssues();
    const bot = { ...env, QM_KEY: world.agent.key };
    const next = await Pty.run(80, ["work", "next", "--wait", "1s"], bot);
    assert.include(next.text, "Waiting up to 1s for an issue of bot ...");
    const finish = `/api/agents/worker/runs/${runId}/finish`;
    const following = await Pty.run(80, ["run", "log", runId, "-f"], env, (text) => {
      if (text.includes("Waiting"))
        void world.call("POST", finish, { body: { outcome: "review" } });
    });
    assert.strictEqual(following.text, "Waiting for the log of worker ...\n");
  });

  it("[cli.open] run open prints an address and gives it to the browser", async () => {
    const { browsed, env, folder, runId, world } = await withBrowser();
    const { code, text } = await Pty.run(80, ["run", "open", "P1-1"], env);
    assert.deepStrictEqual([code, text.trim()], [0, `${world.url}/runs/${runId}`]);
    assert.strictEqual(await browsed(), `${world.url}/runs/${runId}`);
    const none = await Pty.run(80, ["run", "open", runId], { ...env, BROWSER: join(folder, "no") });
    assert.include(none.text, "No browser started.");
  });
});

describe("in a pipe", { timeout: 60_000 }, () => {
  it("[cli.terminal] lists are not cut and have no colors, whole timestamps and no header", async () => {
    const { editor } = await withIssues();
    assert.include(await editor.text(["ls"]), `\tInProgress\tnormal\tworker\t${title}`);
    const runs = await editor.text(["run", "ls"]);
    assert.match(runs, /^run_\w{26}\t\d{4}-\d\d-\d\dT\S+Z\tactive\tworker\tP1-1$/);
    assert.notInclude(await editor.text(["status"]), "\u001b[");
  });

  it("[cli.open] open prints a sign-in link to the page or an issue, and no browser starts", async () => {
    const { admin, editor, runId, world } = await withIssues();
    const more = { BROWSER: "/nowhere" };
    const link = await admin.text(["open"], "", more);
    assert.isTrue(link.startsWith(`${world.url}/#sign-in=`), link);
    const [, signInToken] = link.split("=");
    const session = await world.as(undefined)("POST", "/api/session", { body: { signInToken } });
    assert.strictEqual(session.body.principal.role, "Admin");
    const toIssue = await admin.text(["open", "p1-1"]);
    assert.match(toIssue.slice(world.url.length), /^\/issues\/P1-1#sign-in=[0-9a-f]{64}$/);
    const plain = await editor.run(["open", "p1-1"]);
    assert.strictEqual(plain.stdout, `${world.url}/issues/P1-1\n`);
    assert.include(plain.stderr, "Sign in with a key");
    assert.strictEqual(await editor.text(["run", "open", runId]), `${world.url}/runs/${runId}`);
    const missing = await editor.run(["open", "P1-99"]);
    assert.strictEqual(missing.code, 3);
  });
});

describe("quartermaster open", { timeout: 60_000 }, () => {
  it("[cli.open] the Owner key of the data directory creates the link where no other key can", async () => {
    const [world, { folder, run }] = await Promise.all([World.forTest(), home()]);
    const url = ["--url", world.url];
    const env = { QM_DATA_DIR: folder };
    const nobody = await run(["open", ...url], env);
    assert.strictEqual(nobody.code, 4);
    await writeFile(join(folder, "owner-key"), `${world.keys.owner.key}\n`, { mode: 0o600 });
    const links = await Promise.all([
      run(["open", ...url], env),
      run(["open", ...url], { ...env, QM_KEY: "qm_wrong" }),
      run(["open", ...url], { ...env, QM_KEY: world.keys.viewer.key }),
    ]);
    for (const { code, stderr, stdout } of links) {
      assert.deepStrictEqual([code, stderr], [0, ""]);
      assert.include(stdout, "/#sign-in=");
    }
    // The key is not sent to another machine.
    const elsewhere = await run(["open", "--url", "http://qm.example"], env);
    assert.strictEqual(elsewhere.code, 4);
    assert.include(elsewhere.stderr, "There is no key for http://qm.example.");
  });

  it.runIf(Pty.hasTerminal)(
    "[cli.open] the browser gets a sign-in link from a file that only its user can read",
    async () => {
      const { browsed, env, folder, world } = await withBrowser();
      const more = { ...env, QM_KEY: world.keys.admin.key };
      const { code, text } = await Pty.run(80, ["open"], more);
      assert.strictEqual(code, 0, text);
      const file = join(folder, ".config", "quartermaster", "open.html");
      assert.strictEqual(await browsed(), file);
      assert.include(await readFile(file, "utf8"), `content="0;url=${text.trim()}"`);
      assert.strictEqual((await stat(file)).mode & 0o777, 0o600);
    },
  );
});

describe("columns", () => {
  it("[cli.terminal] the widest columns are cut first, and never the first one", () => {
    assert.deepStrictEqual(Look.fitted([8, 10, 80, 12], 100), [8, 10, 70, 12]);
    assert.deepStrictEqual(Look.fitted([8, 60, 80], 88), [8, 40, 40]);
    assert.deepStrictEqual(Look.fitted([30, 60, 60], 20), [30, 6, 6]);
    assert.deepStrictEqual(Look.fitted([3, 4], 100), [3, 4]);
    // A state and a time stay whole beside a long text; without room for the text nothing does.
    assert.deepStrictEqual(Look.fitted([30, 8, 12, 5, 40], 70), [30, 8, 12, 5, 15]);
    assert.deepStrictEqual(Look.fitted([30, 8, 12, 5, 40], 58), [30, 7, 7, 5, 7]);
    assert.strictEqual(Look.cut("屋根屋根", 5), "屋根…");
    assert.strictEqual(Look.cut("\u001b[31mfailed\u001b[0m", 4), "\u001b[31mfai…\u001b[0m");
    assert.strictEqual(Look.span(-90_000), "90s");
    assert.strictEqual(Look.span(3 * 86_400_000), "3d");
    const look = { ...Look.plain, isTerminal: true };
    assert.strictEqual(Look.time(look, "1970-01-01T02:00:00.000Z"), "in 2h");
  });
});
