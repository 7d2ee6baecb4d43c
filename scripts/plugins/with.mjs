// `quartermaster work --with`: the real runner starts a host with a scripted model. The host calls a granted tool and gives
// the issue back; the next attempt continues its session and hands in; and a session that the host does not have does not
// stop the work.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bin } from "../ci/built-server.mjs";
import { grant, install } from "../ci/own-servers.mjs";
import { run, scratch } from "../ci/processes.mjs";
import { env, issueOf, statusOf } from "./scene.mjs";
import * as Model from "./scripted-model.mjs";

const fixture = join(import.meta.dirname, "../../packages/mcp/test/support/fixture.mjs");

/** Grants the agent a server. */
export const grantServer = async ({ ask }) => {
  const path = await install(ask, "granted", [fixture]);
  const { details, status } = await ask("POST", `${path}/verify`);
  assert.equal(status, "ok", details);
  await ask("POST", `${path}/enable`);
  await grant(ask, path, ["ci"]);
};

/** An argument of the call, which stays in the session. */
const mark = "mark-4711";

/**
 * `command`: the program with its first arguments. `args`: the user's arguments after `--`. `configure` connects the host
 * to the model at a URL, and returns variables. `prefix`: the start of a tool's name. `unknown`: the id of a session that
 * does not exist.
 */
export const checkWith = async (
  server,
  { api, args, command, configure, name, prefix, unknown },
) => {
  const { ask, key, url } = server;
  const top = join(scratch, "with", name);
  const folder = join(top, "work");
  mkdirSync(folder, { recursive: true });
  const words = command.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(top, name), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const tool = (toolName, toolArgs) => ({ tool: prefix + toolName, args: toolArgs });

  const work = async (steps) => {
    const taken = await Model.withModel(api, steps, async (model) => {
      const more = configure(model, folder);
      const runner = ["work", "--once", "--with", name, "--directory", folder, "--", ...args];
      const { code, stderr } = await run(process.execPath, [bin, ...runner], {
        timeLimit: 180_000,
        env: {
          ...env,
          ...more,
          PATH: `${top}:${env.PATH}`,
          XDG_STATE_HOME: join(top, "state"),
          QM_URL: url,
          QM_KEY: key,
        },
      });
      assert.equal(code, 0, stderr);
    });
    assert.equal(taken, steps.length);
  };

  const issue = await issueOf(server, `For ${name}`);
  const path = `/api/projects/issues/${issue.id}`;
  const lastComment = async () => (await ask("GET", `${path}/comments`)).at(-1).content;
  await work([
    (_, request) => {
      assert.ok(request.includes(issue.title), request);
      return tool("granted__slow", { every: 1, a: mark });
    },
    (result) => {
      assert.match(result, /done/);
      return tool("work_finish", { outcome: "released", comment: "Half", retryAfterSeconds: 0 });
    },
    () => ({ say: "Released." }),
  ]);
  assert.equal(await statusOf(server, issue), "Open");
  const [{ calls, id, worker }] = await ask("GET", `/api/runs?issueId=${issue.id}`);
  assert.deepEqual(calls, { total: 1, failed: 0 });
  assert.ok(worker.host !== null && worker.pid !== null);
  const { entries } = await ask("GET", `/api/agents/ci/runs/${id}/log?stream=host`);
  assert.match(entries.map(({ text }) => text).join(""), /^> .*granted__slow.*mark-4711/m);
  console.log(`ok: the runner runs ${name}, which calls a granted tool and gives the issue back`);

  await work([
    (_, request) => {
      assert.ok(request.includes(mark), "the session is a new one");
      return { say: "All **done**." };
    },
  ]);
  assert.equal(await statusOf(server, issue), "PendingReview");
  assert.equal(await lastComment(), "All **done**.");
  console.log(
    `ok: the next attempt continues the session of ${name}, and its final text is handed in`,
  );

  await ask("PUT", path, { status: "Open" });
  const sessions = join(top, "state/quartermaster/sessions");
  const [file] = readdirSync(sessions);
  const stored = () => JSON.parse(readFileSync(join(sessions, file), "utf8"));
  writeFileSync(join(sessions, file), JSON.stringify({ ...stored(), session: unknown }));
  await work([
    (_, request) => {
      assert.ok(!request.includes(mark), "the session is an old one");
      return { say: "Done with a new session." };
    },
  ]);
  assert.equal(await statusOf(server, issue), "PendingReview");
  assert.equal(await lastComment(), "Done with a new session.");
  assert.notEqual(stored().session, unknown);
  console.log(`ok: ${name} refuses a session that it does not have, and starts a new one`);
};
