import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../packages/http/test/support/freePort.ts";
import * as Processes from "./Processes.ts";

/** A server at one URL and on one data directory, across its restarts. */

const ready = async (child: ChildProcess, url: string): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server exited with ${child.exitCode}.`);
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
};

export const start = async (env: Readonly<Record<string, string>> = {}, name = "server") => {
  const dataDir = join(Processes.folder, name === "server" ? "data" : name);
  const keyFile = join(dataDir, "owner-key");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const launch = async () => {
    const child = Processes.quartermaster(name, ["serve"], {
      QM_PORT: String(port),
      QM_DATA_DIR: dataDir,
      QM_LOG: "json",
      // Twenty runners that are killed for a minute exceed any limit. The demo clears the delays as
      // a person would.
      QM_MAX_ATTEMPTS: "0",
      ...env,
    });
    await ready(child, url);
    return child;
  };
  let child = await launch();
  const kill = async () => {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  const restart = async () => {
    child = await launch();
  };
  return {
    url,
    port,
    /** The Owner key; empty if another node of the database made it. */
    key: existsSync(keyFile) ? readFileSync(keyFile, "utf8").trim() : "",
    kill,
    restart,
    /** Kills the server and restarts it on the same data. Returns the milliseconds in between. */
    crash: async (awayMillis: number): Promise<number> => {
      const killedAt = performance.now();
      await kill();
      await sleep(awayMillis);
      await restart();
      return performance.now() - killedAt;
    },
    stop: () => Processes.stop(child),
  };
};
