import { assert, describe, it } from "@effect/vitest";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

describe("quartermaster run", { timeout: 90_000 }, () => {
  it("[cli.run] run lists runs, shows one with its timeline, and prints and follows its log", async () => {
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
      new RegExp(`^${runId}\\t.*\\tactive\\tworker\\t${issueId}\\tReading\n$`),
    );
    assert.deepStrictEqual(JSON.parse(none.stdout), []);
    assert.match(show.stdout, /attempt 1 {2}active.*\n.* {2}started.*\n.* {2}note {2}Reading\n$/);
    assert.strictEqual(log.stdout, "one  [31mred\ntwo\n");
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
    const unknown = await run(["run", "log", "run_none"], env);
    assert.notStrictEqual(unknown.code, 0);
    assert.include(unknown.stderr, "run does not exist");
  });
});
