import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "@effect/vitest";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { environment } from "../../../server/test/Quartermaster.ts";
import * as Agent from "./Agent.ts";
import { Signal } from "./Signal.ts";

/** The bridge `quartermaster mcp` as a process, which is killed with the test. */

const bin = fileURLToPath(new URL("../../../server/bin/quartermaster.js", import.meta.url));
const args = [bin, "mcp"];

interface Logged {
  readonly stderr: () => string;
  /** Waits until stderr contains this text. */
  readonly logged: (text: string) => Promise<void>;
}

const logOf = (stderr: NodeJS.EventEmitter | null): Logged => {
  let text = "";
  const signal = new Signal();
  stderr?.on("data", (chunk) => {
    text += chunk;
    signal.notify();
  });
  return {
    stderr: () => text,
    logged: (part) => signal.until(() => text.includes(part)),
  };
};

/** The bridge as a host starts it, and an official client that speaks to it. */
export const connect = async (
  env: Record<string, string>,
  era: Agent.Era,
  list?: Agent.List,
): Promise<Agent.Connected & Logged & { readonly transport: StdioClientTransport }> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...environment(), ...env },
    stderr: "pipe",
  });
  const log = logOf(transport.stderr);
  const connected = Agent.clientOf(era, list);
  await connected.client.connect(transport);
  return { ...connected, ...log, transport };
};

export interface Bare extends Logged {
  readonly child: ChildProcess;
  readonly stdin: Writable;
  /** The exit code, with all that was on stdout. */
  readonly exited: Promise<{ readonly code: number | null; readonly stdout: string }>;
}

/** The bridge without a client: the test writes its input. */
export const start = (env: Record<string, string>, more: ReadonlyArray<string> = []): Bare => {
  const child = spawn(process.execPath, [...args, ...more], {
    stdio: "pipe",
    env: { ...environment(), ...env },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  child.stdin.on("error", () => {});
  let stdout = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  const exited = once(child, "close").then(([code]) => ({ code, stdout }));
  return { child, stdin: child.stdin, exited, ...logOf(child.stderr) };
};
