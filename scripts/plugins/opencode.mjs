// opencode: it reads the configuration and connects, and its plugin stops and reminds a session with a scripted model.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, scratch } from "../ci/processes.mjs";
import { program, Skipped } from "../ci/published.mjs";
import { checkCrash, ended, env, issueOf, noPoll, pause, plugins, statusOf } from "./scene.mjs";
import * as Model from "./scripted-model.mjs";
import { checkWith } from "./with.mjs";

export const spec = "opencode-ai@1.18.33";

/**
 * The program for this platform. The package has a placeholder until its installation script has
 * run.
 */
const binary = async () => {
  const stub = realpathSync(await program(spec, "opencode"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = platform === "windows" ? "opencode.exe" : "opencode";
  const path = join(dirname(stub), "../..", `opencode-${platform}-${process.arch}/bin`, name);
  if (!existsSync(path)) throw new Skipped(`${spec} has no program for this platform.`);
  return path;
};

const quiet = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  // opencode installs the types of plugins when it starts, and goes on without them.
  npm_config_registry: "http://127.0.0.1:9",
  npm_config_fetch_retries: "0",
};

/** The configuration of the scripted model, which may do everything. */
const scripted = (model) => {
  const options = { apiKey: "none", baseURL: `${model}/v1` };
  const limit = { context: 50_000, output: 1_000 };
  const provider = { npm: "@ai-sdk/anthropic", options, models: { scripted: { limit } } };
  return { provider: { scripted: provider }, permission: "allow" };
};

export const check = async (server) => {
  const { key, url } = server;
  const command = await binary();
  const project = join(scratch, "opencode");
  mkdirSync(project);
  const config = readFileSync(join(plugins, "opencode/opencode.json"), "utf8");
  const here = JSON.parse(config.replace("http://127.0.0.1:7420", url));
  const configure = (more) =>
    writeFileSync(join(project, "opencode.json"), JSON.stringify({ ...here, ...more }));
  const start = (...args) =>
    run(command, args, {
      cwd: project,
      timeLimit: 180_000,
      env: {
        ...env,
        ...quiet,
        QM_URL: url,
        QM_KEY: key,
      },
    });
  const opencode = async (...args) => {
    const { code, stderr, stdout } = await start(...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  configure();
  assert.match(await opencode("mcp", "list"), /✓ quartermaster .*connected/);
  console.log("ok: opencode connects with the configuration");

  const plugin = [`file://${join(plugins, "opencode/quartermaster.js")}`];
  const running =
    (program, ...more) =>
    (list) =>
      Model.withModel(Model.messages, list, (model) => {
        configure({ plugin, ...scripted(model) });
        return program("run", "--model", "scripted/scripted", ...more, "Do an issue.");
      });
  const session = async (list) => assert.equal(await running(opencode)(list), list.length);
  const tool = (name, args) => ({ tool: `quartermaster_${name}`, args });

  const shell = (line) => ({ tool: "bash", args: { command: line, description: "Works" } });

  const paused = await issueOf(server, "To pause");
  const mark = join(scratch, "opencode-worked");
  await session([
    () => tool("work_next"),
    async (result) => {
      assert.ok(result.includes(paused.id), result);
      await pause(server, paused);
      return shell(`touch ${mark}`);
    },
    (result) => {
      assert.match(result, /Stop working on iss_\w+: it was paused\. The tool did not run\./);
      return tool("work_turn");
    },
    (result) => {
      assert.match(result, /action[^a-z]+stop/);
      return { say: "Stopped." };
    },
  ]);
  assert.ok(!existsSync(mark), "the tool after the pause ran");
  assert.equal((await ended(server, paused)).stopReason, "paused");
  await noPoll();
  console.log("ok: a pause refuses the next tool of opencode through its plugin");

  const compacted = await issueOf(server, "To compact");
  await session([
    () => ({ ...tool("work_next"), tokens: 60_000 }),
    (_, request) => {
      assert.ok(!request.includes("tool_result"), "the context was not compacted");
      assert.ok(request.includes(`You work on the issue ${compacted.id}`), request);
      return tool("work_finish", { outcome: "resolved", comment: "Done" });
    },
    () => ({ say: "Handed in." }),
  ]);
  assert.equal(await statusOf(server, compacted), "Resolved");
  console.log("ok: after a compaction opencode has its run, issue and loop");

  await checkCrash(server, {
    session: running(start),
    resume: running(start, "--continue"),
    shell,
    take: tool("work_next"),
  });
  console.log("ok: after a crash opencode learns which run to take over");

  await checkWith(server, {
    name: "opencode",
    command: [command],
    args: ["--model", "scripted/scripted"],
    api: Model.messages,
    configure: (model, folder) => {
      writeFileSync(join(folder, "opencode.json"), JSON.stringify(scripted(model)));
      return quiet;
    },
    prefix: "quartermaster_",
    unknown: "ses_00000000000000000000000000",
  });
};
