import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { withHost } from "../../http/test/support/Agent.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

const endings: Array<() => Promise<void>> = [];
const end = (effect: () => Promise<void>) => endings.unshift(effect);
let server: Quartermaster;

beforeAll(async () => {
  const env = {
    QM_STRICT_AGENTS: "1",
    QM_STRICT_PROJECTS: "1",
    QM_MAX_STREAMS: "1",
    QM_MAX_ATTEMPTS: "1",
    QM_ALLOWED_HOSTS: "quartermaster",
    QM_ALLOWED_ORIGINS: "https://agents.example.com",
  };
  server = await Quartermaster.start(await temporaryFolder(end), env, end);
  for (const id of ["demo", "other"]) await post("/api/projects", { id });
});
afterAll(async () => {
  for (const finish of endings) await finish();
});

const post = (path: string, body: object) => server.call("POST", path, { body });

describe("a server with settings", () => {
  it("[server.strict-agents] QM_STRICT_AGENTS refuses an assignment to an agent that is not registered", async () => {
    const body = { title: "Mend the roof", assignedAgentId: "nigth-3" };
    const refused = await post("/api/projects/demo/issues", body);
    assert.strictEqual(refused.status, 422);
    assert.strictEqual(refused.body.type, "urn:quartermaster:problem:unknown-reference");
    assert.strictEqual(refused.body.field, "assignedAgentId");
    await server.call("PUT", "/api/agents/nigth-3", { body: {} });
    assert.strictEqual((await post("/api/projects/demo/issues", body)).status, 201);
  });

  it("[server.strict-projects] QM_STRICT_PROJECTS refuses an issue in a project that does not exist", async () => {
    const refused = await post("/api/projects/dmeo/issues", { title: "Mend the roof" });
    assert.strictEqual(refused.status, 422);
    assert.strictEqual(refused.body.type, "urn:quartermaster:problem:unknown-reference");
    assert.strictEqual(refused.body.field, "projectId");
  });

  it("[server.reach] QM_ALLOWED_HOSTS and QM_ALLOWED_ORIGINS open /mcp to other names and to web pages", async () => {
    const { body } = await post("/api/keys", { name: "bot", role: "Editor", agentId: "bot" });
    assert.strictEqual(await withHost(server.url, body.key, "quartermaster:7420"), 200);
    assert.strictEqual(await withHost(server.url, body.key, "elsewhere:7420"), 403);
    const origin = "https://agents.example.com";
    const headers = { origin, "access-control-request-method": "POST" };
    const preflight = await server.call("OPTIONS", "/mcp", { headers });
    assert.strictEqual(preflight.status, 204);
    assert.strictEqual(preflight.headers.get("access-control-allow-origin"), origin);
  });

  it("[server.names] advice to change a setting names its variable", async () => {
    const { body } = await post("/api/keys", { name: "web", role: "Editor", agentId: "web" });
    const headers = { origin: "https://elsewhere.example" };
    const refused = await server.call("POST", "/mcp", { key: body.key, headers, body: {} });
    assert.strictEqual(refused.status, 403);
    assert.include(refused.body.detail, "`QM_ALLOWED_ORIGINS`");
    const entry = await post("/api/mcp/catalog", {
      id: "notes",
      name: "Notes",
      description: "Reads notes",
      category: "productivity",
      transport: "stdio",
      runtime: "none",
      installInstructions: "Install it",
      manifest: { command: "/usr/bin/cat", sandbox: { read: ["/srv/notes"] } },
    });
    assert.strictEqual(entry.status, 400);
    assert.include(entry.body.errors[0].message, "QM_ALLOWED_PATHS");
  });

  it("[server.max-streams] QM_MAX_STREAMS limits the event streams of a key", async () => {
    const first = await server.fetch("/api/events");
    assert.strictEqual(first.status, 200);
    assert.strictEqual((await server.fetch("/api/events")).status, 429);
    await first.body?.cancel();
  });

  it("[server.metrics.issues] a Metrics key reads the number of issues by status", async () => {
    const created = await post("/api/projects/other/issues", { title: "Count me" });
    const { id } = created.body;
    await post("/api/projects/other/issues", { title: "Count me too" });
    const { key } = (await post("/api/keys", { name: "Prometheus", role: "Metrics" })).body;
    const read = async () => {
      const { text } = await server.call("GET", "/metrics", { key });
      const lines = text.split("\n");
      return Object.fromEntries(
        lines.flatMap((line) => {
          const [, status, count] =
            /^quartermaster_issues\{status="(\w+)"\} (\d+)$/.exec(line) ?? [];
          return status === undefined ? [] : [[status, Number(count)]];
        }),
      );
    };
    const before = await read();
    assert.lengthOf(Object.keys(before), 6);
    assert.strictEqual(before["PendingReview"], 0);
    await server.call("PUT", `/api/projects/issues/${id}`, { body: { status: "PendingReview" } });
    assert.deepStrictEqual(await read(), {
      ...before,
      Open: (before["Open"] ?? 0) - 1,
      PendingReview: 1,
    });
  });

  it("[server.metrics.questions] the metrics count open questions", async () => {
    const { id } = (await post("/api/projects/other/issues", { title: "Ask about me" })).body;
    const { body } = await post(`/api/projects/issues/${id}/questions`, { prompt: "Which?" });
    const open = async () =>
      /^quartermaster_open_questions (\d+)$/m.exec(
        (await server.call("GET", "/metrics")).text,
      )?.[1];
    assert.strictEqual(await open(), "1");
    await post(`/api/projects/questions/${body.id}/answer`, { answer: "This one" });
    assert.strictEqual(await open(), "0");
  });

  it("[attempts.setting] QM_MAX_ATTEMPTS limits the attempts", async () => {
    await server.call("PUT", "/api/agents/night", { body: {} });
    await post("/api/projects/demo/issues", { title: "Fail", assignedAgentId: "night" });
    const { started } = (await post("/api/agents/night/heartbeat", {})).body;
    const path = `/api/agents/night/runs/${started[0].runId}/finish`;
    const { body } = await post(path, { outcome: "failed", retry: true });
    assert.strictEqual(body.pausedBecause, "tooManyAttempts");
    const { body: runs } = await server.call("GET", "/api/agents/night/runs");
    assert.deepInclude(runs[0], { attempt: 1, stopReason: "paused", outcome: "failed" });
  });
});
