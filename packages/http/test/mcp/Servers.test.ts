import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Effect } from "effect";
import { assertFields, assertInvalid, assertProblem, assertShape } from "../support/Assert.ts";
import { secret, tool } from "../support/Servers.ts";
import * as World from "../support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  world.admin("POST", "/api/mcp/installed", { body, headers });

const get = async (id: string) => (await world.admin("GET", world.at(id))).body;

describe("installing", () => {
  it("[mcp.install.201] an install responds with 201, the server and its URL, without values", async () => {
    const answer = await post({ catalogId: "test-notes", envValues: { NOTES_KEY: secret } });
    assert.strictEqual(answer.status, 201);
    assertShape(answer.body, {
      id: /^mcp_[0-9A-Z]{26}$/,
      name: "test-notes",
      catalogId: "test-notes",
      transport: "stdio",
      status: "disabled",
      outage: null,
      version: "1.2.3",
      updateAvailable: false,
      lastVerification: null,
      sandbox: "direct",
      env: [
        { name: "NOTES_KEY", isSet: true },
        { name: "NOTES_PROJECT", isSet: false },
      ],
      toolsChanged: false,
      toolsDigest: null,
      instructions: null,
      tokens: 0,
      maxResultBytes: 4_194_304,
      idleSeconds: 300,
      callTimeoutSeconds: null,
      callMaxSeconds: 3_600,
      warnings: [],
      once: [],
      onceErrors: "retry",
      settle: "agent",
      sendContext: true,
      recordCalls: "errors",
      createdAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      updatedAt: answer.body.createdAt,
    });
    assert.strictEqual(answer.headers.get("location"), world.at(answer.body.id));
    assert.deepStrictEqual(
      (await world.admin("GET", answer.headers.get("location") ?? "")).body,
      answer.body,
    );
    assert.notInclude(answer.text, secret);
  });

  it("[mcp.install.names] the second install of an entry gets -2; a chosen name is used or refused", async () => {
    const names: Array<string> = [];
    for (let n = 0; n < 3; n++) names.push((await world.install({ catalogId: "test-tool" })).name);
    assert.deepStrictEqual(names, ["test-tool", "test-tool-2", "test-tool-3"]);
    assert.strictEqual(
      (await world.install({ catalogId: "test-tool", name: "mine" })).name,
      "mine",
    );
    assertProblem(await post({ catalogId: "test-tool", name: "mine" }), 409, "name-taken");
    for (const name of ["", "Mine", "a".repeat(33), "a b"]) {
      assertInvalid(await post({ catalogId: "test-tool", name }), "name");
    }
  });

  it("[mcp.install.refusals] each reason for a refusal has its problem", async () => {
    assertProblem(await post({ catalogId: "none" }), 422, "unknown-reference", {
      field: "catalogId",
      id: "none",
    });
    assertProblem(await post({ catalogId: "test-notes" }), 422, "missing-env", {
      missing: ["NOTES_KEY"],
    });
    assertProblem(
      await post({ catalogId: "test-notes", envValues: { NOTES_KEY: "" } }),
      422,
      "missing-env",
      { missing: ["NOTES_KEY"] },
    );
    assertProblem(
      await post({ catalogId: "test-notes", envValues: { NOTES_KEY: "k", OTHER: "x" } }),
      422,
      "unknown-env",
      { unknown: ["OTHER"] },
    );
    assertProblem(
      await post({ catalogId: "test-files", envValues: { ROOT: "/data/files" } }),
      422,
      "forbidden-path",
      { name: "ROOT" },
    );
    const { runtimes } = world.scripted;
    const { report } = runtimes;
    runtimes.report = { ...report, node: { detected: false } };
    assertProblem(
      await post({ catalogId: "test-notes", envValues: { NOTES_KEY: "k" } }),
      422,
      "runtime-missing",
      { runtime: "node" },
    );
    runtimes.report = report;
  });

  it("[mcp.install.values] values with line ends are refused, and are not in the response", async () => {
    for (const value of [`${secret}\n`, `${secret}\r`, `${secret}\0`]) {
      const answer = await post({ catalogId: "test-notes", envValues: { NOTES_KEY: value } });
      assertInvalid(answer, "envValues.NOTES_KEY");
      assert.notInclude(answer.text, secret);
    }
    const number = await post({ catalogId: "test-notes", envValues: { NOTES_KEY: 4_711_4711 } });
    assert.strictEqual(number.status, 400);
    assert.notInclude(number.text, "47114711");
  });

  it("[mcp.install.idempotent] a repeated request installs nothing; a different one is refused", async () => {
    const body = { catalogId: "test-notes", envValues: { NOTES_KEY: secret }, name: "once" };
    const key = { "idempotency-key": "install-1" };
    const first = await post(body, key);
    const again = await post(body, key);
    assert.deepStrictEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assertProblem(
      await post({ ...body, envValues: { NOTES_KEY: "another" } }, key),
      422,
      "idempotency-mismatch",
    );
  });

  it("[mcp.list] all installed servers are listed, oldest first", async () => {
    const { body, headers } = await world.admin("GET", "/api/mcp/installed");
    const ids = body.map(({ id }: { id: string }) => id);
    assert.deepStrictEqual(ids, [...ids].toSorted());
    assert.isNull(headers.get("link"));
  });

  it("[mcp.404] every route of an unknown server is a 404", async () => {
    const gone = { resource: "installedServer", id: "mcp_none" };
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PUT", "", {}],
      ["DELETE", "", undefined],
      ["POST", "/verify", undefined],
      ["POST", "/enable", undefined],
      ["POST", "/disable", {}],
      ["GET", "/tools", undefined],
      ["GET", "/access", undefined],
      ["PUT", "/access", { entries: [] }],
    ] as const) {
      const answer = await world.admin(method, world.at("mcp_none", path), { body });
      assertProblem(answer, 404, "not-found", gone);
    }
  });
});

