// Claude Code: the plugin is valid and connects, and its hooks stop and remind a session with a
// scripted model.
import assert from "node:assert/strict";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { bin } from "../ci/built-server.mjs";
import { end, run, scratch, start } from "../ci/processes.mjs";
import { program } from "../ci/published.mjs";
import { checkCrash, ended, env, issueOf, noPoll, pause, plugins, statusOf } from "./scene.mjs";
import * as Model from "./scripted-model.mjs";
import { checkWith } from "./with.mjs";

export const spec = "@anthropic-ai/claude-code@2.1.330";

const plugin = join(plugins, "claude-code");

const tool = (name, args) => ({ tool: `mcp__plugin_quartermaster_quartermaster__${name}`, args });
const bash = (command) => ({ tool: "Bash", args: { command, description: "Works on the issue" } });

/** Sends each text after the result of the previous one. */
const converse = async (claude, texts) => {
  const [first, ...later] = texts.map((content) =>
    JSON.stringify({ type: "user", message: { role: "user", content } }),
  );
  const late = setTimeout(() => claude.kill("SIGKILL"), 60_000);
  claude.stdin.write(`${first}\n`);
  for await (const line of createInterface(claude.stdout)) {
    if (JSON.parse(line).type !== "result") continue;
    const next = later.shift();
    if (next === undefined) break;
    claude.stdin.write(`${next}\n`);
  }
  clearTimeout(late);
  await end(claude);
};

const streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];

/** One process takes an issue, compacts its context, and still knows the issue. */
const checkCompaction = async (server, claude) => {
  const compacted = await issueOf(server, "To compact");
  const steps = [
    () => tool("work_next"),
    () => ({ say: "I wait." }),
    // The reminder.
    () => ({ say: "I wait." }),
    (summarize) => {
      assert.match(summarize, /TEXT ONLY/);
      return { say: "<summary>Nothing.</summary>" };
    },
    (_, request) => {
      assert.ok(request.includes(`You work on the issue ${compacted.id}`), request);
      return tool("work_finish", { outcome: "resolved", comment: "Done" });
    },
    () => ({ say: "Handed in." }),
  ];
  const taken = await Model.withModel(Model.messages, steps, (model) =>
    converse(claude(model), ["Do an issue.", "/compact", "Go on."]),
  );
  assert.equal(taken, steps.length);
  assert.equal(await statusOf(server, compacted), "Resolved");
  console.log("ok: after a compaction Claude Code has its run, issue and loop");
};

/** Two sessions at the same time; a pause of the issue of one does not stop the other. */
const checkPair = async (server, session) => {
  const pair = [await issueOf(server, "Left"), await issueOf(server, "Right")];
  const both = Promise.withResolvers();
  const holding = new Map();
  /** Takes an issue, and after both sessions have theirs, a turn. */
  const taking = (name) => [
    () => tool("work_next"),
    async (result) => {
      holding.set(
        name,
        pair.find(({ id }) => result.includes(id)),
      );
      if (holding.size === 2) {
        await server.ask("POST", `/api/projects/issues/${holding.get("stopped").id}/pause`);
        both.resolve();
      }
      await both.promise;
      return tool("work_turn");
    },
  ];
  await Promise.all([
    session([
      ...taking("stopped"),
      (result) => {
        assert.match(result, /action[^a-z]+stop/);
        return { say: "Stopped." };
      },
    ]),
    session([
      ...taking("working"),
      (result) => {
        assert.match(result, /action[^a-z]+continue/);
        return tool("work_finish", { outcome: "resolved", comment: "Done" });
      },
      () => ({ say: "Handed in." }),
    ]),
  ]);
  assert.equal(await statusOf(server, holding.get("stopped")), "Open");
  assert.equal(await statusOf(server, holding.get("working")), "Resolved");
  console.log("ok: two Claude Codes with one key have their own issues and their own stops");
};

