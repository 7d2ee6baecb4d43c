// Looks at /docs of the built server in a browser that reaches no other host: what the page's script
// has made of it, and what it complains of.
import assert from "node:assert/strict";
import { join } from "node:path";
import { withServer } from "./ci/built-server.mjs";
import { run, scratch } from "./ci/processes.mjs";
import { check, Skipped } from "./ci/published.mjs";

const timeLimit = 120_000;

/** An installed Chromium, or one that apt installs. */
const browser = async () => {
  const find = "command -v chromium || command -v chromium-browser || command -v google-chrome";
  const found = await run("sh", ["-c", find]);
  if (found.code === 0) return found.stdout.trim();
  if (process.getuid?.() === 0) {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeLimit };
    await run("sh", ["-c", "apt-get install -y --no-install-recommends chromium"], options);
    const installed = await run("sh", ["-c", find]);
    if (installed.code === 0) return installed.stdout.trim();
  }
  throw new Skipped("There is no Chromium here, and apt cannot install it.");
};

/** The page as it stands after eight seconds of its own time, and what the browser logged. */
const open = (command, url) =>
  run(
    command,
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      `--user-data-dir=${join(scratch, "browser")}`,
      "--window-size=1400,1200",
      "--enable-logging=stderr",
      "--virtual-time-budget=8000",
      "--dump-dom",
      url,
    ],
    { env: { PATH: process.env.PATH, HOME: scratch }, timeLimit },
  );

await check(async () => {
  const command = await browser();
  await withServer(async ({ url }) => {
    const { info, tags } = await (await fetch(`${url}/openapi.json`)).json();
    const { code, stderr, stdout } = await open(command, `${url}/docs`);
    assert.equal(code, 0, stderr);

    const shown = stdout.replaceAll(/<script.*?<\/script>/gs, "");
    assert.match(shown, new RegExp(`<h1[^>]*>${info.title}`));
    for (const { name } of tags) assert.ok(shown.includes(name), `${name} is not on the page`);
    const elsewhere = shown.matchAll(/<a [^>]*href="https?:\/\/([^/"]+)/g);
    assert.deepEqual(new Set([...elsewhere].map(([, host]) => host)), new Set(["www.scalar.com"]));
    assert.doesNotMatch(shown, /Generate SDKs|Open API Client/);
    console.log(`ok: the page shows ${info.title} and its ${tags.length} groups`);

    const complaints = stderr
      .split("\n")
      .filter((line) => /CONSOLE/.test(line))
      .filter((line) => /refused|violates|failed|error|net::/i.test(line));
    assert.deepEqual(complaints, []);
    console.log("ok: nothing was refused, and nothing was asked of another host");
  });
});
