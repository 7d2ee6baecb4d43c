import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
let eve: ReturnType<World.World["as"]>;

beforeAll(async () => {
  world = await World.start();
  eve = world.as((await world.key({ role: "Editor", agentId: "eve" })).key);
});
afterAll(() => world.close());

const changes = [
  ["PUT", "", { status: "Resolved" }],
  ["PUT", "", { assignedAgentId: "eve" }],
  ["PUT", "", { notBefore: null }],
  ["POST", "/resume", undefined],
  ["POST", "/close", undefined],
  ["DELETE", "?confirm=true", undefined],
] as const;

describe("changes by agents' keys", () => {
  it("[by-agent.http] a paused issue is 409 paused, an issue of another agent's run 409 held, and InProgress 409 no-run", async () => {
    const { agentId, issueId, runId } = await world.running();
    const url = `/api/projects/issues/${issueId}`;
    for (const [method, path, body] of [...changes, ["POST", "/pause", undefined] as const]) {
      const refused = await eve(method, `${url}${path}`, { body });
      assertProblem(refused, 409, "held", { runId, agentId });
    }
    assert.strictEqual((await world.call("POST", `${url}/pause`)).status, 204);
    for (const [method, path, body] of changes) {
      assertProblem(await eve(method, `${url}${path}`, { body }), 409, "paused");
    }
    const headers = { "if-match": '"99"' };
    const stale = await eve("PUT", url, { body: { status: "Open" }, headers });
    assertProblem(stale, 412, "precondition-failed", { version: Number, names: null });
    const { id } = await world.issue({ assignedAgentId: "eve" });
    const body = { status: "InProgress" };
    assertProblem(await eve("PUT", `/api/projects/issues/${id}`, { body }), 409, "no-run");
  });

  it("[by-agent.http] a PUT of Resolved by the run's agent ends the run", async () => {
    const { issueId, runId } = await world.running("eve");
    const put = await eve("PUT", `/api/projects/issues/${issueId}`, {
      body: { status: "Resolved" },
    });
    assert.strictEqual(put.status, 200);
    const runs = await eve("GET", "/api/agents/eve/runs?limit=1");
    assertFields(runs.body[0], { id: runId, status: "ended", outcome: "resolved" });
  });
});
