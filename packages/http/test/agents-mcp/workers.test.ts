import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Clock, Context, Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertProblem } from "../support/Assert.ts";
import * as World from "../support/World.ts";

/** Processes with one key: each has its own name, its own run and its own stop. */

let world: World.World;
let clock: TestClock.TestClock;

beforeAll(async () => {
  clock = await Effect.runPromise(Effect.scoped(TestClock.make()));
  world = await World.start({
    clock: Layer.succeedContext(Context.make(Clock.Clock, clock) as Context.Context<never>),
  });
  world.server.resources.resources = [{ uri: "file:///notes", name: "notes" }];
  await world.usableTool();
});
afterAll(() => world.close());

const pass = (seconds: number) => Effect.runPromise(clock.adjust(`${seconds} seconds`));

interface Who {
  readonly name?: string;
  readonly meta?: string;
  readonly run?: string;
  readonly key?: string;
}

const first: Who = { name: "claude-code:1f0c2d9e4b6a8877" };
const second: Who = { name: "claude-code:99aa0b1c2d3e4f50" };

const request = (body: ReturnType<typeof Agent.stateless>, tool: string, who: Who) => {
  const meta = who.meta === undefined ? {} : { "quartermaster/worker": who.meta };
  Object.assign(body.body.params._meta, meta);
  const headers = {
    ...body.headers,
    "mcp-name": tool,
    ...(who.name !== undefined && { "quartermaster-worker": who.name }),
    ...(who.run !== undefined && { "quartermaster-run": who.run }),
  };
  return world.post(body.body, headers, who.key);
};

const call = async (who: Who, name: string, args: object = {}) => {
  const message = Agent.stateless("tools/call", { name, arguments: args });
  const response = await request(message, name, who);
  assert.strictEqual(response.status, 200, response.text);
  return response.body.result;
};

/** The JSON of a result's first text. */
const tell = async (who: Who, name: string, args: object = {}) =>
  JSON.parse((await call(who, name, args)).content[0].text);

const issue = (body: object = {}) => world.issue({ assignedAgentId: "bot", ...body });
const person = (id: string, action: string) =>
  world.call("POST", `/api/projects/issues/${id}/${action}`);

/** An issue that the process has picked up. */
const holding = async (who: Who) => {
  const { id } = await issue();
  const next = await tell(who, "work_next");
  assert.strictEqual(next.issue.id, id);
  return { id, runId: String(next.run.runId) };
};

const handIn = (who: Who, runId?: string) =>
  tell(who, "work_finish", { outcome: "resolved", ...(runId && { runId }) });

describe("the name of a process", () => {
  it("[work.worker.name] Quartermaster-Worker is a worker of its own within its key, before the name in _meta", async () => {
    const one = await holding(first);
    const two = await holding(second);
    assert.strictEqual((await tell(first, "work_next")).run.runId, one.runId);
    assert.strictEqual((await tell({ ...first, meta: "other" }, "work_turn")).runId, one.runId);
    const other = await world.key({ role: "Editor", agentId: "bot" });
    assertFields(await tell({ ...first, key: other.key }, "work_turn"), { error: "no-run" });
    assertFields(await tell({ meta: String(first.name) }, "work_turn"), { runId: one.runId });
    // The run in the header comes first.
    assertFields(await tell({ ...first, run: two.runId }, "work_turn"), { runId: two.runId });
    await handIn(first);
    await handIn(second);
  });

  it("[work.worker.name-form] another form is refused on every route, and an empty one counts as missing", async () => {
    const errors = [{ path: "quartermaster-worker", message: /16 to 64/ }];
    const bot = world.as(world.agent.key);
    for (const name of [
      "fifteen-letters",
      "x".repeat(65),
      "sixteen letters?",
      "größer-als-sechzehn",
    ]) {
      const encoded = Buffer.from(name).toString("latin1");
      const refused = await bot("GET", "/api/projects", {
        headers: { "quartermaster-worker": encoded },
      });
      assertProblem(refused, 400, "invalid-request", { errors });
      const message = Agent.stateless("tools/list");
      const mcp = await request(message, "", { name: encoded });
      assertProblem(mcp, 400, "invalid-request", { errors });
    }
    for (const name of ["", "A-Z_a.z:0-9abcdef", "x".repeat(64)]) {
      const headers = { "quartermaster-worker": name };
      assert.strictEqual((await bot("GET", "/api/projects", { headers })).status, 200);
    }
  });

  it("[work.worker.own-stop] two processes with one key have their own issues and their own stops", async () => {
    const one = await holding(first);
    const two = await holding(second);
    await person(one.id, "pause");
    const stop = { runId: one.runId, reason: "paused" };
    assert.deepStrictEqual((await call(first, "whoami"))._meta["quartermaster/stop"], stop);
    assert.notProperty((await call(second, "whoami"))._meta ?? {}, "quartermaster/stop");
    const write = { issueId: two.id, title: "Renamed" };
    assertFields(await tell(first, "issue_update", write), { error: "run-ended", ...stop });
    assertFields(await tell(second, "issue_update", write), { title: "Renamed" });
    assertFields(await tell(second, "work_turn"), { action: "continue" });
    assertFields(await tell(first, "work_turn"), { action: "stop", reason: "paused" });
    await tell(first, "work_next");
    await handIn(second);
  });
});

