import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "@effect/vitest";
import { Signal } from "../../http/test/support/Signal.ts";
import { environment } from "./Quartermaster.ts";

const bin = fileURLToPath(new URL("../bin/quartermaster.js", import.meta.url));

/** True if util-linux is installed: its `script` runs a command on a terminal. */
export const hasTerminal = (() => {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
})();

/**
 * Starts a server on a terminal. Returns its output until it listens, the printed link, and a
 * function that stops it.
 */
export const startOnTerminal = async (dataDir: string) => {
  const child = spawn(
    "script",
    ["-qfec", `exec '${process.execPath}' '${bin}' serve`, "/dev/null"],
    {
      env: { ...environment(), QM_PORT: "0", QM_DATA_DIR: dataDir },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const exited = once(child, "close");
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  onTestFinished(stop);
  const output = new Signal();
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
    output.notify();
  });
  child.on("close", () => output.notify());
  await output.until(() => text.includes("Docs  ") || child.exitCode !== null);
  const [, url = "", signInToken = ""] = /(http:\S+)\/#sign-in=([0-9a-f]{64})\s/.exec(text) ?? [];
  return { text, url, signInToken, stop };
};
