// Checks that `npm start` builds what is stale, serves, and shuts down on a signal.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const name = "[server.start] npm start builds what is stale and serves; signals reach it";
const bundle = join(root, "packages", "server", "program", "bin.js");
const timeLimit = 300_000;

const dataDir = await mkdtemp(join(tmpdir(), "quartermaster-start-"));
await rm(bundle, { force: true });
const child = spawn("npm", ["start"], {
  cwd: root,
  env: { ...process.env, QM_PORT: "0", QM_DATA_DIR: dataDir, QM_LOG: "json" },
  stdio: ["ignore", "pipe", "inherit"],
});
const closed = once(child, "close");
const late = setTimeout(() => child.kill("SIGKILL"), timeLimit);
try {
  const url = await new Promise((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      if (line.startsWith("{")) resolve(JSON.parse(line).url);
    });
    child.once("close", (code) => reject(new Error(`npm start ended with ${code}`)));
  });
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.ok((await stat(bundle)).size > 0, "the bundle was built");
  child.kill("SIGTERM");
  assert.deepEqual(await closed, [0, null]);
  await assert.rejects(fetch(`${url}/readyz`), "nothing listens any more");
  console.log(`ok: ${name}`);
} finally {
  clearTimeout(late);
  child.kill("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
}