describe("the fence of a process without a run in its requests", () => {
  it("[work.fence.writes] it writes nothing after a stop until it acknowledged it and found nothing; reads and comments go on", async () => {
    const { id, runId } = await holding(first);
    const other = (await issue({ assignedAgentId: null })).id;
    const create = { projectId: "p1", title: "Late" };
    await person(id, "pause");
    const ended = { error: "run-ended", runId, reason: "paused" };
    const refused = async () => {
      for (const [name, args] of [
        ["issue_create", create],
        ["issue_update", { issueId: other, title: "Late" }],
        ["issue_link", { issueId: other, targetIssueId: id, linkType: "RelatedTo" }],
        ["ask", { prompt: "Which?" }],
      ] as const) {
        const result = await call(first, name, args);
        assert.isTrue(result.isError, name);
        assertFields(JSON.parse(result.content[0].text), ended);
        assert.deepStrictEqual(result._meta["quartermaster/stop"], { runId, reason: "paused" });
      }
    };
    await refused();
    assertFields(await tell(first, "issue_get", { issueId: id }), { id });
    assertFields(await tell(first, "issue_comment", { issueId: id, content: "Half done" }), {
      issueId: id,
    });
    const waiting = await call(first, "work_next");
    assertFields(JSON.parse(waiting.content[0].text), { run: null, reason: "runEnded" });
    assert.deepStrictEqual(waiting._meta["quartermaster/stop"], { runId, reason: "paused" });
    // An acknowledgement by the run's header is not one of this process.
    assertFields(await tell({ run: runId }, "work_turn"), { action: "stop" });
    await refused();
    assertFields(await tell(first, "work_turn"), { action: "stop", reason: "paused", runId });
    await refused();
    assertFields(await tell(first, "work_next"), { run: null, reason: "nothing" });
    assertFields(await tell(first, "issue_create", create), { title: "Late" });
  });

  it("[work.fence.tools] granted tools and resources are not sent for a run that has to stop, also through call_tool", async () => {
    const { id, runId } = await holding(first);
    assert.notOk((await call(first, "test-tool__add", { a: 1, b: 2 })).isError);
    await person(id, "pause");
    const stop = { "quartermaster/stop": { runId, reason: "paused" } };
    const refusal = (advice: string) => ({
      content: [
        { type: "text", text: `[Quartermaster] Not sent: your issue was paused. ${advice}` },
      ],
      isError: true,
      _meta: stop,
    });
    assertFields(await call(first, "test-tool__add"), refusal("Call work_turn."));
    const named = await call({ run: runId }, "test-tool__add");
    assertFields(named, refusal("Stop."));
    const read = Agent.stateless("resources/read", { uri: "qm+test-tool+file:///notes" });
    const { body } = await request(read, "qm+test-tool+file:///notes", first);
    assertFields(body.error, { code: -32_603, data: { reason: "runEnded" } });
    await tell(first, "work_turn");
    assertFields(await call(first, "test-tool__add"), refusal("Call work_turn."));
    await tell(first, "work_next");
    assert.notOk((await call(first, "test-tool__add", { a: 1, b: 2 })).isError);
  });

  it("[work.fence.released] a hand-in as released fences it until it claims, one for review does not", async () => {
    const { id, runId } = await holding(first);
    await tell(first, "work_finish", { outcome: "released", retryAfterSeconds: 600 });
    const write = { issueId: id, title: "Later" };
    assertFields(await tell(first, "issue_update", write), { error: "run-ended", runId });
    assert.deepStrictEqual((await call(first, "test-tool__add")).content, [
      {
        type: "text",
        text: "[Quartermaster] Not sent: your issue was handed in, or its status was changed. Call work_turn.",
      },
    ]);
    assertFields(await tell(first, "work_next"), { run: null, reason: "notBefore" });
    assertFields(await tell(first, "issue_update", write), { title: "Later" });
    await pass(601);
    await tell(first, "work_next");
    await tell(first, "work_finish", { outcome: "review" });
    assertFields(await tell(first, "issue_update", { ...write, title: "Last" }), {
      title: "Last",
    });
  });

  it("[work.fence.several] one that holds several runs has to name one", async () => {
    await issue();
    await issue();
    const bot = world.as(world.agent.key);
    const beat = await bot("POST", "/api/agents/bot/heartbeat", { body: { capacity: 2 } });
    const runIds: ReadonlyArray<string> = beat.body.started.map(
      ({ runId }: { readonly runId: string }) => runId,
    );
    for (const runId of runIds) await tell(first, "work_turn", { runId });
    const refused = await tell(first, "issue_create", { projectId: "p1", title: "Whose?" });
    assertFields(refused, { error: "tool-unavailable", reason: "noRun" });
    assert.sameMembers(refused.runIds, [...runIds]);
    assertFields(await tell(first, "test-tool__add", {}), { reason: "noRun" });
    assertFields(await tell(first, "whoami"), { agentId: "bot" });
    const named = { ...first, run: runIds[0]! };
    const made = await tell(named, "issue_create", { projectId: "p1", title: "The first one's" });
    assertFields(made, { title: "The first one's" });
    for (const runId of runIds) await handIn(first, runId);
  });
});

