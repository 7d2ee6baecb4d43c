import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "@effect/vitest";
import { type Answer, as, type Call } from "../../http/test/support/Client.ts";
import { Signal } from "../../http/test/support/Signal.ts";

const bin = fileURLToPath(new URL("../bin/quartermaster.js", import.meta.url));

/** The inherited environment of a process: the cache of compiled code shortens its start. */
export const environment = (): Record<string, string> => {
  const { NODE_COMPILE_CACHE, PATH = "" } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
};

/** The line that the server prints when it listens. */
export interface Welcome {
  readonly url: string;
  readonly ownerKeyFile: string;
  readonly docs: string;
  readonly try: string;
}

type Line = Record<string, unknown>;
export type End = (end: () => Promise<void>) => void;

/** A folder that is removed when the test ends. */
export const temporaryFolder = async (end: End = onTestFinished): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "quartermaster-"));
  end(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/**
 * The one world of these tests: the program as a process, which is killed at the end of the test. `start` waits
 * until a server listens; `serve` and the constructor do not, for programs that refuse to start.
 */
export class Quartermaster {
  readonly child: ChildProcess;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly lines: Array<Line> = [];
  stdout = "";
  stderr = "";
  /** The server's URL and its Owner key. Available after `start`. */
  url = "";
  key = "";
  readonly #output = new Signal();

  constructor(args: ReadonlyArray<string>, env: Record<string, string>, end: End = onTestFinished) {
    this.child = spawn(process.execPath, [bin, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...environment(), ...env },
    });
    this.exited = once(this.child, "close").then(([code, signal]) => {
      this.#output.notify();
      return { code, signal };
    });
    end(async () => {
      this.child.kill("SIGKILL");
      await this.exited;
    });
    this.child.stderr?.on("data", (chunk) => {
      this.stderr += chunk;
    });
    if (this.child.stdout === null) throw new Error("stdout is piped");
    createInterface(this.child.stdout).on("line", (line) => {
      this.stdout += `${line}\n`;
      if (line.startsWith("{")) this.lines.push(JSON.parse(line));
      this.#output.notify();
    });
  }

  /** Starts a server on a free port. */
  static serve(dataDir: string, env: Record<string, string> = {}, end: End = onTestFinished) {
    return new Quartermaster(["serve"], { QM_PORT: "0", QM_DATA_DIR: dataDir, ...env }, end);
  }

  /** Starts a server on a free port, and waits until it listens. */
  static async start(dataDir: string, env?: Record<string, string>, end?: End) {
    const server = Quartermaster.serve(dataDir, env, end);
    const { url } = await server.welcome();
    return Object.assign(server, { url, key: await server.ownerKey() });
  }

  /** Waits for the first line of the log that matches. */
  async line(fits: (line: Line) => boolean): Promise<Line> {
    const isOver = () => this.child.exitCode !== null || this.child.signalCode !== null;
    await this.#output.until(() => isOver() || this.lines.some(fits));
    const found = this.lines.find(fits);
    if (found === undefined) {
      throw new Error(`The process exited first: ${this.stderr}${this.stdout}`);
    }
    return found;
  }

  /** Waits until stdout contains the text. */
  printed(text: string): Promise<void> {
    return this.#output.until(() => this.stdout.includes(text));
  }

  async welcome(): Promise<Welcome> {
    const line = await this.line(({ ownerKeyFile }) => ownerKeyFile !== undefined);
    return line as unknown as Welcome;
  }

  async ownerKey(): Promise<string> {
    return readFile((await this.welcome()).ownerKeyFile, "utf8");
  }

  /** A request with the Owner key, whose response is not read yet. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const { url } = await this.welcome();
    const headers = {
      authorization: `Bearer ${await this.ownerKey()}`,
      "content-type": "application/json",
      ...Object.fromEntries(new Headers(init.headers)),
    };
    return fetch(`${url}${path}`, { ...init, headers });
  }

  /** A call with the Owner key. The server has to be listening. */
  readonly call = (method: string, path: string, options?: Call): Promise<Answer> =>
    as(this, this.key)(method, path, options);

  /** Signals the process, and waits until it has exited. */
  async kill(signal: "SIGKILL" | "SIGTERM" = "SIGKILL") {
    this.child.kill(signal);
    await this.exited;
  }
}
