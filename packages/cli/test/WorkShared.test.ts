import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import { as } from "../../http/test/support/Client.ts";
import { freePort } from "../../http/test/support/freePort.ts";
import { Quartermaster } from "../../server/test/Quartermaster.ts";
import { home } from "./Command.ts";
import { Proxy } from "./Proxy.ts";
import { type Issue, isDead, scene } from "./WorkScene.ts";

/** Polls until the check passes: no event reports what a command does. */
const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 });

interface Run {
  readonly id: string;
  readonly issueId: string;
  readonly status: string;
  readonly startedAt: string;
  readonly endedAt: string;
}

/**
 * Checks that every run has ended, and that each run of an issue started after the previous one had
 * ended.
 */
const assertOneAfterTheOther = (runs: ReadonlyArray<Run>) => {
  const until = new Map<string, string>();
  for (const { endedAt, id, issueId, startedAt, status } of runs) {
    assert.strictEqual(status, "ended", id);
    assert.isTrue((until.get(issueId) ?? "") <= startedAt, id);
    until.set(issueId, endedAt);
  }
};

describe("quartermaster work", { timeout: 90_000 }, () => {
  it("[runner.handed-in] a command that hands its run in by a PUT of status finishes undisturbed, and the runner adds nothing", async () => {
    const { assigned, comments, env, folder, get, run, runs, write } = await scene();
    const issue = await assigned("own");
    const script = await write(
      [
        `"${process.execPath}" -e 'fetch(process.env.QM_URL + "/api/projects/issues/" + process.env.QM_ISSUE_ID, { method: "PUT", headers: { authorization: "Bearer " + process.env.QM_KEY, "content-type": "application/json" }, body: JSON.stringify({ status: "PendingReview" }) }).then(({ ok }) => process.exit(ok ? 0 : 1))' || exit 1`,
        // The command outlasts a heartbeat, so the runner learns that the run has ended.
        'sleep 3; touch "$HOME/finished"; echo "not for a comment"',
      ].join("\n"),
    );
    const { code, stderr } = await run(["work", "--once", "--", script], env);
    assert.strictEqual(code, 0, stderr);
    assert.include(stderr, "the command handed the issue in itself");
    assert.isTrue(existsSync(join(folder, "finished")));
    assert.strictEqual((await get(issue))["status"], "PendingReview");
    assert.deepStrictEqual(await comments(issue), []);
    const [only, ...others] = await runs();
    assert.deepInclude(only, { status: "ended", outcome: "review" });
    assert.lengthOf(others, 0);
  });

  it("[runner.away] a result whose response was lost is handed in once", async () => {
    const { assigned, comments, env, folder, get, run, url, write } = await scene();
    const issue = await assigned("lost");
    const proxy = await Proxy.before(url);
    const script = await write(
      'touch "$HOME/working"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo done',
    );
    const running = run(["work", "--once", "--", script], { ...env, QM_URL: proxy.url });
    await until(() => assert.isTrue(existsSync(join(folder, "working"))));
    proxy.mode = "deaf";
    await writeFile(join(folder, "go"), "");
    await until(async () => assert.strictEqual((await get(issue))["status"], "PendingReview"));
    proxy.mode = "open";
    const { code, stderr } = await running;
    assert.strictEqual(code, 0, stderr);
    assert.include(stderr, "review: PendingReview");
    assert.deepStrictEqual(await comments(issue), ["```\ndone\n```"]);
  });

  it("[runner.two] two runners of one agent never hold the same issue, and both continue", async () => {
    const { assigned, env, folder, get, run, runs, write } = await scene();
    const issues: Array<Issue> = [];
    for (let number = 0; number < 10; number += 1) issues.push(await assigned(`Part ${number}`));
    const script = await write(
      `echo "$QM_ISSUE_ID $(basename "$PWD")" >> "$HOME/records"; sleep 0.5`,
    );
    for (const name of ["first", "second"]) {
      await mkdir(join(folder, name));
      const options = ["--concurrency", "2", "--directory", join(folder, name)];
      // The runner runs until the test ends.
      void run(["work", ...options, "--", script], env);
    }
    await until(async () => {
      for (const issue of issues) {
        assert.strictEqual((await get(issue))["status"], "PendingReview");
      }
    });
    const records = (await readFile(join(folder, "records"), "utf8")).trim().split("\n");
    const ids = issues.map(({ id }) => id);
    assert.sameMembers(
      records.map((record) => record.split(" ")[0]),
      ids,
    );
    assert.sameMembers(
      [...new Set(records.map((record) => record.split(" ")[1]))],
      ["first", "second"],
    );
    assert.sameMembers(
      (await runs()).map(({ issueId }) => issueId),
      ids,
    );
  });

  it("[runner.restart] a server that is killed and unreachable for longer than the lease costs an attempt, but no issue", async () => {
    const { folder, run } = await home();
    const data = join(folder, "data");
    await mkdir(data);
    const env = { QM_PORT: String(await freePort()) };
    const server = await Quartermaster.start(data, env);
    const owner = as(server, server.key);
    const create = async (path: string, body: object) => (await owner("POST", path, { body })).body;
    const { key } = await create("/api/keys", { name: "bot", role: "Editor", agentId: "bot" });
    const issue = await create("/api/projects/p1/issues", {
      title: "Outlives the server",
      assignedAgentId: "bot",
    });
    const script = join(folder, "command");
    await writeFile(
      script,
      'echo $$ > "$HOME/pid.$QM_RUN_ID"; echo "$QM_RUN_ID" >> "$HOME/runs"; [ "$(wc -l < "$HOME/runs")" -gt 1 ] && exit 0; sleep 300',
    );
    // The runner runs until the test ends.
    void run(["work", "--lease", "8s", "--", "sh", script], { QM_URL: server.url, QM_KEY: key });
    const started = async () =>
      (await readFile(join(folder, "runs"), "utf8").catch(() => "")).trim().split("\n");
    await until(async () => assert.match((await started()).join(), /^run_/));
    const [first = ""] = await started();
    await server.kill();
    const killedAt = performance.now();
    await until(async () => assert.isTrue(await isDead(join(folder, `pid.${first}`))));
    assert.isBelow(performance.now() - killedAt, 8_000, "the lease is over, and the command lives");
    // The lease also expires while the server is unreachable.
    await new Promise((resolve) => setTimeout(resolve, 9_000 - (performance.now() - killedAt)));
    const again = await Quartermaster.start(data, env);
    const call = as(again, again.key);
    const read = async (path: string) => (await call("GET", path)).body;
    await until(async () => {
      const { status } = await read(`/api/projects/issues/${issue.id}`);
      assert.strictEqual(status, "PendingReview");
    });
    const runs: ReadonlyArray<Run> = await read("/api/agents/bot/runs?order=asc");
    assert.deepStrictEqual(
      runs.map(({ id }) => id),
      await started(),
    );
    assert.lengthOf(runs, 2);
    assertOneAfterTheOther(runs);
  });
});
