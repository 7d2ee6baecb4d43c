import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "@effect/vitest";

const bin = fileURLToPath(new URL("../../bin/quartermaster.js", import.meta.url));

/** What the server says when it listens. */
export interface Welcome {
  readonly url: string;
  readonly ownerKeyFile: string;
  readonly docs: string;
  readonly try: string;
}

type Line = Record<string, unknown>;
type End = (end: () => Promise<void>) => void;

/** A folder that is gone after the test. */
export const temporaryFolder = async (end: End = onTestFinished): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "quartermaster-"));
  end(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A process of the program, ended with the test at the latest. */
export class Quartermaster {
  readonly child: ChildProcess;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly lines: Array<Line> = [];
  stdout = "";
  stderr = "";
  readonly #waiting = new Set<() => void>();

  constructor(args: ReadonlyArray<string>, env: Record<string, string>, end: End = onTestFinished) {
    this.child = spawn(process.execPath, [bin, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });
    this.exited = once(this.child, "close").then(([code, signal]) => {
      this.#wake();
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
      this.#wake();
    });
  }

  /** Starts a server on a free port. */
  static serve(dataDir: string, env: Record<string, string> = {}, end: End = onTestFinished) {
    return new Quartermaster(["serve"], { QM_PORT: "0", QM_DATA_DIR: dataDir, ...env }, end);
  }

  #wake() {
    for (const wake of this.#waiting) wake();
  }

  /** The first line of the log that fits, once it is there. */
  async line(fits: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`The process ended first: ${this.stderr}${this.stdout}`);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }

  async welcome(): Promise<Welcome> {
    const line = await this.line(({ ownerKeyFile }) => ownerKeyFile !== undefined);
    return line as unknown as Welcome;
  }

  async ownerKey(): Promise<string> {
    return readFile((await this.welcome()).ownerKeyFile, "utf8");
  }

  /** A call with the Owner's key. */
  async call(path: string, init: RequestInit = {}): Promise<Response> {
    const { url } = await this.welcome();
    const headers = {
      authorization: `Bearer ${await this.ownerKey()}`,
      "content-type": "application/json",
    };
    return fetch(`${url}${path}`, { ...init, headers });
  }

  createIssue(title: string) {
    return this.call("/api/projects/demo/issues", {
      method: "POST",
      body: JSON.stringify({ title }),
    });
  }
}
