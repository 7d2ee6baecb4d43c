import { McpConnector } from "@quartermaster/core";
import { Effect } from "effect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectProblem } from "../support/World.ts";
import * as McpWorld from "./McpWorld.ts";
import { secret, tool } from "./McpWorld.ts";

let world: McpWorld.McpWorld;
beforeAll(async () => {
  world = await McpWorld.start();
});
afterAll(() => world.close());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  world.admin("POST", "/api/mcp/installed", { body, headers });

const get = async (id: string) => (await world.admin("GET", world.at(id))).body;

describe("installing", () => {
  it("[mcp.install.201] an install responds with 201, the server and its URL, without values", async () => {
    const answer = await post({ catalogId: "test-notes", envValues: { NOTES_KEY: secret } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^mcp_[0-9A-Z]{26}$/),
      name: "test-notes",
      catalogId: "test-notes",
      transport: "stdio",
      status: "disabled",
      version: "1.2.3",
      updateAvailable: false,
      lastVerification: null,
      env: [
        { name: "NOTES_KEY", isSet: true },
        { name: "NOTES_PROJECT", isSet: false },
      ],
      toolsChanged: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: answer.body.createdAt,
    });
    expect(answer.headers.get("location")).toBe(world.at(answer.body.id));
    expect((await world.admin("GET", answer.headers.get("location") ?? "")).body).toEqual(
      answer.body,
    );
    expect(answer.text).not.toContain(secret);
  });

  it("[mcp.install.names] the second install of an entry gets -2; a chosen name is used or refused", async () => {
    const names: Array<string> = [];
    for (let n = 0; n < 3; n++) names.push((await world.install({ catalogId: "test-tool" })).name);
    expect(names).toEqual(["test-tool", "test-tool-2", "test-tool-3"]);
    expect((await world.install({ catalogId: "test-tool", name: "mine" })).name).toBe("mine");
    expectProblem(await post({ catalogId: "test-tool", name: "mine" }), 409, "name-taken");
    for (const name of ["", "Mine", "a".repeat(33), "a b"]) {
      expectProblem(await post({ catalogId: "test-tool", name }), 400, "invalid-request", {
        errors: [{ path: "name", message: expect.any(String) }],
      });
    }
  });

  it("[mcp.install.refusals] each reason for a refusal has its problem", async () => {
    expectProblem(await post({ catalogId: "none" }), 422, "unknown-reference", {
      field: "catalogId",
      id: "none",
    });
    expectProblem(await post({ catalogId: "test-notes" }), 422, "missing-env", {
      missing: ["NOTES_KEY"],
    });
    expectProblem(
      await post({ catalogId: "test-notes", envValues: { NOTES_KEY: "" } }),
      422,
      "missing-env",
      { missing: ["NOTES_KEY"] },
    );
    expectProblem(
      await post({ catalogId: "test-notes", envValues: { NOTES_KEY: "k", OTHER: "x" } }),
      422,
      "unknown-env",
      { unknown: ["OTHER"] },
    );
    expectProblem(
      await post({ catalogId: "test-files", envValues: { ROOT: "/data/files" } }),
      422,
      "forbidden-path",
      { name: "ROOT" },
    );
    const { runtimes } = world.scripted;
    const { report } = runtimes;
    runtimes.report = { ...report, node: { detected: false } };
    expectProblem(
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
      expectProblem(answer, 400, "invalid-request", {
        errors: [{ path: "envValues.NOTES_KEY", message: expect.any(String) }],
      });
      expect(answer.text).not.toContain(secret);
    }
    const number = await post({ catalogId: "test-notes", envValues: { NOTES_KEY: 4_711_4711 } });
    expect(number.status).toBe(400);
    expect(number.text).not.toContain("47114711");
  });

  it("[mcp.install.idempotent] a repeated request installs nothing; a different one is refused", async () => {
    const body = { catalogId: "test-notes", envValues: { NOTES_KEY: secret }, name: "once" };
    const key = { "idempotency-key": "install-1" };
    const first = await post(body, key);
    const again = await post(body, key);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expectProblem(
      await post({ ...body, envValues: { NOTES_KEY: "another" } }, key),
      422,
      "idempotency-mismatch",
    );
  });

  it("[mcp.list] all installed servers are listed, oldest first", async () => {
    const { body, headers } = await world.admin("GET", "/api/mcp/installed");
    const ids = body.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].toSorted());
    expect(headers.get("link")).toBeNull();
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
      expectProblem(answer, 404, "not-found", gone);
    }
  });
});

describe("updating", () => {
  it("[mcp.update] an omitted field stays; values are merged, and null removes an optional one", async () => {
    const { id } = await world.notes("updated");
    const put = (body: unknown) => world.admin("PUT", world.at(id), { body });
    const set = await put({ envValues: { NOTES_PROJECT: "garden" } });
    expect([set.status, set.body.env]).toEqual([
      200,
      [
        { name: "NOTES_KEY", isSet: true },
        { name: "NOTES_PROJECT", isSet: true },
      ],
    ]);
    expect((await put({ envValues: { NOTES_PROJECT: null } })).body.env[1].isSet).toBe(false);
    expect((await put({ name: "renamed" })).body.name).toBe("renamed");
    expect((await put({})).body).toMatchObject({ name: "renamed", status: "disabled" });
    expectProblem(await put({ envValues: { NOTES_KEY: null } }), 422, "missing-env", {
      missing: ["NOTES_KEY"],
    });
    expectProblem(await put({ envValues: { OTHER: "x" } }), 422, "unknown-env", {
      unknown: ["OTHER"],
    });
    expectProblem(await put({ name: "once" }), 409, "name-taken");
    expect((await put({ version: "newest" })).status).toBe(400);
    expect((await put({ nonsense: 1 })).status).toBe(400);
    expect((await put({ version: "catalog" })).status).toBe(200);
  });
});

