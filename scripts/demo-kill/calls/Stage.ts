import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as Processes from "../Processes.ts";
import * as Server from "../Server.ts";
import { type Seat, send } from "./Roads.ts";

/** Two nodes on one database with MCP servers by stdio, and processes that work for agents. */

export const agentIds = ["ada", "bob", "cleo", "dan", "eve", "finn"];

/** A catalog entry for a program that is on this machine. */
export const entry = (id: string, args: ReadonlyArray<string>) => ({
  id,
  name: id,
  description: "A server of the demo.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "None: the program is there.",
  manifest: { command: process.execPath, args },
});

export const open = async (catalog: ReadonlyArray<ReturnType<typeof entry>>) => {
  const file = join(Processes.folder, "catalog.json");
  writeFileSync(file, JSON.stringify(catalog));
  const env = { QM_CATALOG: file };
  const one = await Server.start(env);
  const two = await Server.start(env);

  /** Sends a request of the owner, which has to succeed. */
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await send(one.url, one.key, method, path, body);
    if (reply.status < 200 || reply.status > 299) {
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    }
    return reply.body;
  };

  const keys: Array<Pick<Seat, "agentId" | "key">> = [];
  for (const agentId of agentIds) {
    await ask("PUT", `/api/agents/${agentId}`, { toolMode: "search" });
    const { key } = await ask("POST", "/api/keys", { name: agentId, role: "Editor", agentId });
    keys.push({ agentId, key });
  }

  /** Installs a server for all agents. Returns its id. */
  const install = async (catalogId: string, settings: object = {}): Promise<string> => {
    const { id } = await ask("POST", "/api/mcp/installed", { catalogId, ...settings });
    const path = `/api/mcp/installed/${id}`;
    await ask("POST", `${path}/verify`);
    await ask("POST", `${path}/enable`);
    const entries = agentIds.map((agentId) => ({ agentId, granted: true }));
    await ask("PUT", `${path}/access`, { entries });
    return id;
  };

  return { one, two, urls: [one.url, two.url], ask, keys, install };
};

export type Stage = Awaited<ReturnType<typeof open>>;

/** Runs processes with several seats each, and starts each again that was killed. */
export const runProcesses = (
  program: string,
  { keys, urls }: Stage,
  settings: { readonly processes: number; readonly seatsEach: number; readonly seed: number },
) => {
  const { processes, seatsEach, seed } = settings;
  const over = new AbortController();
  const children = new Map<number, ChildProcess>();
  const keepRunning = async (number: number) => {
    for (let start = 0; !over.signal.aborted; start += 1) {
      const seats = Array.from({ length: seatsEach }, (_, seat) => ({
        ...keys[(number * seatsEach + seat) % keys.length],
        worker: `demo-process-${number}-seat-${seat}`,
      }));
      const child = spawn(process.execPath, [program], {
        stdio: ["ignore", "inherit", "inherit"],
        env: { DEMO_CALLS: JSON.stringify({ urls, seats, seed: seed + number * 1_000 + start }) },
      });
      children.set(number, child);
      const [code] = await once(child, "exit");
      if (code !== null) throw new Error(`A process exited with ${code}.`);
    }
  };
  process.once("exit", () => {
    for (const child of children.values()) child.kill("SIGKILL");
  });
  const running = Promise.all(
    Array.from({ length: processes }, (_, number) => keepRunning(number)),
  );
  return {
    /** Fails if a process exits without a kill. */
    running,
    kill: (number: number) => children.get(number)?.kill("SIGKILL"),
    signalAll: (signal: "SIGSTOP" | "SIGCONT") => {
      for (const child of children.values()) child.kill(signal);
    },
    end: async () => {
      over.abort();
      for (const child of children.values()) child.kill("SIGKILL");
      await running;
    },
  };
};
