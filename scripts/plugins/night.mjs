// A night: ten issues for Claude Code with `quartermaster work --with claude --worktree --concurrency 3`. A person watches
// the three runs, pauses one, answers the question of another, and kills the runner. In the morning there are ten
// branches, ten hand-ins and a usage table, and no payment happened twice.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bin, withServer } from "../ci/built-server.mjs";
import { grant, install } from "../ci/own-servers.mjs";
import { end, run, scratch, start } from "../ci/processes.mjs";
import { program } from "../ci/published.mjs";
import { spec } from "./claude-code.mjs";
import { env, eventually } from "./scene.mjs";
import * as Model from "./scripted-model.mjs";

const count = 10;
const asking = "Night 2";
const paused = "Night 3";
const color = "Blue is fine";
/** Claude Code refuses `sleep` for more than some seconds. */
const long = "timeout --foreground 50 tail -f /dev/null; echo worked";
const short = "sleep 3; echo worked";
const question = { prompt: "Which color?" };

const granted = (name, args) => ({ tool: `mcp__quartermaster__${name}`, args });
const shell = (command) => ({ tool: "Bash", args: { command, description: "Works on the issue" } });

/** The texts of a message's tool results. */
const resultsOf = ({ content }) =>
  Array.isArray(content)
    ? content
        .filter(({ type }) => type === "tool_result")
        .map((block) => JSON.stringify(block.content).replaceAll("\\", ""))
    : [];

/**
 * Returns what an agent does next, by what its session contains: it commits a file, asks for a color if its issue is
 * that one, works for some seconds, pays, and hands in. It settles a payment whose reply was lost.
 */
const deciding =
  (scene) =>
  ({ messages }) => {
    const all = JSON.stringify(messages);
    const title = /Night \d+/.exec(all)?.[0];
    const results = messages.flatMap(resultsOf);
    const last = results.at(-1) ?? "";
    const has = (text) => results.some((result) => result.includes(text));
    const lost = /effect_settle with callId (call_\w+)/.exec(last)?.[1];
    if (lost !== undefined) return granted("night__paid", { title, callId: lost });
    const seen = /(call_\w+) is (not )?in the table/.exec(last);
    if (seen !== null) {
      const [note, callId, not] = seen;
      return granted("effect_settle", { callId, happened: not === undefined, note });
    }
    if (last.includes("effect-open")) return shell("sleep 5; echo waited");
    if (!has("committed")) {
      const file = `${title.replace(" ", "-")}.md`;
      const commit = `git add ${file} && git diff --cached --quiet || git commit -qm "${title}"`;
      return shell(`echo done > ${file} && ${commit}; echo committed`);
    }
    if (title === asking && !all.includes(color)) {
      return has("Which color?") ? { say: "I wait for the color." } : granted("ask", question);
    }
    if (!has("worked")) return shell(title === paused && !scene.isResumed ? long : short);
    if (!has(`paid for ${title}`) && !has(`"state":"done"`))
      return granted("night__pay", { title });
    return { say: `${title} is done.` };
  };

