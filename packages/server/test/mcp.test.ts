import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";
import * as RealServers from "./RealServers.ts";

const canary = "canary-6d1f/real+secret";
const onLinux = process.platform === "linux";
const endings: Array<() => Promise<void>> = [];
const end = (one: () => Promise<void>) => endings.unshift(one);
let folder: string;
let dataDir: string;
let catalog: string;
let server: Quartermaster;

/** Every response of the server. */
const answers: Array<string> = [];

beforeAll(async () => {
  folder = await temporaryFolder(end);
  dataDir = join(folder, "data");
  catalog = await RealServers.writeCatalog(folder);
  server = await Quartermaster.start(dataDir, { QM_CATALOG: catalog }, end);
});

afterAll(async () => {
  for (const one of endings) await one();
});

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it is its own matter
type Body = any;

const call = async (method: string, path: string, body?: unknown) => {
  const response = await server.fetch(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  answers.push(text, JSON.stringify([...response.headers]));
  return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as Body };
};

const install = async (body: unknown): Promise<string> => {
  const { body: made, status } = await call("POST", "/api/mcp/installed", body);
  assert.strictEqual(status, 201, JSON.stringify(made));
  return `/api/mcp/installed/${made.id}`;
};

const enableFor = async (path: string, agentId: string) => {
  const entries = [{ agentId, granted: true }];
  assert.strictEqual((await call("POST", `${path}/enable`)).status, 204);
  assert.strictEqual((await call("PUT", `${path}/access`, { entries })).status, 200);
};

const callTool = (name: string, args: Record<string, unknown> = {}, agentId = "bot") =>
  call("POST", `/api/agents/${agentId}/tools/call`, { name, arguments: args });

const toolNames = async (agentId = "bot"): Promise<ReadonlyArray<string>> =>
  (await call("GET", `/api/agents/${agentId}/tools`)).body.tools.map(
    ({ name }: { name: string }) => name,
  );

/** Waits for a tool. Enabling opens its server in the background, and no event reports the first list. */
const listed = (tool: string, agentId?: string) =>
  vi.waitFor(async () => assert.include(await toolNames(agentId), tool), { timeout: 30_000 });