describe("verifying", () => {
  it("[mcp.verify.200] a verify returns the response time, and the tools in the server's order", async () => {
    const { id } = await world.notes("verified");
    world.script("notes").tools = [tool("write"), tool("read")];
    const { body, status } = await world.admin("POST", world.at(id, "/verify"));
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      details: expect.stringMatching(/\b\d+ ms\b/),
      capabilities: ["write", "read"],
    });
    expect((await get(id)).lastVerification).toEqual({
      ...body,
      verifiedAt: expect.stringMatching(/Z$/),
    });
    const { body: tools } = await world.admin("GET", world.at(id, "/tools"));
    expect(tools).toEqual(
      ["write", "read"].map((name) => ({
        name,
        state: "accepted",
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
    expect(status).toBe(200);
    expect(body).toEqual({ status: "error", details: expect.stringContaining("code 1") });
    expect(text).not.toContain(secret);
    expect(await get(id)).toMatchObject({
      status: "error",
      lastVerification: { status: "error", details: body.details },
    });
    expect("capabilities" in (await get(id)).lastVerification).toBe(false);
    await world.admin("POST", world.at(id, "/verify"));
    expect((await get(id)).status).toBe("disabled");
  });

  it("[mcp.verify.accept] a verify reports changed tools, and accepts them only with `accept`", async () => {
    const { id } = await world.notes("changed");
    const script = world.script("notes");
    const verify = (query = "") => world.admin("POST", world.at(id, `/verify${query}`));
    script.tools = [tool("write")];
    await verify();
    script.tools = [tool("write", { description: "Does something else" }), tool("new")];
    expect((await verify()).body.details).toContain("write, new");
    expect((await get(id)).toolsChanged).toBe(true);
    const states = async () =>
      (await world.admin("GET", world.at(id, "/tools"))).body.map(
        (one: { name: string; state: string }) => `${one.name} ${one.state}`,
      );
    expect(await states()).toEqual(["write changed", "new new"]);
    expect((await verify("?accept=yes")).status).toBe(400);
    expect((await verify("?accept=false")).status).toBe(200);
    expect(await states()).toEqual(["write changed", "new new"]);
    await verify("?accept=true");
    expect(await states()).toEqual(["write accepted", "new accepted"]);
    expect((await get(id)).toolsChanged).toBe(false);
  });
});

describe("enabling", () => {
  it("[mcp.enable.204] enable and disable respond with 204, also when repeated", async () => {
    const { id } = await world.notes("enabled");
    for (const [word, status] of [
      ["enable", "enabled"],
      ["disable", "disabled"],
    ] as const) {
      for (let n = 0; n < 2; n++) {
        const answer = await world.admin("POST", world.at(id, `/${word}`));
        expect([answer.status, answer.text]).toEqual([204, ""]);
        expect((await get(id)).status).toBe(status);
      }
    }
  });
});

describe("uninstalling", () => {
  it("[mcp.uninstall.204] an uninstall removes the server and its access, and a second one is a 404", async () => {
    const { id } = await world.notes("gone");
    await world.grant(id, "agent-gone");
    const answer = await world.admin("DELETE", world.at(id));
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await world.admin("GET", world.at(id))).status).toBe(404);
    expect((await world.admin("DELETE", world.at(id))).status).toBe(404);
    expect([...world.scripted.packages.folders].join()).not.toContain(id);
  });
});

describe("access", () => {
  it("[mcp.access] each registered agent has one entry, and an update changes all in one transaction", async () => {
    const { id } = await world.notes("shared");
    await world.admin("PUT", "/api/agents/agent-a", { body: {} });
    const put = (entries: ReadonlyArray<Record<string, unknown>>) =>
      world.admin("PUT", world.at(id, "/access"), { body: { entries } });
    const before = (await world.admin("GET", world.at(id, "/access"))).body;
    expect(before).toContainEqual({ agentId: "agent-a", granted: false, tools: null });
    const granted = await put([
      { agentId: "agent-b", granted: true, tools: ["write"] },
      { agentId: "agent-a", granted: true },
    ]);
    expect(granted.status).toBe(200);
    const of = (answer: { body: ReadonlyArray<{ agentId: string }> }) =>
      answer.body.filter(({ agentId }) => /^agent-[ab]$/.test(agentId));
    expect(of(granted)).toEqual([
      { agentId: "agent-a", granted: true, tools: null },
      { agentId: "agent-b", granted: true, tools: ["write"] },
    ]);
    // An agent that is not named stays granted; omitted tools stay; false resets them.
    expect(of(await put([{ agentId: "agent-b", granted: true }]))[1]).toMatchObject({
      tools: ["write"],
    });
    expect(of(await put([{ agentId: "agent-b", granted: true, tools: [] }]))[1]).toMatchObject({
      tools: [],
    });
    expect(of(await put([{ agentId: "agent-b", granted: false }]))).toEqual([
      { agentId: "agent-a", granted: true, tools: null },
      { agentId: "agent-b", granted: false, tools: null },
    ]);
    const twice = await put([
      { agentId: "agent-c", granted: true },
      { agentId: "agent-c", granted: false },
    ]);
    expectProblem(twice, 400, "invalid-request", {
      errors: [{ path: "entries.1.agentId", message: expect.any(String) }],
    });
    expect((await world.admin("GET", world.at(id, "/access"))).text).not.toContain("agent-c");
  });
});
