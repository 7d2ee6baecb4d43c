import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertInvalid, assertProblem } from "./support/Assert.ts";
import * as EventStream from "./support/EventStream.ts";
import * as World from "./support/World.ts";

let world: World.World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const started = async () => {
  const run = await world.running();
  const url = `/api/agents/${run.agentId}/runs/${run.runId}/log`;
  const write = (from: number, texts: ReadonlyArray<string>, headers = {}) =>
    world.call("POST", url, {
      body: { from, entries: texts.map((text) => ({ stream: "stdout", text })) },
      headers,
    });
  return { ...run, url, write };
};

describe("logs of runs", () => {
  it("[logs.http] POST returns next, bytes and dropped, and GET the entries", async () => {
    const { url, write } = await started();
    const written = await write(0, ["one\n", "two"]);
    assert.deepStrictEqual(
      [written.status, written.body],
      [200, { next: 2, bytes: 8, dropped: 0 }],
    );
    assertProblem(await write(3, ["four"]), 409, "log-gap", { next: 2 });
    assertProblem(await write(0, ["ONE"]), 409, "log-gap", { next: 2 });
    const viewer = world.as(world.keys.viewer.key);
    const page = (await viewer("GET", `${url}?after=1&limit=5000&stream=stdout&writer=runner`))
      .body;
    const { at, ...entry } = page.entries[0];
    assert.match(at, /^\d{4}-/);
    assert.deepStrictEqual(
      [entry, page.entries.length, page.next, page.dropped, page.ended],
      [{ n: 2, writer: "runner", stream: "stdout", text: "two" }, 1, 2, 0, false],
    );
  });

  it("[logs.http.tail] GET with tail returns only the newest entries", async () => {
    const { url, write } = await started();
    const read = async (query: string) => {
      const { body } = await world.call("GET", `${url}?${query}`);
      return [body.entries.map(({ text }: { readonly text: string }) => text), body.next];
    };
    assert.deepStrictEqual(await read("tail=2"), [[], 0]);
    await write(0, ["one\n", "two\n", "three\n"]);
    assert.deepStrictEqual(await read("tail=2"), [["two\n", "three\n"], 3]);
    assert.deepStrictEqual(await read("tail=2&after=2"), [["three\n"], 3]);
    assert.deepStrictEqual(await read("tail=9"), [["one\n", "two\n", "three\n"], 3]);
    assertInvalid(await world.call("GET", `${url}?tail=0`), "tail");
  });

  it("[logs.http.text] GET with Accept: text/plain streams the log as text", async () => {
    const { url, write } = await started();
    const line = `${"x".repeat(99_999)}\n`;
    for (let n = 0; n < 60; n++) await write(n, [line]);
    await write(60, ["\u0000end"]);
    const answer = await world.call("GET", url, { headers: { accept: "text/plain" } });
    assert.strictEqual(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.isTrue(answer.text === `${line.repeat(60)}\u0000end\n`);
  });

  it("[logs.http.400] bad bodies, parameters and an Idempotency-Key are a 400, and a large body is a 413", async () => {
    const { agentId, url, write } = await started();
    assertInvalid(await write(0, ["a"], { "idempotency-key": "k" }), "idempotency-key");
    assertInvalid(await write(-1, ["a"]), "from");
    assertInvalid(await world.call("POST", url, { body: { from: 0 } }), "entries");
    const wrong = { from: 0, entries: [{ stream: "log", text: "x" }] };
    assertInvalid(await world.call("POST", url, { body: wrong }), "entries.0.stream");
    for (const query of ["limit=5001", "waitSeconds=56", "after=-1", "stream=x", "limit=0"]) {
      const name = query.slice(0, query.indexOf("="));
      assertInvalid(await world.call("GET", `${url}?${query}`), name);
    }
    const large = await write(0, ["\u001b".repeat(256 * 1024), "x"]);
    assertProblem(large, 413, "payload-too-large", { limitBytes: 262_144 });
    assert.strictEqual((await write(0, ["\u001b".repeat(256 * 1024)])).status, 200);
    const none = `/api/agents/${agentId}/runs/run_none/log`;
    const body = { from: 0, entries: [] };
    for (const answer of [
      await world.call("GET", none),
      await world.call("POST", none, { body }),
    ]) {
      assertProblem(answer, 404, "not-found", { resource: "run", id: "run_none" });
    }
  });

  it("[logs.who] an agent's key writes to a run that it started, or that the header names", async () => {
    const { runId, url } = await started();
    const agent = await world.key({ role: "Editor", agentId: "agent-1" });
    const body = { from: 0, entries: [{ stream: "host", text: "hello" }] };
    const write = (headers: Record<string, string> = {}) =>
      world.as(agent.key)("POST", url, { body, headers });
    assertProblem(await write(), 403, "forbidden", { requiredRole: null });
    assert.strictEqual((await write({ "quartermaster-run": runId })).status, 200);
    const made = await world.issue({ assignedAgentId: "agent-1" });
    const beat = await world.as(agent.key)("POST", "/api/agents/agent-1/heartbeat", {
      body: { capacity: 50 },
    });
    const own = beat.body.started.find(
      (run: { readonly issue: { readonly id: string } }) => run.issue.id === made.id,
    );
    const path = `/api/agents/agent-1/runs/${own.runId}/log`;
    assert.strictEqual((await world.as(agent.key)("POST", path, { body })).status, 200);
  });

  it("[runs.http] runs, a run and its timeline are read over HTTP, and what is not visible is a 404", async () => {
    const { agentId, issueId, runId } = await started();
    const viewer = world.as(world.keys.viewer.key);
    const turn = `/api/agents/${agentId}/runs/${runId}/turn`;
    assert.strictEqual((await world.call("POST", turn)).status, 200);
    const noted = await world.call("POST", turn, { body: { note: "Reading" } });
    assert.strictEqual(noted.status, 200);
    assertInvalid(await world.call("POST", turn, { body: { note: "" } }), "note");
    const run = await viewer("GET", `/api/runs/${runId}`);
    assert.deepInclude(run.body, { id: runId, note: "Reading", logBytes: 0, exitCode: null });
    const listed = await viewer("GET", `/api/runs?issueId=${issueId}&status=active&limit=1`);
    assert.deepStrictEqual(listed.body, [run.body]);
    const entries = await viewer("GET", `/api/agents/${agentId}/runs/${runId}/timeline`);
    assert.deepStrictEqual(
      entries.body.map(({ kind }: { readonly kind: string }) => kind),
      ["started", "turn", "note"],
    );
    assertInvalid(await viewer("GET", "/api/runs?outcome=good"), "outcome");
    assertInvalid(await viewer("GET", "/api/runs?from=monday"), "from");
    assertInvalid(await viewer("GET", "/api/runs?endedFrom=monday"), "endedFrom");
    const ended = await viewer(
      "GET",
      `/api/runs?issueId=${issueId}&endedFrom=2020-01-01T00:00:00Z`,
    );
    assert.deepStrictEqual(ended.body, []);
    const { key } = await world.key({ role: "Viewer", projects: ["elsewhere"] });
    const elsewhere = world.as(key);
    assert.deepStrictEqual((await elsewhere("GET", "/api/runs")).body, []);
    for (const path of [`/api/runs/${runId}`, `/api/agents/${agentId}/runs/${runId}/timeline`]) {
      assertProblem(await elsewhere("GET", path), 404, "not-found", { resource: "run", id: runId });
    }
  });

  it("[logs.event] run.logged arrives on the stream at most once a second, without an id, also for a note", async () => {
    const { issueId, runId, write } = await started();
    const stream = await EventStream.open(world, "?kinds=run.logged", {
      authorization: `Bearer ${world.keys.viewer.key}`,
    });
    const startedAt = performance.now();
    for (let n = 0; n < 20; n++) await write(n, ["x"]);
    const next = async (of = runId) => {
      for (;;) {
        const event = await stream.next();
        // Other tests' runs have events too.
        if (event?.data.subjectId === of) return event;
      }
    };
    const first = await next();
    assert.deepStrictEqual(
      [first.event, first.id ?? "", first.data.data.issueId],
      ["run.logged", "", issueId],
    );
    // The first event may be for all of the burst.
    await write(20, ["x"]);
    await next();
    assert.isAbove(performance.now() - startedAt, 900);
    const other = await started();
    const turn = `/api/agents/${other.agentId}/runs/${other.runId}/turn`;
    await world.call("POST", turn, { body: { note: "Noted" } });
    await next(other.runId);
    stream.close();
  });
});
