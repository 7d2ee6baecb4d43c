import { assert, describe, it } from "@effect/vitest";
import * as Agent from "./support/Agent.ts";
import { assertFields, assertInvalid, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

const one = (key: string, more: object = {}) => ({
  key,
  model: "m",
  inputTokens: 100,
  outputTokens: 10,
  ...more,
});

const start = async () => {
  const world = await World.forTest();
  const run = await world.running("bot");
  const url = `/api/agents/bot/runs/${run.runId}`;
  const report = (usage: ReadonlyArray<object>, headers = {}) =>
    world.call("POST", `${url}/usage`, { body: { usage }, headers });
  return { world, ...run, url, report };
};

describe("usage", () => {
  it("[usage.http] a run is reported by POST, and read in runs, its issue and groups", async () => {
    const { issueId, report, runId, url, world } = await start();
    const answer = await report([one("1", { costMicros: 7 }), one("2", { model: "n" })]);
    const sums = {
      requests: 2,
      inputTokens: 200,
      outputTokens: 20,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      costMicros: 7,
      requestsWithoutCost: 1,
    };
    const usage = { ...sums, models: ["m", "n"] };
    assert.deepStrictEqual([answer.status, answer.body], [200, { usage }]);
    const other = await report([one("1")]);
    assertProblem(other, 409, "usage-key", { key: "1" });
    const viewer = world.as(world.keys.viewer.key);
    assert.deepStrictEqual((await viewer("GET", `/api/runs/${runId}`)).body.usage, usage);
    const group = (key: string) => ({ key, runs: 1, ...sums, runsWithoutUsage: 0 });
    const ofIssue = await viewer("GET", `/api/projects/issues/${issueId}/usage`);
    assert.deepStrictEqual(ofIssue.body, group(issueId));
    const today = new Date().toISOString();
    const byAgent = await viewer("GET", `/api/usage?groupBy=agent&agentId=bot&from=${today}`);
    assert.deepStrictEqual(byAgent.body, [group("bot")]);
    const elsewhere = await viewer("GET", "/api/usage?groupBy=issue&projectId=elsewhere");
    assert.deepStrictEqual(elsewhere.body, []);
    const page = await viewer("GET", "/api/usage?groupBy=model&limit=1");
    assert.deepStrictEqual([page.body.length, page.body[0].key], [1, "m"]);
    assert.match(page.headers.get("link") ?? "", /groupBy=model/);
    const finished = await world.call("POST", `${url}/finish`, {
      body: { outcome: "resolved", usage: [one("3")] },
    });
    assert.strictEqual(finished.status, 200);
    const late = await world.call("POST", `${url}/turn`, { body: { usage: [one("4")] } });
    assertProblem(late, 409, "run-ended", { runId, reason: "resolved" });
    const days = await viewer("GET", "/api/usage");
    assertFields(days.body[0], { key: /^\d{4}-\d\d-\d\d$/, requests: 4, inputTokens: 400 });
  });

  it("[usage.http.400] bad values, parameters and an Idempotency-Key are a 400", async () => {
    const { report, url, world } = await start();
    const invalid = [
      [{ inputTokens: -1 }, "inputTokens"],
      [{ outputTokens: 10_000_000_001 }, "outputTokens"],
      [{ cacheReadTokens: 101 }, "cacheReadTokens"],
      [{ cacheReadTokens: 60, cacheWriteTokens: 60 }, "cacheWriteTokens"],
      [{ reasoningTokens: 11 }, "reasoningTokens"],
      [{ cumulative: true }, "session"],
      [{ source: "person" }, "source"],
    ] as const;
    for (const [more, path] of invalid) {
      assertInvalid(await report([one("1", more)]), `usage.0.${path}`);
      const turn = { body: { usage: [one("1", more)] } };
      assertInvalid(await world.call("POST", `${url}/turn`, turn), `usage.0.${path}`);
    }
    const unknown = await report([one("1", { tokens: 1 })]);
    assertInvalid(unknown, "usage.0.tokens");
    assertInvalid(await report(Array.from({ length: 51 }, (_, n) => one(`${n}`))), "usage");
    assertInvalid(await world.call("POST", `${url}/usage`, { body: {} }), "usage");
    assertInvalid(await report([], { "idempotency-key": "k" }), "idempotency-key");
    assertInvalid(await world.call("GET", "/api/usage?groupBy=key"), "groupBy");
    assertInvalid(await world.call("GET", "/api/usage?from=today"), "from");
    assertInvalid(await world.call("GET", "/api/usage?issueId=iss_1"), "issueId");
  });

  it("[usage.tools] work_turn and work_finish report usage, even if they are refused", async () => {
    const world = await World.forTest();
    const { client } = await world.connect("2026-07-28");
    const call = (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args });
    const { id: issueId } = await world.issue({ assignedAgentId: "bot" });
    const { run } = Agent.answerOf<{ run: { runId: string } }>(await call("work_next"));
    const turned = await call("work_turn", { note: "Reading", usage: [one("1")] });
    assert.isFalse(turned.isError ?? false, JSON.stringify(turned));
    const bad = await call("work_turn", { usage: [one("1", { inputTokens: 1 })] });
    assertFields(Agent.answerOf(bad), { error: "usage-key", key: "1" });
    await world.call("POST", `/api/projects/issues/${issueId}/close`);
    const refused = await call("work_finish", {
      runId: run.runId,
      outcome: "resolved",
      usage: [one("2")],
    });
    assertFields(Agent.answerOf(refused), { error: "run-ended", runId: run.runId });
    const usage = await world.call("GET", `/api/projects/issues/${issueId}/usage`);
    assertFields(usage.body, { runs: 1, inputTokens: 200, requests: 2 });
  });
});