export const check = async (server) => {
  const { key, url } = server;
  // The package has a placeholder instead of its program until its installation script has run.
  const stub = realpathSync(await program(spec, "claude"));
  const wrapper = join(dirname(stub), "../cli-wrapper.cjs");
  const quiet = { ...env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", IS_SANDBOX: "1" };
  const claude = (args, more) =>
    run(process.execPath, [wrapper, ...args], { env: { ...quiet, ...more } });

  const valid = await claude(["plugin", "validate", "--strict", plugin]);
  assert.equal(valid.code, 0, valid.stdout + valid.stderr);
  console.log("ok: claude plugin validate --strict");

  const access = { QM_URL: url, QM_KEY: key };
  const listed = await claude(["--plugin-dir", plugin, "mcp", "list"], access);
  assert.match(listed.stdout, /quartermaster: .*\/mcp \(HTTP\) - . Connected/, listed.stderr);
  console.log("ok: Claude Code connects with the plugin");

  const prompt = ["--plugin-dir", plugin, "--dangerously-skip-permissions", "-p", "Do an issue."];
  const steps = (list) => (body) => Model.withModel(Model.messages, list, body);
  const session = async (list) => {
    const taken = await steps(list)(async (model) => {
      const { code, stderr } = await claude(prompt, { ...access, ...Model.messages.env(model) });
      assert.equal(code, 0, stderr);
    });
    assert.equal(taken, list.length);
  };

  const paused = await issueOf(server, "To pause");
  const mark = join(scratch, "claude-code-worked");
  let known;
  // The model gets no request after its second step.
  await session([
    () => tool("work_next"),
    async (result) => {
      assert.ok(result.includes(paused.id), result);
      known = await pause(server, paused);
      return bash(`touch ${mark}`);
    },
  ]);
  assert.ok(!existsSync(mark), "the tool after the pause ran");
  assert.equal((await ended(server, paused)).stopReason, "paused");
  await noPoll();
  console.log(`ok: a pause stops the next tool of Claude Code; its hooks knew after ${known} ms`);

  const held = await issueOf(server, "To hand in");
  await session([
    () => tool("work_next"),
    () => ({ say: "I am done." }),
    (reminder) => {
      assert.match(reminder, /You still hold the issue iss_\w+\. Hand it in with work_finish/);
      return tool("work_finish", { outcome: "review", comment: "Done" });
    },
    () => ({ say: "Handed in." }),
  ]);
  assert.equal(await statusOf(server, held), "PendingReview");
  console.log("ok: Claude Code is reminded to hand in, and hands in");

  const crashing = (more) => (list) =>
    steps(list)((model) =>
      claude([...prompt, ...more], { ...access, ...Model.messages.env(model) }),
    );
  await checkCrash(server, {
    session: crashing([]),
    resume: crashing(["--continue"]),
    shell: bash,
    take: tool("work_next"),
  });
  console.log("ok: after a crash Claude Code learns which run to take over");

  await checkCompaction(server, (model) =>
    start(process.execPath, [wrapper, ...prompt.slice(0, -1), ...streaming], {
      env: { ...quiet, ...access, ...Model.messages.env(model) },
    }),
  );

  await checkPair(server, session);

  const worked = await issueOf(server, "To work on");
  const taken = await steps([
    () => tool("work_next"),
    (result) => {
      assert.ok(result.includes(worked.id), result);
      return tool("work_finish", { outcome: "resolved", comment: "Done" });
    },
    () => ({ say: "Done." }),
  ])(async (model) => {
    const work = [bin, "work", "--once", "--", process.execPath, wrapper, ...prompt];
    const options = { env: { ...quiet, ...access, ...Model.messages.env(model) } };
    const { code, stderr } = await run(process.execPath, work, options);
    assert.equal(code, 0, stderr);
  });
  assert.equal(taken, 3);
  assert.equal(await statusOf(server, worked), "Resolved");
  console.log("ok: quartermaster work runs Claude Code with the plugin on the run of the runner");

  await checkWith(server, {
    name: "claude",
    command: [process.execPath, wrapper],
    args: ["--allowedTools", "mcp__quartermaster"],
    api: Model.messages,
    configure: (model) => ({ ...quiet, ...Model.messages.env(model) }),
    prefix: "mcp__quartermaster__",
    unknown: "00000000-0000-4000-8000-000000000000",
  });
};
