import { assert, describe, it } from "@effect/vitest";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

describe("quartermaster run", { timeout: 90_000 }, () => {
  it("[cli.run] [cli.usage] run lists runs, shows one with its timeline, and prints and follows its log", async () => {
    const [world, { run }] = await Promise.all([World.forTest(), home()]);
    const { agentId, issueId, runId } = await world.running("worker");
    const at = `/api/agents/${agentId}/runs/${runId}`;
    const write = (from: number, text: string) =>
      world.call("POST", `${at}/log`, { body: { from, entries: [{ stream: "stdout", text }] } });
    await write(0, "one \u001b[31mred\r\ntwo\n");
    await world.call("POST", `${at}/turn`, { body: { note: "Reading" } });
    const env = { QM_URL: world.url, QM_KEY: world.keys.viewer.key };
    const [list, none, show, log] = await Promise.all([
      run(["run", "list", "--issue", issueId], env),
      run(["run", "list", "--agent", "other", "--json"], env),
      run(["run", "show", runId], env),
      run(["run", "log", runId], env),
    ]);
    assert.match(
      list.stdout,
      new RegExp(`^${runId}\\t.*\\tactive\\tworker\\tP1-\\d+\\tReading\n$`),
    );
    assert.deepStrictEqual(JSON.parse(none.stdout), []);
    assert.match(
      show.stdout,
      /attempt 1 {2}active.*\n.* {2}started.*\n.* {2}turn {2}\n.* {2}note {2}Reading\n$/,
    );
    assert.strictEqual(log.stdout, "one  [31mred\ntwo\n");
    const call = { body: { name: "nowhere__pay", runId } };
    assert.strictEqual(
      (await world.call("POST", "/api/agents/worker/tools/call", call)).status,
      409,
    );
    const failed = await run(["run", "show", runId], { ...env, QM_KEY: world.keys.editor.key });
    assert.match(
      failed.stdout,
      / {2}failed {2}call_\w+ {2}-\/nowhere__pay {2}unknownTool {2}\S.*\n$/,
    );
    const asViewer = await run(["run", "show", runId, "--json"], env);
    assert.deepInclude(JSON.parse(asViewer.stdout).failedCalls[0], {
      outcome: "unknownTool",
      error: null,
    });
    const following = run(["run", "log", runId, "--follow", "--json"], env);
    await write(1, "three");
    await world.call("POST", `${at}/finish`, { body: { outcome: "resolved" } });
    const followed = await following;
    assert.deepStrictEqual(
      followed.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).text),
      ["one \u001b[31mred\r\ntwo\n", "three"],
    );
    const one = {
      key: "1",
      model: "m",
      inputTokens: 1_200,
      cacheReadTokens: 900,
      outputTokens: 30,
    };
    const usage = [
      { ...one, costMicros: 1_234_000 },
      { ...one, key: "2", model: "n" },
    ];
    await world.call("POST", `${at}/usage`, { body: { usage } });
    const [used, byModel, json, nothing] = await Promise.all([
      run(["run", "show", runId], env),
      run(["usage", "--by", "model", "--from", "1h", "--agent", "worker"], env),
      run(["usage", "--by", "AGENT", "--json"], env),
      run(["usage", "--to", "2d"], env),
    ]);
    assert.include(
      used.stdout,
      "\nusage  2 requests  2400 input (1800 cached)  60 output  $1.23+  m, n\n",
    );
    assert.deepStrictEqual(byModel.stdout.trimEnd().split("\n"), [
      "m\t1\t0\t1\t1200\t900\t30\t$1.23",
      "n\t1\t0\t1\t1200\t900\t30\t$0.00+",
      "total\t\t0\t2\t2400\t1800\t60\t$1.23+",
    ]);
    assert.deepInclude(JSON.parse(json.stdout)[0], {
      key: "worker",
      runs: 1,
      costMicros: 1_234_000,
    });
    assert.strictEqual(nothing.stdout, "");
    const unknown = await run(["run", "log", "run_none"], env);
    assert.notStrictEqual(unknown.code, 0);
    assert.include(unknown.stderr, "run does not exist");
  });
});
