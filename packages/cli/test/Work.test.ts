import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import * as Program from "../../server/test/support/Program.ts";
import { type Issue, isDead, scene } from "./WorkScene.ts";

describe("quartermaster work", { timeout: 90_000 }, () => {
  it("[runner.command] the command gets prompt, files and environment, and an Admin's key stays with the runner", async () => {
    const { assigned, comments, execute, folder, get, keys, admin, url, write } = await scene();
    const issue = await assigned("Mend the roof");
    const script = await write(
      [
        "cat",
        'echo "argument: $1"',
        'echo "folder: $(stat -c %a "$(dirname "$QM_ISSUE_FILE")") $(pwd)"',
        'echo "key $QM_KEY admin $QM_ADMIN_KEY"',
        'cat "$QM_ISSUE_FILE" "$QM_MCP_CONFIG"',
        'echo "$QM_URL $QM_AGENT_ID $QM_ISSUE_ID $QM_RUN_ID"',
        'dirname "$QM_ISSUE_FILE" > "$HOME/folder"',
        'printf %s "$QM_KEY" > "$HOME/key"',
      ].join("\n"),
    );
    const { code, stderr } = await execute(
      ["work", "--agent", "bot", "--once", "--directory", folder, "--", script, "{prompt}"],
      { QM_URL: url, QM_KEY: keys.admin.key },
    );
    assert.strictEqual(code, 0, stderr);
    const { status } = await get(issue);
    assert.strictEqual(status, "PendingReview");
    const [comment = ""] = await comments(issue);
    assert.strictEqual(comment.split("# Mend the roof").length, 3);
    assert.include(comment, `folder: 700 ${folder}`);
    assert.include(comment, "key [secret QM_KEY] admin \n");
    assert.include(comment, `"title": "Mend the roof"`);
    assert.include(comment, `"url": "${url}/mcp"`);
    assert.include(comment, '"Authorization": "Bearer ${QM_KEY}"');
    const run1 = comment.match(/run_[0-9A-Z]{26}(?=\n```$)/)?.[0] ?? "";
    assert.include(comment, `"Quartermaster-Run": "${run1}"`);
    assert.include(comment, `${url} bot ${issue.id} ${run1}`);
    assert.isFalse(existsSync((await readFile(join(folder, "folder"), "utf8")).trim()));
    // The agent's key was deleted, and no output contained it.
    const key = await readFile(join(folder, "key"), "utf8");
    assert.match(key, /^qm_/);
    assert.notInclude(stderr + comment, key);
    const left = await admin("GET", "/api/keys?limit=500");
    assert.notInclude(left.text, "Runner of bot");
  });

  it("[runner.hidden] COMMAND finds the runner's key in no environment, arguments or open file of a process", async () => {
    const { assigned, execute, folder, get, keys, url, write } = await scene();
    const issue = await assigned("Look around");
    const script = await write(
      [
        // The command reads no pipe of the runner: that would steal the runner's signals.
        "for file in /proc/$PPID/environ /proc/$PPID/cmdline /proc/$PPID/fd/*; do",
        '  [ -f "$file" ] && tr "\\0" "\\n" < "$file"',
        'done > "$HOME/seen"',
        'ls -l /proc/$PPID/fd/0 >> "$HOME/seen"',
        'ls "$TMPDIR" > "$HOME/temporary"',
      ].join("\n"),
    );
    const { code, stderr } = await execute(["work", "--agent", "bot", "--once", "--", script], {
      QM_URL: url,
      QM_KEY: keys.admin.key,
      QM_ADMIN_KEY: "an Owner's key",
    });
    assert.strictEqual(code, 0, stderr);
    assert.strictEqual((await get(issue))["status"], "PendingReview");
    const seen = await readFile(join(folder, "seen"), "utf8");
    // The command saw the environment and the arguments.
    assert.include(seen, `HOME=${folder}`);
    assert.include(seen, "--once");
    assert.notInclude(seen, keys.admin.key);
    assert.notInclude(seen, "an Owner's key");
    assert.include(seen, "/dev/null");
    assert.notInclude(await readFile(join(folder, "temporary"), "utf8"), "quartermaster-start-");
  });

  it("[runner.exit] whenever the command ends, the issue is handed in once, or left to the command", async () => {
    const { assigned, comments, env, folder, get, run, runs, write } = await scene();
    const later = await assigned("later");
    const broken = await assigned("broken");
    const flood = await assigned("flood");
    const forks = await assigned("forks");
    const own = await assigned("own");
    const script = await write(
      [
        'case "$(head -n 1)" in',
        "*later*) exit 75;;",
        "*broken*) echo bad >&2; exit 3;;",
        // Prints 16 MB. The comment contains the end of the output.
        "*flood*) head -c 16000000 /dev/zero | tr '\\0' x; echo the end;;",
        '*forks*) sleep 300 & echo $! > "$HOME/child"; echo left;;',
        `*own*) exec "${process.execPath}" -e 'fetch(process.env.QM_URL + "/api/agents/bot/runs/" + process.env.QM_RUN_ID + "/finish", { method: "POST", headers: { authorization: "Bearer " + process.env.QM_KEY, "content-type": "application/json" }, body: JSON.stringify({ outcome: "resolved", comment: "mine" }) })';;`,
        "esac",
      ].join("\n"),
    );
    const { code, stderr } = await run(
      ["work", "--once", "--concurrency", "5", "--on-success", "resolved", "--", script],
      env,
    );
    assert.strictEqual(code, 1, stderr);
    assert.include(stderr, "1 of 5 issues failed.");
    assert.lengthOf(await runs(), 5);
    const state = async (issue: Issue) => {
      const { attempts, paused, status } = await get(issue);
      return [status, attempts, paused];
    };
    assert.deepStrictEqual(await state(later), ["Open", 0, false]);
    assert.isNotNull((await get(later))["notBefore"]);
    assert.deepStrictEqual(await state(broken), ["InProgress", 1, false]);
    assert.deepStrictEqual(await comments(broken), ["The command exited with 3.\n\n```\nbad\n```"]);
    assert.deepStrictEqual(await state(flood), ["Resolved", 0, false]);
    const [end = ""] = await comments(flood);
    assert.match(end, /^```\nx{10000,16384}the end\n```$/);
    assert.deepStrictEqual(await state(forks), ["Resolved", 0, false]);
    assert.deepStrictEqual(await comments(forks), ["```\nleft\n```"]);
    assert.isTrue(await isDead(join(folder, "child")));
    assert.deepStrictEqual(await state(own), ["Resolved", 0, false]);
    assert.deepStrictEqual(await comments(own), ["mine"]);
  });

  it("[runner.exit] a command that does not finish in time has failed, with the end of its output", async () => {
    const { assigned, comments, env, get, run, write } = await scene();
    const slow = await assigned("slow");
    const script = await write("echo waiting >&2; sleep 300");
    const { code, stderr } = await run(["work", "--once", "--timeout", "4s", "--", script], env);
    assert.strictEqual(code, 1, stderr);
    const { attempts, paused, status } = await get(slow);
    assert.deepStrictEqual([status, attempts, paused], ["InProgress", 1, false]);
    assert.deepStrictEqual(await comments(slow), [
      "The command did not finish in time.\n\n```\nwaiting\n```",
    ]);
  });

  it("[runner.idle] a runner without work reports the numbers of queued and blocked issues", async () => {
    const { agent, assigned, call, folder, issue, url, write } = await scene();
    const script = await write("exit 0");
    const env = { QM_URL: url, QM_KEY: agent.key, HOME: folder, TMPDIR: folder };
    const lines: Array<string> = [];
    const work = (...more: ReadonlyArray<string>) =>
      Program.run(["work", ...more, "--", script], { env, terminal: (line) => lines.push(line) });
    const deferred = await assigned("Deferred");
    await call("PUT", `/api/projects/issues/${deferred.id}`, {
      body: { notBefore: "2099-01-01T00:00:00Z" },
    });
    const blocker = await issue({ title: "First" });
    for (const title of ["Second", "Third"]) {
      const { id } = await assigned(title);
      await call("POST", `/api/projects/issues/${id}/links`, {
        body: { linkType: "BlockedBy", targetIssueId: blocker.id },
      });
    }
    assert.strictEqual((await work("--once")).code, 0);
    assert.deepStrictEqual(lines, ["No issue is ready for bot (1 queued, 2 blocked)"]);
    // The runner runs until the test ends.
    void work();
    await vi.waitFor(() => assert.lengthOf(lines, 2), { timeout: 30_000 });
    await assigned("Now");
    // After an issue the runner polls once more, and then stops polling.
    await vi.waitFor(() => assert.lengthOf(lines, 5), { timeout: 30_000 });
    const waiting = "Waiting for issues of bot (1 queued, 2 blocked)";
    assert.deepStrictEqual([lines[1], lines[4]], [waiting, waiting]);
  });

  it("[runner.refused] a runner that cannot work prints the reason, and starts no issue", async () => {
    const { assigned, env, get, keys, run } = await scene();
    const issue = await assigned("untouched");
    const editor = { ...env, QM_KEY: keys.editor.key };
    const admin = { ...env, QM_KEY: keys.admin.key };
    const results = await Promise.all([
      run(["work", "--", "/nonexistent/command"], env),
      run(["work", "--", "sh", "-c", "{prompt}"], env),
      run(["work", "--agent", "other", "--", "true"], env),
      run(["work", "--project", "p2", "--", "true"], env),
      run(["work", "--", "true"], editor),
      run(["work", "--", "true"], admin),
    ]);
    assert.deepStrictEqual(
      results.map(({ code }) => code),
      [1, 1, 1, 1, 1, 1],
    );
    const words = [
      "/nonexistent/command",
      "{prompt}",
      "other",
      "--project",
      "agent's key",
      "--agent",
    ];
    for (const [at, word] of words.entries()) assert.include(results[at]?.stderr, word);
    assert.strictEqual((await get(issue))["status"], "Open");
  });
});
