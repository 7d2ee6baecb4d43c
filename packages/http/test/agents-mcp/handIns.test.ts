import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Clock, Context, Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertProblem } from "../support/Assert.ts";
import * as World from "../support/World.ts";

let world: World.World;
let clock: TestClock.TestClock;
let bot: ReturnType<World.World["as"]>;

beforeAll(async () => {
  clock = await Effect.runPromise(Effect.scoped(TestClock.make()));
  world = await World.start({
    clock: Layer.succeedContext(Context.make(Clock.Clock, clock) as Context.Context<never>),
  });
  bot = world.as(world.agent.key);
});
afterAll(() => world.close());

const started = async (body: object = {}) => {
  const beat = await bot("POST", "/api/agents/bot/heartbeat", { body });
  return String(beat.body.started[0]?.runId);
};

/** An issue whose first run lost its lease and whose second run holds it. */
const lost = async () => {
  const { id } = await world.issue({ assignedAgentId: "bot" });
  const old = await started({ leaseSeconds: 5 });
  await Effect.runPromise(clock.adjust("6 seconds"));
  return { id, url: `/api/projects/issues/${id}`, old, live: await started() };
};

interface Named {
  readonly header?: string;
  readonly meta?: unknown;
  readonly key?: string;
}

/** A plain call of a tool, which names a run or none. */
const post = (name: string, args: object, { header, key, meta }: Named = {}) => {
  const message = Agent.stateless("tools/call", { name, arguments: args });
  Object.assign(message.body.params._meta, meta === undefined ? {} : { "quartermaster/run": meta });
  const headers = { ...message.headers, "mcp-name": name };
  return world.post(
    message.body,
    { ...headers, ...(header && { "quartermaster-run": header }) },
    key,
  );
};

const call = async (name: string, args: object, named?: Named) => {
  const response = await post(name, args, named);
  assert.strictEqual(response.status, 200, response.text);
  return response.body.result;
};

const textOf = (result: { readonly content: ReadonlyArray<{ readonly text: string }> }) =>
  JSON.parse(result.content[0]?.text ?? "");

const runs = async () => (await bot("GET", "/api/agents/bot/runs?limit=2")).body;

describe("a run that lost its lease", () => {
  it("[hand-in.http] [hand-in.mcp] cannot hand in its successor's issue with any call", async () => {
    const { id, live, old, url } = await lost();
    const resolved = { issueId: id, status: "Resolved" };
    for (const named of [{ header: old }, { meta: old }, { header: old, meta: old }]) {
      const result = await call("issue_update", resolved, named);
      assertFields(textOf(result), { error: "run-ended", runId: old, reason: "leaseExpired" });
      const stop = { runId: old, reason: "leaseExpired" };
      assert.deepStrictEqual(result._meta["quartermaster/stop"], stop);
    }
    const body = { status: "Resolved" };
    const refused = await bot("PUT", url, { body, headers: { "quartermaster-run": old } });
    assertProblem(refused, 409, "run-ended", { runId: old, reason: "leaseExpired" });
    // A call that acts for no run does not act for this run either.
    assertFields(textOf(await call("issue_update", resolved)), { error: "held", runId: live });
    assertProblem(await bot("PUT", url, { body }), 409, "held", { runId: live, agentId: "bot" });
    assertFields((await runs())[0], { id: live, status: "active" });
    assertFields(textOf(await call("work_turn", {}, { header: old })), { action: "stop" });
    const { _meta: meta } = await call("whoami", {}, { header: old });
    assert.notProperty(meta, "quartermaster/stop");
    const named = { body, headers: { "quartermaster-run": live } };
    assert.strictEqual((await bot("PUT", url, named)).status, 200);
    assertFields((await runs())[0], { id: live, status: "ended", outcome: "resolved" });
  });

  it("[hand-in.mcp] a worker hands in its own live run, and no other worker's", async () => {
    const { id, live, old } = await lost();
    await bot("POST", `/api/agents/bot/runs/${live}/finish`, { body: { outcome: "released" } });
    const one = { "quartermaster/worker": "one" };
    const asOne = (name: string, args: object, worker = one) => {
      const message = Agent.stateless("tools/call", { name, arguments: args });
      Object.assign(message.body.params._meta, worker);
      return world.post(message.body, { ...message.headers, "mcp-name": name });
    };
    const { run } = textOf((await asOne("work_next", {})).body.result);
    assert.notInclude([live, old], run.runId);
    const resolved = { issueId: id, status: "Resolved" };
    const other = await asOne("issue_update", resolved, { "quartermaster/worker": "two" });
    assertFields(textOf(other.body.result), { error: "held", runId: run.runId });
    assertFields(textOf((await asOne("issue_update", resolved)).body.result), {
      status: "Resolved",
    });
  });
});

