import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { freePort } from "../packages/http/test/support/freePort.ts";
import type { Calls, Done, Order } from "./caller.ts";
import type { Job, Outcome } from "./load.ts";

/**
 * The processes and the folder of a run. When the run ends, the processes are stopped and the
 * folder is removed.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
/** The built program. */
export const bin = join(root, "packages/server/bin/quartermaster.js");
const fastify = join(root, "bench/fastify.ts");
const loader = join(root, "bench/load.ts");
const callerFile = join(root, "bench/caller.ts");

const children = new Set<ChildProcess>();
let folder: string | undefined;

process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  const made = folder;
  if (made === undefined) return;
  // A server that stops removes files itself, which ends a removal without an error.
  for (let turn = 0; turn < 100 && existsSync(made); turn++) {
    rmSync(made, { recursive: true, force: true });
  }
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/**
 * A path in this run's folder. The folder is beside the packages: a temporary folder is often in
 * memory, where no write waits for a disk.
 */
export const path = (name: string): string => {
  if (folder === undefined) {
    const parent = join(root, "node_modules/.cache");
    mkdirSync(parent, { recursive: true });
    folder = mkdtempSync(join(parent, "bench-"));
  }
  return join(folder, name);
};

export const remove = (name: string) => rmSync(path(name), { recursive: true, force: true });

const keep = <Child extends ChildProcess>(child: Child): Child => {
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
};

const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 12_000);
  await ended;
  clearTimeout(late);
};

export interface Server {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly key: string;
  /** Milliseconds from the start of the process to the first response. */
  readonly readyAfter: number;
  readonly end: () => Promise<void>;
}

/** Waits until the server responds. Retries a refused connection after a millisecond. */
const ready = async (child: ChildProcess, name: string, url: string) => {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode}`);
    const answered = await fetch(url).then(
      (response) => response.ok || response.status === 401,
      () => false,
    );
    if (answered) return;
    await sleep(1);
  }
  throw new Error(`${name} is not ready after a minute`);
};

const start = async (
  name: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv,
  probe: string,
  key: () => string,
): Promise<Server> => {
  const port = await freePort();
  const begun = performance.now();
  const child = keep(
    spawn(process.execPath, args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { PATH: process.env["PATH"], ...env, QM_PORT: String(port), PORT: String(port) },
    }),
  );
  await ready(child, name, `http://127.0.0.1:${port}${probe}`);
  const readyAfter = performance.now() - begun;
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} has no process`);
  return { name, pid, port, key: key(), readyAfter, end: () => end(child) };
};

/** Starts the built server on a data directory, without a rate limit. */
export const quartermaster = (
  dataDir: string,
  nodeArgs: ReadonlyArray<string> = [],
  env: NodeJS.ProcessEnv = {},
) =>
  start(
    "Quartermaster",
    [...nodeArgs, bin, "serve"],
    { QM_DATA_DIR: dataDir, QM_RATE_LIMIT: "0", QM_DURABILITY: "full", QM_LOG: "json", ...env },
    "/readyz",
    () => readFileSync(join(dataDir, "owner-key"), "utf8").trim(),
  );

/** Starts another command of the built program. The run ends it. */
export const program = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): ChildProcess =>
  keep(
    spawn(process.execPath, [bin, ...args], {
      stdio: "ignore",
      env: { PATH: process.env["PATH"], ...env },
    }),
  );

/** Starts the built baseline on its database. `key` is a key in that database. */
export const baseline = async (
  filename: string,
  key: string,
  nodeArgs: ReadonlyArray<string> = [],
) => {
  const built = path("fastify.mjs");
  const bundle = await rolldown({
    input: fastify,
    platform: "node",
    external: ["fastify"],
    tsconfig: false,
  });
  await bundle.write({ file: built });
  await bundle.close();
  const env = { NODE_ENV: "production" };
  return start("Fastify", [...nodeArgs, built, filename], env, "/", () => key);
};

/** Runs Node until it exits. Returns the duration in milliseconds. A nonzero exit code throws. */
export const timed = async (
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv,
): Promise<number> => {
  const begun = performance.now();
  const child = keep(
    spawn(process.execPath, args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { PATH: process.env["PATH"], ...env },
    }),
  );
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with code ${code}`);
  return performance.now() - begun;
};

/** A process that responds to each message with one message. */
const worker = <Ask, Answer>(name: string, file: string, args: ReadonlyArray<string> = []) => {
  const child = keep(fork(file, args, { execArgv: process.execArgv }));
  const died = once(child, "exit").then(() => {
    throw new Error(`${name} ended`);
  });
  // The process may exit between two runs.
  died.catch(() => undefined);
  return {
    ask: async (message: Ask): Promise<Answer> => {
      const answered = once(child, "message") as Promise<[Answer]>;
      child.send(message as object);
      const [answer] = await Promise.race([answered, died]);
      return answer;
    },
    end: () => end(child),
  };
};

/** The load generator. A run with any error fails. */
export const load = () => {
  const { ask, end } = worker<Job, Outcome>("the load generator", loader);
  return {
    run: async (job: Job): Promise<Outcome> => {
      const outcome = await ask(job);
      if (outcome.errors > 0) {
        throw new Error(`${outcome.errors} requests failed, the first with: ${outcome.error}`);
      }
      return outcome;
    },
    end,
  };
};

/** The process that calls tools: see `caller.ts`. A run with any error fails. */
export const caller = (...args: ReadonlyArray<string>) => {
  const { ask, end } = worker<Order, Done>(`the caller ${args[0]}`, callerFile, args);
  return {
    ask: async (order: Order): Promise<Calls> => {
      const done = await ask(order);
      if (done.error !== null) throw new Error(`the caller ${args[0]}: ${done.error}`);
      return done.calls;
    },
    end,
  };
};

const mebibyte = 1024 * 1024;

const fields = (pid: number) => readFileSync(`/proc/${pid}/status`, "utf8");

const field = (pid: number, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(fields(pid))?.[1] ?? Number.NaN) / 1024;

/** The resident memory in MiB, and its peak. */
export const memory = async (pid: number): Promise<{ resident: number; peak: number }> => {
  if (process.platform === "linux") {
    return { resident: field(pid, "VmRSS"), peak: field(pid, "VmHWM") };
  }
  const ps = keep(spawn("ps", ["-o", "rss=", "-p", String(pid)]));
  const chunks: Array<Buffer> = [];
  ps.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(ps, "close");
  const resident = (Number(Buffer.concat(chunks).toString()) * 1024) / mebibyte;
  return { resident, peak: Number.NaN };
};