describe("updating", () => {
  it("[mcp.update] an omitted field does not change; values are merged, and null removes an optional one", async () => {
    const { id } = await world.notes("updated");
    const put = (body: unknown) => world.admin("PUT", world.at(id), { body });
    const set = await put({ envValues: { NOTES_PROJECT: "garden" } });
    assert.deepStrictEqual(
      [set.status, set.body.env],
      [
        200,
        [
          { name: "NOTES_KEY", isSet: true },
          { name: "NOTES_PROJECT", isSet: true },
        ],
      ],
    );
    assert.isFalse((await put({ envValues: { NOTES_PROJECT: null } })).body.env[1].isSet);
    assert.strictEqual((await put({ name: "renamed" })).body.name, "renamed");
    assertFields((await put({})).body, { name: "renamed", status: "disabled" });
    assertProblem(await put({ envValues: { NOTES_KEY: null } }), 422, "missing-env", {
      missing: ["NOTES_KEY"],
    });
    assertProblem(await put({ envValues: { OTHER: "x" } }), 422, "unknown-env", {
      unknown: ["OTHER"],
    });
    assertProblem(await put({ name: "once" }), 409, "name-taken");
    assert.strictEqual((await put({ version: "newest" })).status, 400);
    assert.strictEqual((await put({ nonsense: 1 })).status, 400);
    assert.strictEqual((await put({ version: "catalog" })).status, 200);
  });
});

