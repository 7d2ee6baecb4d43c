// A program that speaks MCP over its pipes, in a process group of its own.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { line } from "./npm.ts";

const deadlineMillis = 60_000;

/** What was seen of it. */
export interface Conversation {
  /** From its start to its answer to `initialize`, in ms; empty without one. */
  started: string;
  /** How many, and the size of their definitions; empty if none were listed. */
  tools: string;
  note: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** Starts a program, lists its tools, and ends it with all that it started. */
export const speak = async (
  args: ReadonlyArray<string>,
  env: Record<string, string>,
  home: string,
): Promise<Conversation> => {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { cwd: home, env, detached: true });
  if (child.pid !== undefined) groups.add(child.pid);
  const pending = new Map<number, (message: Message) => void>();
  let said = "";
  let strange = 0;
  let lastId = 0;
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = async (method: string, params: object) => {
    const id = ++lastId;
    const answer = new Promise<Message>((resolve) => pending.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4_000);
  });
  createInterface({ input: child.stdout }).on("line", (text) => {
    let message: Message;
    try {
      message = JSON.parse(text);
    } catch {
      strange += 1;
      said = `${said}${text}\n`.slice(-4_000);
      return;
    }
    if (message.id === undefined) return;
    if (message.method === "ping") send({ id: message.id, result: {} });
    else if (message.method) {
      send({ id: message.id, error: { code: -32601, message: "Method not found" } });
    } else pending.get(message.id)?.(message);
  });
  const exited = new Promise<never>((_, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const lines = said.split("\n").filter((part) => !/^\s*(at .*)?$/.test(part));
      const why = lines.find((part) => /error|fatal|fail/i.test(part)) ?? lines.at(-1);
      reject(new Error(`exits with ${signal ?? code}${why ? `: ${why}` : ", and says nothing"}`));
    });
  });
  const seen: Conversation = { started: "", tools: "", note: "" };
  const talk = async () => {
    const initialized = await ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "quartermaster-catalogue-check", version: "1" },
    });
    seen.started = `${Math.round(performance.now() - begin)}`;
    seen.note = `revision ${String(initialized["protocolVersion"])}`;
    send({ method: "notifications/initialized" });
    const tools: Array<unknown> = [];
    let cursor: unknown;
    do {
      const page = await ask("tools/list", cursor === undefined ? {} : { cursor });
      tools.push(...(page["tools"] as ReadonlyArray<unknown>));
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    seen.tools = `${tools.length} (${Math.ceil(JSON.stringify(tools).length / 1_000)} kB)`;
    if (strange > 0) seen.note += `, ${strange} lines on stdout that are not messages`;
  };
  const deadline = new AbortController();
  try {
    await Promise.race([
      talk(),
      exited,
      sleep(deadlineMillis, undefined, { signal: deadline.signal }).then(() => {
        throw new Error(`no answer in ${deadlineMillis / 1_000} s`);
      }),
    ]);
  } catch (error) {
    seen.note = line(error instanceof Error ? error.message : String(error));
  } finally {
    deadline.abort();
    await endGroup(child.pid);
  }
  return seen;
};

const signal = (pid: number, name: NodeJS.Signals | 0) => {
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
};

const groups = new Set<number>();
process.once("exit", () => groups.forEach((pid) => signal(pid, "SIGKILL")));

/** SIGTERM to all of the group, SIGKILL to what is left after 5 s. */
const endGroup = async (pid: number | undefined) => {
  if (pid === undefined) return;
  if (signal(pid, "SIGTERM")) {
    for (let waited = 0; waited < 5_000 && signal(pid, 0); waited += 100) await sleep(100);
    signal(pid, "SIGKILL");
  }
  groups.delete(pid);
};
