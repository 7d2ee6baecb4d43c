import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ask } from "../api.ts";
import type { Calls, Order } from "../caller.ts";
import type { Request } from "../load.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";

/** Installed and verified servers with grants for one agent. */

const require = createRequire(import.meta.url);
const everythingFile = require.resolve("@modelcontextprotocol/server-everything/package.json");
/** The program of a real server. */
export const everything = join(
  dirname(everythingFile),
  JSON.parse(readFileSync(everythingFile, "utf8")).bin["mcp-server-everything"],
);
export const echo = fileURLToPath(new URL("../echo.ts", import.meta.url));

export const agentId = "bench-agent";
/** A catalog entry for a program that is already on this machine: nothing is fetched. */
export const entry = (id: string, args: ReadonlyArray<string>) => ({
  id,
  name: id,
  description: "A server for measurements.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "None.",
  manifest: { package: null, command: process.execPath, args },
});

export interface Caller {
  readonly ask: (order: Order) => Promise<Calls>;
  readonly end: () => Promise<void>;
}

export interface Rounds {
  readonly rounds: number;
  readonly duration: number;
}

/** Starts the built server with these entries as its catalog, and creates the agent's key. */
export const start = async (
  name: string,
  catalog: ReadonlyArray<ReturnType<typeof entry>>,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly server: Processes.Server; readonly agentKey: string }> => {
  const dataDir = Processes.path(name);
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, "catalog.json");
  writeFileSync(file, JSON.stringify(catalog));
  const server = await Processes.quartermaster(dataDir, [], { QM_CATALOG: file, ...env });
  await ask(server, "PUT", `/api/agents/${agentId}`, {});
  const { answer } = await ask<{ readonly key: string }>(server, "POST", "/api/keys", {
    name: "bench",
    role: "Editor",
    agentId,
  });
  return { server, agentKey: answer.key };
};

/** Installs a server. Returns its id. */
export const install = async (server: Processes.Server, catalogId: string, name: string) => {
  const { answer } = await ask<{ readonly id: string }>(server, "POST", "/api/mcp/installed", {
    catalogId,
    name,
  });
  return answer.id;
};

/**
 * Verifies a server. Returns the time that the server reports, and the time of the whole request.
 */
export const verify = async (server: Processes.Server, id: string) => {
  const began = performance.now();
  const { answer } = await ask<{ readonly status: string; readonly details: string }>(
    server,
    "POST",
    `/api/mcp/installed/${id}/verify`,
  );
  const whole = performance.now() - began;
  const [, told] = /^Responded in (\d+) ms/.exec(answer.details) ?? [];
  if (told === undefined) throw new Error(`verify: ${answer.details}`);
  return { told: Number(told), whole };
};

/** Grants the agent the server's tools. */
export const grant = async (server: Processes.Server, id: string) => {
  await ask(server, "POST", `/api/mcp/installed/${id}/enable`);
  await ask(server, "PUT", `/api/mcp/installed/${id}/access`, {
    entries: [{ agentId, granted: true }],
  });
};

export const toolsCall = (name: string): Request => ({
  method: "POST",
  path: `/api/agents/${agentId}/tools/call`,
  body: JSON.stringify({ name, arguments: { message: "hello" } }),
});

export const callOnce = async (server: Processes.Server, name: string) => {
  const { path, body } = toolsCall(name);
  const { answer } = await ask(server, "POST", path, JSON.parse(body ?? ""));
  if (!JSON.stringify(answer).includes("Echo: hello")) {
    throw new Error(`${name}: ${JSON.stringify(answer)}`);
  }
};

export const median = <A>(some: ReadonlyArray<A>, of: (one: A, index: number) => number) =>
  Report.median(some.map(of));
