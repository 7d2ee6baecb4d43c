// Builds the image from the packed package and runs it as docs/operating/deployment.md says: read-only, without
// capabilities, with a volume. With docker where its engine responds; else the Dockerfile's lines run one by one in
// namespaces: see image/namespaces.mjs. Ends with 77 where neither is possible.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../packages/http/test/support/freePort.ts";
import { asker } from "./ci/built-server.mjs";
import { inNamespace } from "./ci/overlay.mjs";
import { runsSandboxed } from "./ci/own-servers.mjs";
import { scratch } from "./ci/processes.mjs";
import { check } from "./ci/published.mjs";
import * as docker from "./image/docker.mjs";
import { root, user } from "./image/dockerfile.mjs";
import * as namespaces from "./image/namespaces.mjs";

/** Upper bounds in bytes, compressed as a registry has it. Without docker, Debian's part is not in what is measured. */
const limit = 150_000_000;
const debian = 30_000_000;

const healthy = async (container) => {
  for (let tries = 0; tries < 120; tries += 1) {
    if (await container.isHealthy().catch(() => false)) return;
    await sleep(250);
  }
  throw new Error(`The container did not become healthy:\n${container.log()}`);
};

const checkContainer = async (container, url) => {
  await healthy(container);
  console.log("ok: the health check passes");
  const output = async (...args) => (await container.exec(...args)).stdout.trim();
  assert.equal(await output("id", "-un"), user);
  assert.notEqual((await container.exec("touch", "/usr/local/file")).code, 0);
  assert.notEqual((await container.exec("touch", "/home/node/file")).code, 0);
  console.log(`ok: the server runs as ${user} on a root that is read-only`);
  const ask = asker(url, await output("cat", "/data/owner-key"));
  await runsSandboxed(ask);
  const s3 = `cd "$(npm root -g)/quartermaster" && node -e "import('@aws-sdk/client-s3')"`;
  assert.equal((await container.exec("sh", "-c", s3)).code, 0, "the S3 client");
  assert.equal(await container.stop(), 0, "SIGTERM");
  console.log("ok: SIGTERM stops the server");
};

const perform = async (engine) => {
  const context = join(scratch, "context");
  mkdirSync(context);
  for (const name of ["Dockerfile", ".dockerignore"])
    copyFileSync(join(root, name), join(context, name));
  execFileSync("npm", ["pack", "-w", "packages/server", "--pack-destination", context], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    const { bytes, includes } = engine.build(context);
    console.log(`ok: every line runs; ${Math.round(bytes / 1e6)} MB compressed (${includes})`);
    assert.ok(bytes <= (engine === docker ? limit : limit - debian));
    const port = await freePort();
    await checkContainer(engine.start(port), `http://127.0.0.1:${port}`);
  } finally {
    await engine.remove();
  }
};

await check(async () => {
  if (await docker.responds()) return perform(docker);
  return inNamespace(import.meta.filename, () => perform(namespaces));
});
