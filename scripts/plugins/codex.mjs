// Codex: it recognizes every setting, lists the tools, and completes an issue with a scripted
// model.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { end, run, scratch, start } from "../ci/processes.mjs";
import { program } from "../ci/published.mjs";
import { checkCrash, ended, env, issueOf, noPoll, pause, plugins, statusOf } from "./scene.mjs";
import * as Model from "./scripted-model.mjs";
import { checkWith } from "./with.mjs";

export const spec = "@openai/codex@0.169.0";

/**
 * The settings in the file's only table: words and numbers, for which TOML and JSON have the same
 * syntax.
 */
const settingsOf = (toml) =>
  Object.fromEntries(
    [...toml.matchAll(/^(\w+) = (["\d].*)$/gm)].map(([, name, value]) => [name, JSON.parse(value)]),
  );

/** Sends one request to Codex's server for editors. */
const askServer = async (command, options, method) => {
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

/** The provider of the scripted model. It has to precede the first table of a configuration. */
export const provider = (url) => `model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"

`;

/** With hooks.json: a pause refuses the next tool, and the model is reminded to hand in. */
const checkHooks = async (server, { command, configure, here, home, options }) => {
  const hooks = readFileSync(join(plugins, "codex/hooks.json"), "utf8");
  writeFileSync(join(home, "hooks.json"), hooks.replaceAll("/path/to/plugins", plugins));
  const session = async (list) => {
    const taken = await Model.withModel(Model.responses, list, async (model) => {
      configure(provider(model) + here);
      const args = ["--dangerously-bypass-hook-trust", "exec", "--skip-git-repo-check"];
      const prompt = ["--dangerously-bypass-approvals-and-sandbox", "Do an issue."];
      const { code, stderr } = await run(command, [...args, ...prompt], options);
      assert.equal(code, 0, stderr);
    });
    assert.equal(taken, list.length);
  };

  const paused = await issueOf(server, "To pause");
  const mark = join(scratch, "codex-worked");
  await session([
    () => ({ tool: "work_next" }),
    async (result) => {
      assert.ok(result.includes(paused.id), result);
      await pause(server, paused);
      return { own: false, tool: "exec_command", args: { cmd: `touch ${mark}` } };
    },
    (result) => {
      assert.match(result, /Stop working on iss_\w+: it was paused\. The tool did not run\./);
      return { tool: "work_turn" };
    },
    (result) => {
      assert.match(result, /action[^a-z]+stop/);
      return { say: "Stopped." };
    },
  ]);
  assert.ok(!existsSync(mark), "the tool after the pause ran");
  assert.equal((await ended(server, paused)).stopReason, "paused");
  await noPoll();
  console.log("ok: a pause refuses the next tool of Codex through its hooks");

  const held = await issueOf(server, "To hand in");
  await session([
    () => ({ tool: "work_next" }),
    () => ({ say: "I am done." }),
    (reminder) => {
      assert.match(reminder, /You still hold the issue iss_\w+\. Hand it in with work_finish/);
      return { tool: "work_finish", args: { outcome: "review", comment: "Done" } };
    },
    () => ({ say: "Handed in." }),
  ]);
  assert.equal(await statusOf(server, held), "PendingReview");
  console.log("ok: Codex is reminded to hand in, and hands in");

  const compacted = await issueOf(server, "To compact");
  const limit = "model_auto_compact_token_limit = 50000\n";
  const done = await Model.withModel(
    Model.responses,
    [
      () => ({ tool: "work_next", tokens: 60_000 }),
      (_, request) => {
        assert.ok(!request.includes("function_call_output"), "the context was not compacted");
        assert.ok(request.includes(`You work on the issue ${compacted.id}`), request);
        return { tool: "work_finish", args: { outcome: "resolved", comment: "Done" } };
      },
      () => ({ say: "Handed in." }),
    ],
    async (model) => {
      configure(limit + provider(model) + here);
      const args = ["--dangerously-bypass-hook-trust", "exec", "--skip-git-repo-check"];
      const prompt = ["--dangerously-bypass-approvals-and-sandbox", "Do an issue."];
      const { code, stderr } = await run(command, [...args, ...prompt], options);
      assert.equal(code, 0, stderr);
    },
  );
  assert.equal(done, 3);
  assert.equal(await statusOf(server, compacted), "Resolved");
  console.log("ok: after a compaction Codex has its run, issue and loop");

  const crashing = (args) => (list) =>
    Model.withModel(Model.responses, list, (model) => {
      configure(provider(model) + here);
      const more = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      return run(command, ["--dangerously-bypass-hook-trust", "exec", ...args, ...more], options);
    });
  await checkCrash(server, {
    session: crashing(["Do an issue."]),
    resume: crashing(["resume", "--last", "Go on."]),
    shell: (cmd) => ({ own: false, tool: "exec_command", args: { cmd } }),
    take: { tool: "work_next" },
  });
  console.log("ok: after a crash Codex learns which run to take over");
};

export const check = async (server) => {
  const { key, url } = server;
  const command = await program(spec, "codex");
  const home = join(scratch, "codex");
  const options = { env: { ...env, CODEX_HOME: home, QM_URL: url, QM_KEY: key } };
  const config = readFileSync(join(plugins, "codex/config.toml"), "utf8");
  const here = config.replace("http://127.0.0.1:7420", url);
  const configure = (text) => writeFileSync(join(home, "config.toml"), text);
  mkdirSync(home);
  configure(config);

  const listed = await run(command, ["mcp", "list", "--json"], options);
  assert.equal(listed.code, 0, listed.stderr);
  const [{ name, transport, ...others }] = JSON.parse(listed.stdout);
  assert.equal(name, "quartermaster");
  // Codex silently ignores an unknown setting.
  const understood = { ...transport, ...others };
  for (const [setting, value] of Object.entries(settingsOf(config))) {
    assert.equal(understood[setting], value, setting);
  }
  assert.deepEqual(understood.env_http_headers, { "Quartermaster-Run": "QM_RUN_ID" });
  console.log("ok: codex mcp list");

  configure(here);
  const { data } = await askServer(command, options, "mcpServerStatus/list");
  assert.ok("issue_create" in data[0].tools);
  console.log("ok: Codex connects with the configuration");

  const issue = await issueOf(server, "For Codex");
  const taken = await Model.withModel(
    Model.responses,
    [
      () => ({ tool: "work_next" }),
      (result) => {
        assert.ok(result.includes(issue.id), result);
        return { tool: "work_finish", args: { outcome: "review", comment: "Done" } };
      },
      () => ({ say: "Handed in." }),
    ],
    async (model) => {
      configure(provider(model) + here);
      const args = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      const { code, stderr } = await run(command, [...args, "Do an issue."], options);
      assert.equal(code, 0, stderr);
    },
  );
  assert.equal(taken, 3);
  assert.equal(await statusOf(server, issue), "PendingReview");
  console.log("ok: Codex takes an issue and hands it in");
  await checkHooks(server, { command, configure, home, here, options });

  const ownHome = join(scratch, "codex-with");
  mkdirSync(ownHome);
  await checkWith(server, {
    name: "codex",
    command: [command],
    args: ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
    api: Model.responses,
    configure: (model) => {
      writeFileSync(join(ownHome, "config.toml"), provider(model));
      return { CODEX_HOME: ownHome };
    },
    prefix: "",
    unknown: "00000000-0000-4000-8000-000000000000",
  });
};