/** Runs the runner, which a person may kill. */
const runnerOf = ({ key, url }, command, folder, model) => {
  const top = join(scratch, "night");
  writeFileSync(
    join(top, "claude"),
    `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`,
    { mode: 0o755 },
  );
  const args = ["work", "--with", "claude", "--worktree", "--concurrency", "3", "--lease", "10s"];
  const tools = ["--", "--allowedTools", "mcp__quartermaster,Bash"];
  const child = start(process.execPath, [bin, ...args, "--directory", folder, ...tools], {
    env: {
      ...env,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      IS_SANDBOX: "1",
      ...Model.messages.env(model),
      PATH: `${top}:${env.PATH}`,
      XDG_STATE_HOME: join(top, "state"),
      QM_URL: url,
      QM_KEY: key,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(process.stderr, { end: false });
  return child;
};

const repository = () => {
  const folder = join(scratch, "night/shop");
  mkdirSync(folder, { recursive: true });
  const git = (...args) =>
    execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
  git("init", "-q", "-b", "trunk");
  git("config", "user.name", "bot");
  git("config", "user.email", "bot@example.com");
  git("commit", "-q", "--allow-empty", "-m", "first");
  return { folder, git };
};

/** The processes of hosts in the worktrees. */
const hosts = (folder) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}.worktrees`);
      } catch {
        return false;
      }
    });

const night = async (server, command) => {
  const { ask } = server;
  const { folder, git } = repository();
  const path = await install(ask, "night", [join(import.meta.dirname, "night-payments.mjs")]);
  await ask("PUT", path, { once: [{ tools: ["pay"] }], callTimeoutSeconds: 3 });
  assert.equal((await ask("POST", `${path}/verify`)).status, "ok");
  await ask("POST", `${path}/enable`);
  await grant(ask, path, ["ci"]);
  const issues = [];
  for (let n = 1; n <= count; n += 1) {
    issues.push(
      await ask("POST", "/api/projects/night/issues", {
        title: `Night ${n}`,
        assignedAgentId: "ci",
      }),
    );
  }
  const callTool = async (name) => {
    const answer = await fetch(`${server.url}/api/agents/ci/tools/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ name, arguments: {} }),
    });
    return (await answer.json()).content[0].text;
  };
  const states = async () => {
    const all = await ask("GET", "/api/projects/night/issues?limit=100");
    return Object.fromEntries(
      [...Map.groupBy(all, ({ status }) => status)].map(([status, list]) => [status, list.length]),
    );
  };
  const live = async () =>
    (await ask("GET", "/api/runs?status=active")).filter(({ status }) => status === "active");
  const logOf = async ({ id }) =>
    (await ask("GET", `/api/agents/ci/runs/${id}/log?stream=host`)).entries
      .map(({ text }) => text)
      .join("");

  const scene = { isResumed: false };
  await Model.withDeciding(Model.messages, deciding(scene), async (model) => {
    const runner = runnerOf(server, command, folder, model);
    const held = await eventually(
      async () => {
        const found = await live();
        const logs = await Promise.all(found.map(logOf));
        const isWorking = found.length === 3 && logs.every((log) => log.includes("git commit"));
        return isWorking && found.find((_, index) => logs[index].includes("tail -f"));
      },
      "three runs are live, and the log of each has its work",
      60,
    );
    console.log("ok: three runs of Claude Code are live, and the log of each has its work");

    await ask("POST", `/api/projects/issues/${held.issueId}/pause`);
    const since = Date.now();
    await eventually(
      async () => (await ask("GET", `/api/runs/${held.id}`)).status === "ended",
      "the paused run ended",
    );
    console.log(`ok: a pause ends its run in the middle of a command (${Date.now() - since} ms)`);

    const asked = await eventually(
      async () => {
        const [item] = await ask("GET", "/api/inbox?kind=question");
        return item;
      },
      "the question is in the inbox",
      60,
    );
    await ask("POST", `/api/projects/questions/${asked.questionId}/answer`, { answer: color });
    console.log("ok: the question of an agent is in the inbox, and a person answers it");

    await eventually(
      async () => (await live()).length === 3 && (await states()).PendingReview > 0,
      "three runs are live, and an issue is handed in",
      120,
    );
    runner.kill("SIGKILL");
    await eventually(
      () => hosts(folder).length === 0,
      "no host is left after SIGKILL of the runner",
    );
    console.log("ok: SIGKILL of the runner leaves no host");

    scene.isResumed = true;
    await ask("POST", `/api/projects/issues/${held.issueId}/resume`);
    const next = runnerOf(server, command, folder, model);
    await eventually(
      async () => (await states()).PendingReview === count,
      "all issues are handed in",
      240,
    );
    await end(next);
  });

  const branches = git("branch", "--list", "qm/*", "--format=%(refname:short)").split("\n");
  assert.deepEqual(branches.toSorted(), issues.map(({ id }) => `qm/${id}`).toSorted());
  for (const { id, title } of issues) {
    assert.equal(git("log", "--format=%s", `trunk..qm/${id}`), title);
  }
  const payments = JSON.parse(await callTool("night__list"));
  const titles = issues.map(({ title }) => title);
  assert.deepEqual(payments.map(({ title }) => title).toSorted(), titles.toSorted());
  const { stdout } = await run(process.execPath, [bin, "usage", "--by", "issue"], {
    env: { ...env, QM_URL: server.url, QM_KEY: server.key },
  });
  assert.match(stdout, /^total/m);
  console.log(`ok: ${count} branches, ${count} hand-ins, and each payment happened once`);
};

/** On a server of its own, which has no other issues of its agent. */
export const check = async () => {
  const wrapper = join(dirname(realpathSync(await program(spec, "claude"))), "../cli-wrapper.cjs");
  await withServer((server) => night(server, [process.execPath, wrapper]), { name: "night-data" });
};
