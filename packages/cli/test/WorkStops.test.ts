import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import { Proxy } from "./Proxy.ts";
import { isDead, scene } from "./WorkScene.ts";

describe("quartermaster work", { timeout: 90_000 }, () => {
  it("[runner.stop] [runner.output] a pause stops the command and its children, with SIGKILL after 10 s, and the runner continues", async () => {
    const { assigned, call, comments, env, folder, get, runs, start, write } = await scene();
    const stubborn = await assigned("stubborn");
    const script = await write(
      [
        'case "$(head -n 1)" in',
        `*stubborn*) trap '' TERM; echo half done; sleep 300 & echo $! > "$HOME/child"; echo $$ > "$HOME/pid"; while :; do sleep 1; done;;`,
        "*) echo next;;",
        "esac",
      ].join("\n"),
    );
    const runner = start(["work", "--", script], env);
    await runner.reports("started");
    await vi.waitFor(() => assert.isTrue(existsSync(join(folder, "pid"))), { timeout: 30_000 });
    const next = await assigned("next");
    const paused = await call("POST", `/api/projects/issues/${stubborn.id}/pause`);
    assert.strictEqual(paused.status, 204);
    await runner.reports("stopping: paused");
    const startedAt = performance.now();
    await runner.reports(`${next["key"]} review`);
    assert.isAbove(performance.now() - startedAt, 8_000);
    assert.isTrue(await isDead(join(folder, "pid")));
    assert.isTrue(await isDead(join(folder, "child")));
    const { paused: isPaused, status } = await get(stubborn);
    assert.deepStrictEqual([status, isPaused], ["Open", true]);
    assert.deepStrictEqual(await comments(stubborn), [
      "The command was stopped (paused).\n\n```\nhalf done\n```",
    ]);
    const [first] = await runs();
    assert.strictEqual(first?.["stopReason"], "paused");
    assert.strictEqual(first?.["status"], "ended");
  });

  it("[runner.signal] a runner that is stopped releases its issues, immediately after the second signal", async () => {
    const { assigned, env, folder, get, start, write } = await scene();
    const issue = await assigned("long");
    const script = await write(`trap '' TERM; echo $$ > "$HOME/pid"; while :; do sleep 1; done`);
    const runner = start(["work", "--", script], env);
    await vi.waitFor(() => assert.isTrue(existsSync(join(folder, "pid"))), { timeout: 30_000 });
    runner.child.kill("SIGTERM");
    // The runner handles the first signal before the second one arrives. No event reports that it
    // did.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const startedAt = performance.now();
    runner.child.kill("SIGINT");
    assert.strictEqual(await runner.exited, 0, runner.stderr);
    assert.isBelow(performance.now() - startedAt, 8_000);
    assert.isTrue(await isDead(join(folder, "pid")));
    const { attempts, status } = await get(issue);
    assert.deepStrictEqual([status, attempts], ["Open", 0]);
  });

  it("[runner.guard] SIGKILL of the runner ends the command and its children, and the next runner removes the folder of the run", async () => {
    const { assigned, env, folder, start, write } = await scene();
    await assigned("long");
    const temporary = join(folder, "tmp");
    await mkdir(temporary);
    const script = await write(
      `trap '' TERM; sleep 300 & echo $! > "$HOME/child"; echo $$ > "$HOME/pid"; while :; do sleep 1; done`,
    );
    const options = { ...env, TMPDIR: temporary };
    const killed = start(["work", "--", script], options);
    await vi.waitFor(() => assert.isTrue(existsSync(join(folder, "pid"))), { timeout: 30_000 });
    assert.strictEqual((await readdir(temporary)).length, 1);
    killed.child.kill("SIGKILL");
    // Nothing reports the end of processes whose parent is gone.
    await vi.waitFor(
      async () => {
        assert.isTrue(await isDead(join(folder, "pid")));
        assert.isTrue(await isDead(join(folder, "child")));
      },
      { timeout: 30_000 },
    );
    await killed.exited;
    const next = start(["work", "--once", "--", script], options);
    await next.exited;
    assert.deepStrictEqual(await readdir(temporary), []);
  });

  it("[runner.away] no issue is lost or held by two runs while the server is unreachable or asks to wait", async () => {
    const { assigned, comments, env, folder, get, runs, start, url, write } = await scene();
    const proxy = await Proxy.before(url);
    const first = await assigned("short");
    const script = await write(
      [
        'case "$(head -n 1)" in',
        '*short*) touch "$HOME/working"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo done;;',
        `*) echo $$ >> "$HOME/pids"; [ -e "$HOME/second" ] && echo again && exit 0; touch "$HOME/second"; sleep 300;;`,
        "esac",
      ].join("\n"),
    );
    const runner = start(["work", "--lease", "12s", "--", script], {
      ...env,
      QM_URL: proxy.url,
    });
    await vi.waitFor(() => assert.isTrue(existsSync(join(folder, "working"))), { timeout: 30_000 });
    // The command exits while the server is unreachable. The server gets the result later, once.
    proxy.mode = "busy";
    await writeFile(join(folder, "go"), "");
    await runner.reports("Trying again");
    proxy.mode = "away";
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    proxy.mode = "open";
    await runner.reports(`${first["key"]} review`);
    assert.deepStrictEqual(await comments(first), ["```\ndone\n```"]);

    // The server is unreachable for longer than the lease: the command is dead before the lease
    // expires.
    const second = await assigned("outlives its lease");
    await vi.waitFor(() => assert.isTrue(existsSync(join(folder, "second"))), { timeout: 30_000 });
    proxy.mode = "away";
    await vi.waitFor(async () => assert.isTrue(await isDead(join(folder, "pids"))), {
      timeout: 30_000,
      interval: 50,
    });
    const held = (await runs()).find(({ issueId }) => issueId === second.id);
    assert.strictEqual(held?.["status"], "active");
    proxy.mode = "open";
    await runner.reports(`${second["key"]} review`);
    assert.strictEqual((await get(second))["status"], "PendingReview");
    assert.deepStrictEqual(await comments(second), ["```\nagain\n```"]);
    for (const run of await runs()) assert.strictEqual(run["status"], "ended");
  });
});