describe("verifying", () => {
  it("[mcp.verify.200] a verify returns the response time, and the tools in the server's order", async () => {
    const { id } = await world.notes("verified");
    world.script("notes").tools = [tool("write"), tool("read")];
    const { body, status } = await world.admin("POST", world.at(id, "/verify"));
    assert.strictEqual(status, 200);
    assertShape(body, {
      status: "ok",
      details: /\b\d+ ms\b/,
      capabilities: ["write", "read"],
      tokens: Number,
    });
    assertShape((await get(id)).lastVerification, {
      ...body,
      verifiedAt: /Z$/,
    });
    const { body: tools } = await world.admin("GET", world.at(id, "/tools"));
    assertShape(
      tools,
      ["write", "read"].map((name) => ({
        name,
        kind: "tool",
        state: "accepted",
        reason: null,
        digest: /^[0-9a-f]{64}$/,
        tokens: Number,
        once: false,
        accepted: tool(name),
        current: tool(name),
      })),
    );
  });

  it("[mcp.verify.error] a failed verify returns the reason and no capabilities, and sets the status error", async () => {
    const { id } = await world.notes("failed");
    world.script("notes").onConnect = new McpConnector.ConnectorError({
      reason: "exited",
      message: `The program exited with code 1: no such key ${secret}`,
      sent: false,
    });
    const { body, status, text } = await world.admin("POST", world.at(id, "/verify"));
    world.script("notes").onConnect = Effect.void;
    assert.strictEqual(status, 200);
    assertShape(body, { status: "error", details: /code 1/, tokens: null });
    assert.notInclude(text, secret);
    assertFields(await get(id), {
      status: "error",
      outage: { since: String, reason: body.details, attempts: 0, retryAt: null },
      lastVerification: { status: "error", details: body.details },
    });
    assert.isFalse("capabilities" in (await get(id)).lastVerification);
    await world.admin("POST", world.at(id, "/verify"));
    assert.strictEqual((await get(id)).status, "disabled");
  });

  it("[mcp.outage.shown] an installed server shows the start and the reason of its outage, and the next retry", async () => {
    const { id } = await world.notes("out");
    world.script("notes").tools = [tool("write")];
    await world.act(id, "verify");
    await world.act(id, "enable");
    world.script("notes").onConnect = new McpConnector.ConnectorError({
      reason: "unreachable",
      message: "Refused.",
      sent: false,
    });
    await world.act(id, "verify");
    world.script("notes").onConnect = Effect.void;
    const { outage, status } = await get(id);
    assert.strictEqual(status, "error");
    assertShape(outage, { since: String, reason: "Refused.", attempts: 0, retryAt: String });
    assert.strictEqual(Date.parse(outage.retryAt) - Date.parse(outage.since), 30_000);
    const { retryAt, since } = outage;
    await world.grant(id, "bot");
    assertProblem(await world.callTool("bot", { name: "out__write" }), 409, "tool-unavailable", {
      reason: "failing",
      since,
      retryAt,
    });
    await world.grant(id, "bot", { granted: false });
    await world.act(id, "verify");
    assertFields(await get(id), { status: "enabled", outage: null });
  });

  it("[mcp.sandbox.422] a verify without its sandbox is a 422 that names the sandbox", async () => {
    const { spawner } = world.scripted;
    const { choose, setting } = spawner;
    const { id } = await world.install({ catalogId: "test-tool" });
    spawner.setting = "docker";
    spawner.choose = () => null;
    const answer = await world.admin("POST", world.at(id, "/verify"));
    assertProblem(answer, 422, "sandbox-missing", { sandbox: "docker" });
    assert.isNull((await get(id)).sandbox);
    Object.assign(spawner, { setting, choose });
  });

  it("[mcp.verify.accept] a verify reports changed tools, and accepts them only with `accept`", async () => {
    const { id } = await world.notes("changed");
    const script = world.script("notes");
    const verify = (query = "") => world.admin("POST", world.at(id, `/verify${query}`));
    script.tools = [tool("write")];
    await verify();
    script.tools = [tool("write", { description: "Does something else" }), tool("new")];
    assert.include((await verify()).body.details, "write, new");
    assert.isTrue((await get(id)).toolsChanged);
    const states = async () =>
      (await world.admin("GET", world.at(id, "/tools"))).body.map(
        (one: { name: string; state: string }) => `${one.name} ${one.state}`,
      );
    assert.deepStrictEqual(await states(), ["write changed", "new new"]);
    assertProblem(await verify("?accept=yes"), 400, "invalid-request", {
      errors: [{ path: "accept", message: "Expected true, false or a toolsDigest." }],
    });
    assert.strictEqual((await verify("?accept=false")).status, 200);
    assert.deepStrictEqual(await states(), ["write changed", "new new"]);
    await verify("?accept=true");
    assert.deepStrictEqual(await states(), ["write accepted", "new accepted"]);
    assert.isFalse((await get(id)).toolsChanged);
  });

  it("[mcp.accept.200] accept, block and unblock return the tools, and another digest is a 412", async () => {
    const { id } = await world.notes("shown");
    const script = world.script("notes");
    const verify = (query = "") => world.admin("POST", world.at(id, `/verify${query}`));
    const post = (what: string, body: unknown) =>
      world.admin("POST", world.at(id, `/tools/${what}`), { body });
    const tools = async () => (await world.admin("GET", world.at(id, "/tools"))).body;
    script.tools = [tool("write")];
    await verify();
    const { toolsDigest } = await get(id);
    script.tools = [tool("write", { title: "2" })];
    await verify();
    const [{ digest }] = await tools();
    assert.match(digest, /^[0-9a-f]{64}$/);
    const stale = await post("accept", { tools: [{ name: "write", digest: "0".repeat(64) }] });
    assertProblem(stale, 412, "precondition-failed", { version: null, names: ["write"] });
    const late = await verify(`?accept=${toolsDigest}`);
    assertProblem(late, 412, "precondition-failed", { version: null, names: Array });
    const accepted = await post("accept", { tools: [{ name: "write", digest }] });
    assert.deepStrictEqual([accepted.status, accepted.body], [200, await tools()]);
    assert.strictEqual(accepted.body[0].state, "accepted");
    const blocked = await post("block", { names: ["write"] });
    assert.deepStrictEqual([blocked.status, blocked.body[0].state], [200, "blocked"]);
    const unblocked = await post("unblock", { names: ["write"] });
    assert.deepStrictEqual([unblocked.status, unblocked.body[0].state], [200, "accepted"]);
    assert.strictEqual((await verify(`?accept=${(await get(id)).toolsDigest}`)).status, 200);
    assert.strictEqual((await post("accept", { tools: [{ name: "write" }] })).status, 400);
  });

  it("[mcp.tokens] a tool, a server, a verify, an access entry and an agent's list have their tokens", async () => {
    const { id } = await world.notes("priced");
    const script = world.script("notes");
    script.tools = [tool("write"), tool("read", { description: "x".repeat(400) })];
    const { body: verified } = await world.admin("POST", world.at(id, "/verify"));
    const { body: tools } = await world.admin("GET", world.at(id, "/tools"));
    const [write, read] = tools.map(({ tokens }: { readonly tokens: number }) => tokens);
    assert.strictEqual(write, Math.ceil(JSON.stringify(tool("write")).length / 4));
    assert.isAbove(read, write + 90);
    assert.strictEqual(verified.tokens, write + read);
    const server = await get(id);
    assert.strictEqual(server.tokens, write + read);
    assert.strictEqual(server.lastVerification.tokens, write + read);
    await world.act(id, "enable");
    await world.grant(id, "priced-agent", { tools: ["read"] });
    const { body: access } = await world.admin("GET", world.at(id, "/access"));
    const entry = access.find(
      ({ agentId }: { readonly agentId: string }) => agentId === "priced-agent",
    );
    assert.strictEqual(entry.tokens, read);
    assert.strictEqual((await world.tools("priced-agent")).body.tokens, read);
    await world.grant(id, "priced-agent", { granted: false });
    const { body: revoked } = await world.admin("GET", world.at(id, "/access"));
    assert.isTrue(revoked.every(({ tokens }: { readonly tokens: number }) => tokens === 0));
  });
});

