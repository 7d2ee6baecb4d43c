// Shared helpers of the host checks.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scratch } from "../ci/processes.mjs";

export const plugins = join(import.meta.dirname, "../../plugins");

/** The environment of a host: a scratch home, and no variable of the user who runs the check. */
export const env = { PATH: process.env.PATH, HOME: scratch };

/** Creates an issue for the agent of the server's key. */
export const issueOf = ({ ask }, title) =>
  ask("POST", "/api/projects/plugins/issues", { title, assignedAgentId: "ci" });

export const statusOf = async ({ ask }, { id }) =>
  (await ask("GET", `/api/projects/issues/${id}`)).status;

const cache = join(scratch, ".cache/quartermaster/hooks");

/** Waits until the body returns something. `what` names it in the error. */
export const eventually = async (body, what, seconds = 20) => {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(20)) {
    const found = await body();
    if (found) return found;
  }
  throw new Error(`Not within ${seconds} s: ${what}`);
};

/** Pauses the issue and returns the milliseconds until the hooks of its session know. */
export const pause = async ({ ask }, { id }) => {
  const [{ id: runId }] = await ask("GET", `/api/runs?issueId=${id}&limit=1`);
  await ask("POST", `/api/projects/issues/${id}/pause`);
  const paused = Date.now();
  const isKnown = () =>
    readdirSync(cache)
      .filter((name) => name.endsWith(".state"))
      .some((name) => readFileSync(join(cache, name), "utf8").includes(`${runId} stop`));
  await eventually(isKnown, "the hooks know of the pause");
  return Date.now() - paused;
};

/** Waits until no process polls for a session: each ends with its host. */
export const noPoll = () =>
  eventually(
    () => readdirSync(cache).every((name) => !name.endsWith(".poll")),
    "the hooks leave no process",
  );

/**
 * The host dies by SIGKILL while it holds an issue. Its hooks leave no process, and the resumed session learns which run
 * to take over. `session` runs a list of steps, without a look at the exit code; `resume` continues it.
 */
export const checkCrash = async (server, { resume, session, shell, take }) => {
  const issue = await issueOf(server, "To continue");
  await session([
    () => take,
    (result) => {
      assert.ok(result.includes(issue.id), result);
      return shell("kill -9 $PPID");
    },
  ]);
  await noPoll();
  const [{ id: runId, status }] = await server.ask("GET", `/api/runs?issueId=${issue.id}&limit=1`);
  assert.equal(status, "active");
  await resume([
    (_, request) => {
      const text = request.replaceAll("\\", "");
      assert.ok(text.includes(`runId "${runId}" and takeOver true`), request);
      return { say: "I wait." };
    },
  ]);
  await server.ask("POST", `/api/agents/ci/runs/${runId}/finish`, { outcome: "resolved" });
};

/** Waits until the issue's newest run has ended, and returns it. */
export const ended = ({ ask }, { id }) =>
  eventually(async () => {
    const [run] = await ask("GET", `/api/runs?issueId=${id}&limit=1`);
    return run?.status === "ended" ? run : null;
  }, "the run ended");
