import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { assert } from "@effect/vitest";
import type { Quartermaster } from "./Quartermaster.ts";

/** Connections to the workers of a program. */

export interface Connection {
  readonly worker: number;
  /** Sends a request over this connection, and resolves to the response without its body. */
  readonly open: (method: string, path: string, body?: unknown) => Promise<IncomingMessage>;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it is its own matter
  ) => Promise<{ readonly status: number; readonly text: string; readonly body: any }>;
  readonly close: () => void;
}

const connect = async (server: Quartermaster): Promise<Connection> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const open = async (method: string, path: string, body?: unknown) => {
    const sent = request(`${server.url}${path}`, {
      agent,
      method,
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, "response");
    return response as IncomingMessage;
  };
  const first = await open("GET", "/api/agents");
  await text(first);
  const { worker } = await server.line(
    ({ requestId }) => requestId === first.headers["x-request-id"],
  );
  return {
    worker: Number(worker),
    open,
    call: async (method, path, body) => {
      const response = await open(method, path, body);
      const content = await text(response);
      const isJson = response.headers["content-type"]?.includes("json") === true;
      return {
        status: response.statusCode ?? 0,
        text: content,
        body: isJson ? JSON.parse(content) : undefined,
      };
    },
    close: () => agent.destroy(),
  };
};

/** A connection to each worker, by its number. */
export const connectAll = async (server: Quartermaster, count: number) => {
  const connections = new Map<number, Connection>();
  while (connections.size < count) {
    const connection = await connect(server);
    if (connections.has(connection.worker)) connection.close();
    else connections.set(connection.worker, connection);
  }
  return [...connections.values()].toSorted((a, b) => a.worker - b.worker);
};

/** Waits until as many workers serve requests. */
export const listening = async (server: Quartermaster, count: number) => {
  for (let worker = 2; worker <= count; worker++) {
    await server.line(({ message }) => String(message).startsWith(`Worker ${worker} listens`));
  }
};

/** The processes of the workers. */
export const pidsOf = ({ child }: Quartermaster): ReadonlyArray<number> =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")
    .split(" ")
    .filter((pid) => pid !== "")
    .map(Number);

const counter = fileURLToPath(
  new URL("../../storage-postgres/test/support/counter.mjs", import.meta.url),
);

/** Writes a catalog with a server with state. */
export const catalogIn = async (folder: string) => {
  const file = join(folder, "catalog.json");
  const entry = {
    id: "counter",
    name: "Counter",
    description: "Counts",
    category: "dev",
    transport: "stdio",
    runtime: "none",
    installInstructions: "None",
    manifest: { command: process.execPath, args: [counter], state: true },
  };
  await writeFile(file, JSON.stringify([entry]));
  return file;
};

/** Calls of a server with state reach the same process, whichever worker receives them. */
export const checkState = async (connections: ReadonlyArray<Connection>) => {
  const [one] = connections;
  assert.isDefined(one);
  const done = async (method: string, path: string, body?: unknown) => {
    const got = await one.call(method, path, body);
    assert.isBelow(got.status, 300, got.text);
    return got.body;
  };
  const { id } = await done("POST", "/api/mcp/installed", { catalogId: "counter", envValues: {} });
  const path = `/api/mcp/installed/${id}`;
  assert.strictEqual((await done("POST", `${path}/verify`)).status, "ok");
  await done("POST", `${path}/enable`);
  await done("PUT", `${path}/access`, { entries: [{ agentId: "bot", granted: true }] });
  const pids = new Set<number>();
  for (const [index, { call }] of [...connections, ...connections].entries()) {
    const body = { name: "counter__count", arguments: {} };
    const counted = await call("POST", "/api/agents/bot/tools/call", body);
    assert.strictEqual(counted.status, 200, counted.text);
    const { count, pid } = JSON.parse(counted.body.content[0].text);
    assert.strictEqual(count, index + 1);
    pids.add(pid);
  }
  assert.strictEqual(pids.size, 1);
};

/** Creates issues while a worker is killed. Each acknowledged one exists, and the worker comes back. */
export const checkKill = async (server: Quartermaster, pid: number, worker: number) => {
  const acknowledged: Array<string> = [];
  const over = new AbortController();
  const writer = async (name: number) => {
    for (let number = 0; !over.signal.aborted; number++) {
      const title = `Issue ${name} ${number}`;
      const created = await server
        .call("POST", "/api/projects/demo/issues", { body: { title } })
        // The connection ends with its worker.
        .catch(() => null);
      if (created?.status === 201) acknowledged.push(created.body.id);
    }
  };
  const writers = [1, 2, 3, 4, 5, 6].map(writer);
  while (acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve, 10));
  process.kill(pid, "SIGKILL");
  const lines = server.lines.length;
  await server.line((line) =>
    String(line["message"]).startsWith(`Worker ${worker} was ended by SIGKILL. It starts again`),
  );
  const atDeath = acknowledged.length;
  await server.line(
    (line) =>
      server.lines.indexOf(line) >= lines &&
      String(line["message"]).startsWith(`Worker ${worker} listens`),
  );
  over.abort();
  await Promise.all(writers);
  assert.isAbove(acknowledged.length, atDeath, "the other worker serves in the meantime");
  for (const id of acknowledged) {
    assert.strictEqual((await server.call("GET", `/api/projects/issues/${id}`)).status, 200, id);
  }
};