describe("enabling", () => {
  it("[mcp.enable.204] enable and disable respond with 204, even when repeated", async () => {
    const { id } = await world.notes("enabled");
    for (const [word, status] of [
      ["enable", "enabled"],
      ["disable", "disabled"],
    ] as const) {
      for (let n = 0; n < 2; n++) {
        const answer = await world.admin("POST", world.at(id, `/${word}`));
        assert.deepStrictEqual([answer.status, answer.text], [204, ""]);
        assert.strictEqual((await get(id)).status, status);
      }
    }
  });
});

describe("uninstalling", () => {
  it("[mcp.uninstall.204] an uninstall removes the server and its access, and a second one is a 404", async () => {
    const { id } = await world.notes("gone");
    await world.grant(id, "agent-gone");
    const answer = await world.admin("DELETE", world.at(id));
    assert.deepStrictEqual([answer.status, answer.text], [204, ""]);
    assert.strictEqual((await world.admin("GET", world.at(id))).status, 404);
    assert.strictEqual((await world.admin("DELETE", world.at(id))).status, 404);
    assert.notInclude([...world.scripted.packages.folders].join(), id);
  });
});

interface Entry {
  readonly agentId: string;
  readonly granted: boolean;
  readonly tools: ReadonlyArray<string> | null;
  readonly tokens: number;
}