describe("real MCP servers", { timeout: 120_000 }, () => {
  it("[connector.http.bundled] the program loads its HTTP client and connects to a remote server", async () => {
    const entry = {
      id: "nowhere",
      name: "Nowhere",
      description: "No server listens there.",
      category: "dev",
      transport: "http",
      runtime: "none",
      installInstructions: "Nothing to do.",
      // `fetch` itself rejects port 1.
      manifest: { url: "http://127.0.0.1:2/mcp" },
    };
    assert.strictEqual((await call("POST", "/api/mcp/catalog", entry)).status, 201);
    const path = await install({ catalogId: "nowhere" });
    const { body } = await call("POST", `${path}/verify`);
    assert.include(body.details, "the connection was refused (ECONNREFUSED)");
    assert.strictEqual((await call("DELETE", path)).status, 204);
    assert.strictEqual((await call("DELETE", "/api/mcp/catalog/nowhere")).status, 204);
  });

  it("[mcp.real.everything] a real server goes from install to uninstall and leaves nothing", async () => {
    const path = await install({ catalogId: "everything", envValues: { CANARY: canary } });
    const verified = await call("POST", `${path}/verify`);
    assert.strictEqual(verified.body.status, "ok", verified.body.details);
    assert.match(verified.body.details, /\b\d+ ms\b/);
    assert.include(verified.body.capabilities, "echo");
    await enableFor(path, "bot");
    assert.include(await toolNames(), "everything__echo");
    const echoed = await callTool("everything__echo", { message: "Grüße 🌱" });
    assert.strictEqual(echoed.status, 200);
    assert.include(echoed.body.content[0].text, "Grüße 🌱");
    assert.deepStrictEqual(Object.keys(echoed.body), ["content", "structuredContent", "isError"]);

    // The secret is in the server's environment, and masked in the result.
    const environment = await callTool("everything__get-env");
    const text: string = environment.body.content[0].text;
    assert.include(text, "[secret CANARY]");
    assert.notInclude(text, "QM_");
    if (onLinux) assert.lengthOf(await RealServers.processesOf(dataDir), 1);

    assert.strictEqual((await callTool("everything__none")).body.reason, "unknownTool");
    assert.strictEqual((await call("DELETE", path)).status, 204);
    assert.deepStrictEqual(await toolNames(), []);
    if (onLinux) assert.deepStrictEqual(await RealServers.processesOf(dataDir), []);
  });

  it("[mcp.real.prompts] the official clients of both eras get and complete the prompts of a real server", async () => {
    const path = await install({
      catalogId: "everything",
      name: "prompts",
      envValues: { CANARY: canary },
    });
    assert.strictEqual((await call("POST", `${path}/verify`)).body.status, "ok");
    await enableFor(path, "bot");
    const made = await call("POST", "/api/keys", { name: "host", role: "Editor", agentId: "bot" });
    assert.strictEqual(made.status, 201, JSON.stringify(made.body));
    for (const pin of [null, "2026-07-28"]) {
      const client = new Client(
        { name: "test", version: "1" },
        pin === null ? {} : { versionNegotiation: { mode: { pin } } },
      );
      const headers = { authorization: `Bearer ${made.body.key}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
          requestInit: { headers },
        }),
      );
      const { prompts } = await client.listPrompts();
      const ref = { type: "ref/prompt" as const, name: "prompts__completable-prompt" };
      assert.include(
        prompts.map(({ name }) => name),
        ref.name,
      );
      const { completion } = await client.complete({
        ref,
        argument: { name: "name", value: "E" },
        context: { arguments: { department: "Sales" } },
      });
      assert.deepStrictEqual(completion.values, ["Eve"]);
      const { messages } = await client.getPrompt({
        name: ref.name,
        arguments: { department: "Sales", name: "Eve" },
      });
      const text = "Please promote Eve to the head of the Sales team.";
      assert.deepStrictEqual(messages, [{ role: "user", content: { type: "text", text } }]);
      await client.close();
    }
    assert.strictEqual((await call("DELETE", path)).status, 204);
  });

  it("[mcp.real.filesystem] a variable can be a path, except one in the data directory", async () => {
    const root = join(folder, "files");
    await mkdir(root);
    await writeFile(join(root, "note.txt"), "Three tables should do.");
    const refused = await call("POST", "/api/mcp/installed", {
      catalogId: "files",
      envValues: { ROOT: dataDir },
    });
    assert.strictEqual(refused.body.type, "urn:quartermaster:problem:forbidden-path");
    const path = await install({ catalogId: "files", envValues: { ROOT: root } });
    await enableFor(path, "reader");
    await listed("files__read_text_file", "reader");
    const read = await callTool(
      "files__read_text_file",
      { path: join(root, "note.txt") },
      "reader",
    );
    assert.include(read.body.content[0].text, "Three tables");
    const outside = await callTool("files__read_text_file", { path: "/etc/hosts" }, "reader");
    assert.deepStrictEqual([outside.status, outside.body.isError], [200, true]);
  });

  it("[mcp.real.calls] the metrics count connections and calls by their outcome", async () => {
    const text = await (await server.fetch("/metrics")).text();
    assert.match(text, /quartermaster_mcp_connections 1\b/);
    assert.match(text, /quartermaster_tool_calls_total\{[^}]*outcome="ok"[^}]*\} [1-9]/);
    assert.match(text, /quartermaster_tool_calls_total\{[^}]*server="files"[^}]*\} [1-9]/);
    assert.match(text, /quartermaster_tool_call_duration_seconds_bucket\{[^}]*server="files"/);
    assert.match(text, /quartermaster_mcp_servers\{status="enabled"\} [1-9]/);
    assert.match(text, /quartermaster_tool_calls_total\{[^}]*outcome="unknownTool"[^}]*\} 1\b/);
  });

  it("[mcp.real.canary] no response, event, log line or file contains the secret", async () => {
    const path = await install({
      catalogId: "everything",
      name: "again",
      envValues: { CANARY: canary },
    });
    await call("PUT", path, { envValues: { PLAIN: "plain" } });
    await call("POST", `${path}/verify`);
    await call("GET", path);
    await call("GET", "/api/mcp/installed");
    await call("GET", `${path}/tools`);
    await call("POST", "/api/mcp/installed", {
      catalogId: "everything",
      envValues: { CANARY: `${canary}\n` },
    });
    await call("POST", "/api/mcp/import", {
      mcpServers: { one: { command: "npx", args: [canary], env: { CANARY: canary } } },
    });
    const events = await server.fetch("/api/events?kinds=mcp.*", {
      signal: AbortSignal.timeout(15_000),
    });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    await call("PUT", path, { envValues: { CANARY: `${canary}2` } });
    let told = "";
    while (!told.includes("mcp.updated")) told += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    assert.notInclude(told + answers.join("\n"), canary);
    assert.notInclude(server.stdout + server.stderr, canary);
    assert.deepStrictEqual(await RealServers.filesWith(dataDir, canary), []);
  });

  it("[tools.call.tooLarge] results that are too large end neither their server nor other calls", async () => {
    const path = await install({ catalogId: "vault", envValues: { CANARY: canary } });
    await enableFor(path, "bot");
    await listed("vault__look");
    const processes = onLinux ? await RealServers.processesOf(dataDir) : [];
    const slow = callTool("vault__look", { millis: 3_000 });
    const textOf = async (bytes: number) => {
      const { body, status } = await callTool("vault__look", { bytes });
      assert.deepStrictEqual([status, body.isError], [200, true]);
      return body.content[0].text as string;
    };
    // More failures than take a server out. A line above 8 MiB is skipped, not parsed.
    for (const millions of [40, 9, 9, 9, 9, 9]) {
      assert.match(
        await textOf(millions * 1_000_000),
        new RegExp(
          `its result of ${millions}0000\\d\\d bytes is larger than the limit of 4194304 bytes`,
        ),
      );
    }
    assert.match(await textOf(4_200_000), /its result of 42000\d\d bytes is larger than/);
    assert.deepStrictEqual((await slow).body.content, [{ type: "text", text: "" }]);
    assert.strictEqual((await call("GET", path)).body.status, "enabled");
    if (onLinux) assert.deepStrictEqual(await RealServers.processesOf(dataDir), processes);
    assert.strictEqual((await call("DELETE", path)).status, 204);
  });

  it("[mcp.real.sigterm] SIGTERM ends every MCP server, and exits 0", async () => {
    const path = await install({ catalogId: "graph" });
    await enableFor(path, "bot");
    await listed("graph__read_graph");
    assert.strictEqual((await callTool("graph__read_graph")).status, 200);
    for (const name of ["deaf-1", "deaf-2", "deaf-3"]) {
      await enableFor(await install({ catalogId: "stubborn", name }), "bot");
      assert.strictEqual((await callTool(`${name}__read_graph`)).status, 200);
    }
    if (onLinux) assert.isAbove((await RealServers.processesOf(dataDir)).length, 1);
    const startedAt = performance.now();
    server.child.kill("SIGTERM");
    assert.deepStrictEqual(await server.exited, { code: 0, signal: null });
    // The service waits for all servers that ignore SIGTERM at the same time.
    assert.isBelow(performance.now() - startedAt, 12_000);
    if (onLinux) assert.deepStrictEqual(await RealServers.processesOf(dataDir), []);
  });
});

describe("a catalog file", { timeout: 120_000 }, () => {
  it("[server.catalog] an invalid catalog file stops the start with its name and the field", async () => {
    const file = join(await temporaryFolder(), "mine.json");
    const entries = JSON.parse(await readFile(catalog, "utf8")) as ReadonlyArray<
      Record<string, unknown>
    >;
    const refused = async (text: string | null, ...words: ReadonlyArray<string>) => {
      if (text !== null) await writeFile(file, text);
      const start = Quartermaster.serve(await temporaryFolder(), {
        QM_CATALOG: `${catalog}:${file}`,
      });
      assert.deepStrictEqual(await start.exited, { code: 1, signal: null });
      for (const word of [file, ...words]) assert.include(start.stderr, word);
    };
    await refused(null, "QM_CATALOG", "NotFound");
    await refused(JSON.stringify([{ ...entries[0], id: "other", category: "games" }]), "category");
  });
});
