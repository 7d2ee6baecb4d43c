// The milliseconds by which the hook before a tool delays the tool: it starts a shell, reads a file and asks no server.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../ci/processes.mjs";
import { plugins } from "./scene.mjs";

const times = 200;

export const measureBefore = () => {
  const cache = join(scratch, "before");
  const folder = join(cache, "quartermaster/hooks");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "session"), "1 run_1\n");
  writeFileSync(join(folder, "session.state"), "99999999999 run_1 go\n");
  // No server listens on this port.
  const env = {
    PATH: process.env.PATH,
    XDG_CACHE_HOME: cache,
    QM_KEY: "none",
    QM_URL: "http://127.0.0.1:9",
  };
  const hook = join(plugins, "claude-code/hooks/hook.sh");
  const input = JSON.stringify({ session_id: "session", tool_name: "Bash", tool_input: {} });
  const millis = Array.from({ length: times }, () => {
    const start = performance.now();
    const { status, stdout } = spawnSync("sh", [hook, "before", "claude-code"], { env, input });
    assert.equal(status, 0);
    assert.equal(stdout.length, 0);
    return performance.now() - start;
  }).toSorted((a, b) => a - b);
  const at = (part) => millis[Math.floor(part * times)].toFixed(1);
  console.log(`ok: the hook before a tool takes ${at(0.5)} ms at p50, ${at(0.95)} ms at p95`);
};
