// An installed Chromium that cannot reach any other host.
import { join } from "node:path";
import { run, scratch } from "./processes.mjs";
import { Skipped } from "./published.mjs";

const timeLimit = 120_000;

/** The path of an installed Chromium. Installs it with apt if it is missing. */
export const browser = async () => {
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

/** Opens a page. Returns the page after eight seconds of its own time, and the browser's log. */
export const open = (command, url) =>
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