const unlimited = { readOnly: false, callsPerMinute: null, maxConcurrentCalls: null };

describe("access", () => {
  it("[mcp.access] each registered agent has one entry, and an update changes all in one transaction", async () => {
    const { id } = await world.notes("shared");
    await world.admin("PUT", "/api/agents/agent-a", { body: {} });
    const put = (entries: ReadonlyArray<Record<string, unknown>>) =>
      world.admin("PUT", world.at(id, "/access"), { body: { entries } });
    const before = (await world.admin("GET", world.at(id, "/access"))).body;
    const entry = { agentId: "agent-a", granted: false, tools: null, ...unlimited, tokens: 0 };
    assert.deepInclude(before, entry);
    const granted = await put([
      { agentId: "agent-b", granted: true, tools: ["write"] },
      { agentId: "agent-a", granted: true },
    ]);
    assert.strictEqual(granted.status, 200);
    const of = (answer: { readonly body: ReadonlyArray<Entry> }) =>
      answer.body
        .filter(({ agentId }) => /^agent-[ab]$/.test(agentId))
        .map(({ tokens: _, ...entry }) => entry);
    assert.deepStrictEqual(of(granted), [
      { agentId: "agent-a", granted: true, tools: null, ...unlimited },
      { agentId: "agent-b", granted: true, tools: ["write"], ...unlimited },
    ]);
    // An agent that is not named keeps its grant; omitted tools do not change; false resets them.
    assertFields(of(await put([{ agentId: "agent-b", granted: true }]))[1], {
      tools: ["write"],
    });
    assertFields(of(await put([{ agentId: "agent-b", granted: true, tools: [] }]))[1], {
      tools: [],
    });
    assert.deepStrictEqual(of(await put([{ agentId: "agent-b", granted: false }])), [
      { agentId: "agent-a", granted: true, tools: null, ...unlimited },
      { agentId: "agent-b", granted: false, tools: null, ...unlimited },
    ]);
    const limits = { readOnly: true, callsPerMinute: 10, maxConcurrentCalls: 2 };
    await put([{ agentId: "agent-b", granted: true, ...limits }]);
    assertFields(of(await put([{ agentId: "agent-b", granted: true }]))[1], limits);
    assertInvalid(
      await put([{ agentId: "agent-b", granted: true, callsPerMinute: 0 }]),
      "entries.0.callsPerMinute",
    );
    const twice = await put([
      { agentId: "agent-c", granted: true },
      { agentId: "agent-c", granted: false },
    ]);
    assertInvalid(twice, "entries.1.agentId");
    assert.notInclude((await world.admin("GET", world.at(id, "/access"))).text, "agent-c");
  });
});
