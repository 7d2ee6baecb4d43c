// Checks plugins/ with the hosts that are published on npm: what each says of the files, and whether
// it reaches /mcp of the built server with them. No host is logged in, and none needs the network.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { withServer } from "./ci/built-server.mjs";
import { end, run, scratch, start } from "./ci/processes.mjs";
import { check, program } from "./ci/published.mjs";

const claudeCode = "@anthropic-ai/claude-code@2.1.330";
const codex = "@openai/codex@0.169.0";

const plugins = join(import.meta.dirname, "../plugins");

/** A host keeps its files in a scratch home, and sees nothing of who runs this. */
const env = { PATH: process.env.PATH, HOME: scratch };

const checkClaudeCode = async ({ key, url }) => {
  // The placeholder of its program until its install script has run.
  const stub = realpathSync(await program(claudeCode, "claude"));
  const wrapper = join(dirname(stub), "../cli-wrapper.cjs");
  const claude = (args, options) => run(process.execPath, [wrapper, ...args], options);
  const plugin = join(plugins, "claude-code");
  const quiet = { ...env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };

  const valid = await claude(["plugin", "validate", "--strict", plugin], { env: quiet });
  assert.equal(valid.code, 0, valid.stdout + valid.stderr);
  console.log("ok: claude plugin validate --strict");

  const listed = await claude(["--plugin-dir", plugin, "mcp", "list"], {
    env: { ...quiet, QM_URL: url, QM_KEY: key },
  });
  assert.match(listed.stdout, /quartermaster: .*\/mcp \(HTTP\) - . Connected/, listed.stderr);
  console.log("ok: Claude Code connects with the plugin");
};

/** What stands under the one table of the file: words and numbers, which TOML writes as JSON does. */
const settingsOf = (toml) =>
  Object.fromEntries(
    [...toml.matchAll(/^(\w+) = (.+)$/gm)].map(([, name, value]) => [name, JSON.parse(value)]),
  );

/** Asks Codex's server for editors one thing. */
const askCodex = async (command, options, method) => {
  const server = start(command, ["app-server"], { ...options, stdio: ["pipe", "pipe", "ignore"] });
  const late = setTimeout(() => server.kill("SIGKILL"), 60_000);
  try {
    const clientInfo = { name: "plugins-check", version: "1" };
    for (const message of [
      { id: 1, method: "initialize", params: { clientInfo } },
      { method: "initialized" },
      { id: 2, method, params: {} },
    ]) {
      server.stdin.write(`${JSON.stringify(message)}\n`);
    }
    for await (const line of createInterface(server.stdout)) {
      const { id, result } = JSON.parse(line);
      if (id === 2) return result;
    }
    throw new Error("Codex ended before it answered.");
  } finally {
    clearTimeout(late);
    await end(server);
  }
};

const checkCodex = async ({ key, url }) => {
  const command = await program(codex, "codex");
  const home = join(scratch, "codex");
  const options = { env: { ...env, CODEX_HOME: home, QM_KEY: key } };
  const config = readFileSync(join(plugins, "codex/config.toml"), "utf8");
  mkdirSync(home);
  writeFileSync(join(home, "config.toml"), config);

  const listed = await run(command, ["mcp", "list", "--json"], options);
  assert.equal(listed.code, 0, listed.stderr);
  const [{ name, transport, ...others }] = JSON.parse(listed.stdout);
  assert.equal(name, "quartermaster");
  // A setting that Codex does not know is left out without a word.
  const understood = { ...transport, ...others };
  for (const [setting, value] of Object.entries(settingsOf(config))) {
    assert.equal(understood[setting], value, setting);
  }
  console.log("ok: codex mcp list");

  writeFileSync(join(home, "config.toml"), config.replace("http://127.0.0.1:7420", url));
  const { data } = await askCodex(command, options, "mcpServerStatus/list");
  assert.ok("issue_create" in data[0].tools);
  console.log("ok: Codex connects with the configuration");
};

await check(() =>
  withServer(async (server) => {
    await checkClaudeCode(server);
    await checkCodex(server);
  }),
);