describe("processes that only their key identifies", () => {
  it("[work.shared.busy] work_next names the run of the other process; the stop names the run to acknowledge", async () => {
    const { id, runId } = await holding({});
    const busy = await tell({}, "work_next");
    assertFields(busy, { run: null, reason: "busy", runs: [{ runId, issueId: id }] });
    assert.match(
      busy.detail,
      new RegExp(
        `^Another process with this key holds ${runId} \\(${id}, since \\S+, last seen \\S+\\)\\. Wait, or take it over with runId if that process is gone\\.$`,
      ),
    );
    await person(id, "pause");
    const result = await call({}, "whoami");
    const notice = `[Quartermaster] Stop working on ${id}: it was paused. Call work_turn with runId ${runId}.`;
    assert.strictEqual(result.content.at(-1).text, notice);
    const refused = await call({}, "test-tool__add");
    assert.deepStrictEqual(
      refused.content.map(({ text }: { readonly text: string }) => text),
      ["[Quartermaster] Not sent: your issue was paused. Call work_turn.", notice],
    );
    const late = await call({}, "issue_update", { issueId: id, title: "Late" });
    assert.strictEqual(late.content.at(-1).text, notice);
    assertFields(await tell({}, "work_turn"), { action: "stop", runId });
    assert.strictEqual((await call({}, "whoami")).content.at(-1).text, notice);
    assertFields(await tell({}, "work_turn", { runId }), { action: "stop", reason: "paused" });
    assertFields(await tell({}, "work_next"), { run: null, reason: "nothing" });
    assert.strictEqual((await call({}, "whoami")).content.at(-1).text, notice);
    await pass(901);
    assert.lengthOf((await call({}, "whoami")).content, 1);
  });
});

