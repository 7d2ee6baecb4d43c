import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import { scene } from "./WorkScene.ts";

describe("quartermaster work", { timeout: 90_000 }, () => {
  it("[runner.breaker] ten issues at a usage limit: at most three starts, then quiet, none paused, and no attempt lost", async () => {
    const { assigned, call, env, folder, get, start, write } = await scene();
    const issues = [];
    for (let count = 0; count < 10; count += 1) issues.push(await assigned(`issue ${count}`));
    const script = await write(
      `echo x >> "$HOME/starts"; echo "Claude AI usage limit reached|4102444800"; exit 1`,
    );
    const runner = start(["work", "--concurrency", "2", "--", script], env);
    await runner.reports("Halted until 2100-01-01T00:00:00.000Z: A usage limit is reached");
    const inbox = async () =>
      (await call("GET", "/api/inbox?kind=runnerHalted")).body as ReadonlyArray<
        Record<string, unknown>
      >;
    await vi.waitFor(async () => assert.lengthOf(await inbox(), 1), { timeout: 10_000 });
    const [item] = await inbox();
    assert.strictEqual(item?.["agentId"], "bot");
    assert.include(String(item?.["detail"]), "usage limit reached");
    assert.strictEqual((await call("GET", "/api/agents/bot")).body.note, item?.["detail"]);
    // A run that was still going when the runner halted gives its attempt back with the next heartbeat.
    for (const issue of issues) {
      await vi.waitFor(
        async () => {
          const { attempts, paused } = await get(issue);
          assert.deepStrictEqual([attempts, paused], [0, false]);
        },
        { timeout: 10_000 },
      );
    }
    const starts = async () => (await readFile(join(folder, "starts"), "utf8")).trim().split("\n");
    const started = (await starts()).length;
    assert.isAtMost(started, 3);
    // Two more heartbeats start nothing.
    const lastHeartbeat = async () => (await call("GET", "/api/agents/bot")).body.lastHeartbeatAt;
    for (let count = 0; count < 2; count += 1) {
      const before = await lastHeartbeat();
      await vi.waitFor(async () => assert.notStrictEqual(await lastHeartbeat(), before), {
        timeout: 10_000,
        interval: 200,
      });
    }
    assert.strictEqual((await starts()).length, started);
    runner.child.kill("SIGTERM");
    await runner.exited;
  });

  it("[runner.breaker] with --once the attempts come back, and the inbox has the reason", async () => {
    const { assigned, call, env, get, run, write } = await scene();
    const issue = await assigned("issue");
    const script = await write("echo 'Not logged in · Please run /login'; exit 1");
    const { code } = await run(["work", "--once", "--", script], env);
    assert.strictEqual(code, 1);
    assert.strictEqual((await get(issue))["attempts"], 0);
    const { body } = await call("GET", "/api/inbox?kind=runnerHalted");
    assert.include(body[0].detail, "Not logged in");
  });

  it("[runner.breaker] commands that run when the runner halts are stopped, and their issues keep their attempts", async () => {
    const { assigned, env, get, runs, start, write } = await scene();
    const long = await assigned("long");
    const script = await write(
      [
        'case "$(head -n 1)" in',
        `*long*) touch "$HOME/working"; sleep 300;;`,
        `*) while [ ! -e "$HOME/working" ]; do sleep 0.05; done; echo broken >&2; exit 3;;`,
        "esac",
      ].join("\n"),
    );
    await assigned("broken");
    const runner = start(["work", "--concurrency", "2", "--breaker", "1", "--", script], env);
    await runner.reports("Halted until");
    await runner.reports(`${long["key"]} released: Open`);
    const { attempts, paused } = await get(long);
    assert.deepStrictEqual([attempts, paused], [0, false]);
    assert.sameMembers(
      (await runs()).map(({ outcome }) => outcome),
      ["released", "failed"],
    );
    assert.include(runner.stderr, "The command failed within a minute of its start.");
    runner.child.kill("SIGTERM");
    await runner.exited;
  });
});
