import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/**
 * Starts a server on a free port with an empty data directory. Returns its URL and the Owner key.
 */
export const start = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "quartermaster-"));
  const server = spawn("quartermaster", ["serve"], {
    env: { ...process.env, QM_PORT: "0", QM_DATA_DIR: dataDir, QM_LOG: "json" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const listening = Promise.withResolvers<string>();
  createInterface(server.stdout).on("line", (line) => {
    const [url] = line.match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
    if (url !== undefined) listening.resolve(url);
  });
  server.once("exit", () => listening.reject(new Error("The server exited before it listened.")));
  const url = await listening.promise;
  const key = await readFile(join(dataDir, "owner-key"), "utf8");
  return {
    url,
    key,
    stop: async () => {
      server.kill();
      await exited;
      await rm(dataDir, { recursive: true });
    },
  };
};
