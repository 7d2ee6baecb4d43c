// Calls that take long, through /mcp of the built server with its default limits: 5 minutes in
// Claude Code with the plugin and a scripted model, 90 seconds in Codex, and 90 seconds with the
// official SDKs in TypeScript and Python, in the current and a legacy protocol version, with and
// without progress. They wait at the same time and cost next to no processor time.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { withServer } from "./ci/built-server.mjs";
import { grant, install } from "./ci/own-servers.mjs";
import { run, scratch } from "./ci/processes.mjs";
import { check, program, Skipped } from "./ci/published.mjs";
import * as ClaudeCode from "./plugins/claude-code.mjs";
import * as Codex from "./plugins/codex.mjs";
import { env, plugins } from "./plugins/scene.mjs";
import * as Model from "./plugins/scripted-model.mjs";

const fixture = join(import.meta.dirname, "../packages/mcp/test/support/fixture.mjs");
const sdkMillis = 90_000;
const hostMillis = 300_000;
const versions = ["2026-07-28", "2025-11-25"];
const name = "slow__slow";

const seconds = (since) => `${Math.round((performance.now() - since) / 1_000)} s`;

/** The TypeScript SDK. */
const typeScript = async ({ key, url }, version, isInformed) => {
  const negotiation = { versionNegotiation: { mode: { pin: version } } };
  const client = new Client(
    { name: "long-calls", version: "1" },
    version === versions[0] ? negotiation : {},
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  const since = performance.now();
  const options = { timeout: 2 * sdkMillis, ...(isInformed && { onprogress: () => {} }) };
  const called = { name, arguments: { every: sdkMillis } };
  const { content } = await client.callTool(called, options);
  assert.equal(content[0].text, "done");
  await client.close();
  const how = isInformed ? "with" : "without";
  console.log(`ok: TypeScript, ${version}, ${how} progress: ${seconds(since)}`);
};

const python = `
import asyncio, sys, time
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

url, key, millis = sys.argv[1], sys.argv[2], int(sys.argv[3])

async def listen(progress, total, message):
    pass

async def call(mode, informed):
    headers = {"Authorization": "Bearer " + key}
    async with httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(30)) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            since = time.monotonic()
            callback = listen if informed else None
            result = await client.call_tool(
                "${name}", {"every": millis}, read_timeout_seconds=2 * millis / 1000, progress_callback=callback
            )
            assert result.content[0].text == "done", result
            how = "with" if informed else "without"
            print(f"ok: Python, {mode}, {how} progress: {round(time.monotonic() - since)} s", flush=True)

async def main():
    modes = ["2026-07-28", "legacy"]
    await asyncio.gather(*(call(mode, informed) for mode in modes for informed in (False, True)))

asyncio.run(main())
`;

/** The Python SDK. Its HTTP client gives up after 30 s without a byte. */
const pythonSdk = async ({ key, url }) => {
  const home = join(scratch, "python");
  const made = await run("python3", ["-m", "venv", home]).catch((error) => ({
    stderr: `${error}`,
  }));
  if (made.code !== 0) throw new Skipped(`Python cannot create an environment: ${made.stderr}`);
  const pip = ["-m", "pip", "install", "--quiet", "--retries", "0", "mcp==2.3.0"];
  const installed = await run(join(home, "bin/python"), pip, {
    env: process.env,
    timeLimit: 240_000,
  });
  if (installed.code !== 0)
    throw new Skipped("mcp==2.3.0 could not be had from Python's registry.");
  const script = join(scratch, "long_calls.py");
  writeFileSync(script, python);
  const args = [script, `${url}/mcp`, key, `${sdkMillis}`];
  const done = await run(join(home, "bin/python"), args, { timeLimit: 3 * sdkMillis });
  assert.equal(done.code, 0, done.stderr);
  console.log(done.stdout.trim());
};

/** Claude Code with the plugin. */
const claudeCode = async ({ key, url }) => {
  const stub = realpathSync(await program(ClaudeCode.spec, "claude"));
  const wrapper = join(dirname(stub), "../cli-wrapper.cjs");
  const plugin = join(plugins, "claude-code");
  const tool = `mcp__plugin_quartermaster_quartermaster__${name}`;
  const since = performance.now();
  const taken = await Model.withModel(
    Model.messages,
    [
      () => ({ tool, args: { every: hostMillis } }),
      (result) => {
        assert.match(result, /done/);
        assert.doesNotMatch(result, /is_error":true/);
        return { say: "Done." };
      },
    ],
    async (model) => {
      const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", IS_SANDBOX: "1" };
      const prompt = ["--plugin-dir", plugin, "--dangerously-skip-permissions", "-p", "Wait."];
      const { code, stderr } = await run(process.execPath, [wrapper, ...prompt], {
        env: { ...env, ...quiet, QM_URL: url, QM_KEY: key, ...Model.messages.env(model) },
        timeLimit: hostMillis + 120_000,
      });
      assert.equal(code, 0, stderr);
    },
  );
  assert.equal(taken, 2);
  console.log(`ok: Claude Code waits for a call: ${seconds(since)}`);
};

/** Codex with the configuration. */
const codex = async ({ key, url }) => {
  const command = await program(Codex.spec, "codex");
  const home = join(scratch, "codex");
  mkdirSync(home);
  const config = readFileSync(join(plugins, "codex/config.toml"), "utf8");
  const since = performance.now();
  const taken = await Model.withModel(
    Model.responses,
    [
      () => ({ tool: name, args: { every: sdkMillis } }),
      (result) => {
        assert.match(result, /done/);
        return { say: "Done." };
      },
    ],
    async (model) => {
      const text = Codex.provider(model) + config.replace("http://127.0.0.1:7420", url);
      writeFileSync(join(home, "config.toml"), text);
      const args = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      const { code, stderr } = await run(command, [...args, "Wait."], {
        env: { ...env, CODEX_HOME: home, QM_KEY: key },
        timeLimit: 2 * sdkMillis,
      });
      assert.equal(code, 0, stderr);
    },
  );
  assert.equal(taken, 2);
  console.log(`ok: Codex waits for a call: ${seconds(since)}`);
};

await check(() =>
  withServer(async (server) => {
    const { ask } = server;
    const path = await install(ask, "slow", [fixture]);
    await ask("PUT", path, { callTimeoutSeconds: 600 });
    const { details, status } = await ask("POST", `${path}/verify`);
    assert.equal(status, "ok", details);
    await ask("POST", `${path}/enable`);
    await grant(ask, path, ["ci"]);
    const skipped = [];
    const mayMiss = (part) =>
      part.catch((error) => {
        if (!(error instanceof Skipped)) throw error;
        skipped.push(error.message);
      });
    await Promise.all([
      ...versions.flatMap((version) =>
        [false, true].map((isInformed) => typeScript(server, version, isInformed)),
      ),
      mayMiss(pythonSdk(server)),
      mayMiss(codex(server)),
      mayMiss(claudeCode(server)),
    ]);
    if (skipped.length > 0) throw new Skipped(skipped.join(" "));
  }),
);