describe("a takeover", () => {
  it("[work.take-over.tools] work_next and work_turn start a new run once the holder is silent, and fence it", async () => {
    const { id, runId } = await holding(first);
    const held = { error: "held", runId, agentId: "bot" };
    assertFields(await tell(second, "work_turn", { runId }), held);
    assertFields(await tell(second, "work_finish", { runId, outcome: "review" }), held);
    assertFields(await tell(second, "work_turn"), { error: "no-run", runIds: [runId] });
    const nothing = await tell(second, "work_next");
    assertFields(nothing, { run: null, reason: "nothing", runs: [{ runId }] });
    assert.include(nothing.detail, "take its run over with runId");
    assertFields(await tell(second, "work_turn", { runId, takeOver: true }), {
      action: "wait",
      reason: "busy",
      runs: [{ runId }],
    });
    await pass(61);
    const taken = await tell(second, "work_next", { runId });
    assertFields(taken, { issue: { id }, run: { attempt: 1 } });
    assert.notStrictEqual(taken.run.runId, runId);
    const late = await tell(first, "issue_update", { issueId: id, title: "Late" });
    assertFields(late, { error: "run-ended", runId, reason: "takenOver" });
    assertFields(await tell(first, "work_turn"), { action: "stop", reason: "takenOver" });
    await tell(first, "work_next");
    await pass(61);
    const back = await tell(first, "work_turn", { runId: taken.run.runId, takeOver: true });
    assertFields(back, { action: "continue", reason: null });
    assert.notInclude([runId, taken.run.runId], back.runId);
    assertFields(await tell(second, "work_turn"), { action: "stop", reason: "takenOver" });
    await handIn(first);
    await tell(second, "work_next");
    assertFields(await tell(first, "work_turn", { takeOver: true }), {
      errors: [{ path: "runId" }],
    });
  });
});

describe("a takeover while a call is in flight", () => {
  it("[work.take-over.call] is busy until the call of the run has ended", async () => {
    const { runId } = await holding(first);
    const called = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    world.server.onCall = () =>
      Effect.promise(async () => {
        called.resolve();
        await go.promise;
        return { content: [] };
      });
    const calling = call(first, "test-tool__add", { a: 1, b: 2 });
    await called.promise;
    const busy = { run: null, reason: "busy", runs: [{ runId }] };
    assertFields(await tell(first, "work_next", { runId }), busy);
    go.resolve();
    assert.notOk((await calling).isError);
    const taken = await tell(first, "work_next", { runId });
    assert.notStrictEqual(taken.run.runId, runId);
    await handIn(first);
  });
});

describe("a session that its client deletes", () => {
  const inSession = async (id: string, name: string, args: object = {}) => {
    const params = { name, arguments: args };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const { body } = await world.post(message, { "mcp-session-id": id });
    return JSON.parse(body.result.content[0].text);
  };

  it("[work.session-end.delete] releases its run after 60 seconds, without an attempt", async () => {
    const { headers } = await world.post(Agent.initialize);
    const session = headers.get("mcp-session-id") ?? "";
    const { id } = await issue();
    const { run } = await inSession(session, "work_next");
    const bot = world.as(world.agent.key);
    const ended = await bot("DELETE", "/mcp", { headers: { "mcp-session-id": session } });
    assert.strictEqual(ended.status, 200);
    await pass(59);
    assertFields(await tell(first, "work_next"), {
      reason: "nothing",
      runs: [{ runId: run.runId }],
    });
    await pass(1);
    assertFields(await tell(first, "work_next"), {
      issue: { id, attempts: 0 },
      run: { attempt: 1 },
    });
    await handIn(first);
  });
});