describe("the run that a request names", () => {
  it("[hand-in.http] is one, and a run of an agent that the key may act for, on every route", async () => {
    const { live, old, url } = await lost();
    const foreign = (await world.running("other")).runId;
    for (const runId of [foreign, "run_unknown"]) {
      const headers = { "quartermaster-run": runId };
      assertProblem(await bot("GET", url, { headers }), 403, "forbidden", { requiredRole: null });
      assertProblem(await post("whoami", {}, { meta: runId }), 403, "forbidden", {
        requiredRole: null,
      });
      const toolCall = { body: { name: "none__none", runId } };
      assertProblem(await bot("POST", "/api/agents/bot/tools/call", toolCall), 403, "forbidden", {
        requiredRole: null,
      });
    }
    for (const meta of [7, true, [], {}]) {
      assertProblem(await post("whoami", {}, { meta }), 403, "forbidden", { requiredRole: null });
    }
    const errors = [{ path: String, message: /Quartermaster-Run/ }];
    const differing = await post("whoami", {}, { header: live, meta: old });
    assertProblem(differing, 400, "invalid-request", { errors });
    const body = { name: "none__none", runId: old };
    const headers = { "quartermaster-run": live };
    const two = await bot("POST", "/api/agents/bot/tools/call", { body, headers });
    assertProblem(two, 400, "invalid-request", { errors });
    // Reads are not refused because of the run's state, and a person's key acts for any agent.
    assert.strictEqual(
      (await bot("GET", url, { headers: { "quartermaster-run": old } })).status,
      200,
    );
    assert.strictEqual(
      (await world.admin("GET", url, { headers: { "quartermaster-run": foreign } })).status,
      200,
    );
    const ofOther = [
      { body: { name: "none__none", runId: foreign } },
      { body: { name: "none__none" }, headers: { "quartermaster-run": foreign } },
    ];
    for (const request of ofOther) {
      const called = await world.call("POST", "/api/agents/bot/tools/call", request);
      assertProblem(called, 403, "forbidden", { requiredRole: null });
    }
    const viewer = world.as((await world.key({ role: "Viewer" })).key);
    assertProblem(await viewer("GET", url, { headers }), 403, "forbidden", { requiredRole: null });
    const bound = world.as((await world.key({ role: "Editor", projects: ["p1"] })).key);
    assertProblem(await bound("GET", url, { headers }), 403, "forbidden", { requiredRole: null });
  });

  it("[comments.as-agent] lets a person's key comment as the run's agent", async () => {
    const { live, url } = await lost();
    const body = { content: "Half done.", authorType: "Agent" };
    const headers = { "quartermaster-run": live };
    const made = await world.admin("POST", `${url}/comments`, { body, headers });
    assertFields(made.body, { authorType: "Agent", authorId: "bot" });
    const refused = await world.admin("POST", `${url}/comments`, { body });
    assert.strictEqual(refused.status, 400);
  });
});

describe("a project's agentsMay", () => {
  it("[reviews.project] is shown and set by PUT, and `review` is in the responses of hand-ins", async () => {
    const project = "/api/projects/p1";
    const set = (agentsMay: string) => world.admin("PUT", project, { body: { agentsMay } });
    assertFields((await set("review")).body, { id: "p1", paused: false, agentsMay: "review" });
    assertProblem(await bot("PUT", project, { body: { agentsMay: "approve" } }), 403, "forbidden", {
      requiredRole: null,
    });
    assert.strictEqual((await set("everything")).status, 400);
    const { body } = await world.admin("GET", "/api/projects");
    assert.include(
      body.map(({ agentsMay }: { readonly agentsMay: string }) => agentsMay),
      "review",
    );
    const first = await world.running("bot");
    const finish = `/api/agents/bot/runs/${first.runId}/finish`;
    const handedIn = await bot("POST", finish, { body: { outcome: "resolved" } });
    assertFields(handedIn.body, { status: "PendingReview", handedInAs: "review" });
    const url = `/api/projects/issues/${first.issueId}`;
    assertProblem(await bot("POST", `${url}/close`), 403, "forbidden", { requiredRole: null });
    const second = await world.running("bot");
    const args = { outcome: "resolved", runId: second.runId };
    assertFields(textOf(await call("work_finish", args)), {
      status: "PendingReview",
      handedInAs: "review",
    });
    await set("resolve");
  });
});
