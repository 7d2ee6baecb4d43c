import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as Postgres from "../postgres/scene.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Requests from "../requests.ts";
import * as Seed from "../seed.ts";

/** The server of a soak, with issues and a catalog of servers that misbehave. */

export const storages = ["sqlite", "postgres"] as const;
export type StorageName = (typeof storages)[number];

const issues = 10_000;
const fixture = fileURLToPath(
  new URL("../../packages/mcp/test/support/fixture.mjs", import.meta.url),
);

/** The servers by the behavior of the fixture. */
export const behaviors: Readonly<Record<string, ReadonlyArray<string>>> = {
  good: ["good"],
  floods: ["floods-changes", "2"],
  crashes: ["dies-in-call"],
  hangs: ["no-list"],
  talks: ["floods-stderr"],
};

const catalog = Object.entries(behaviors).map(([id, args]) => ({
  id,
  name: id,
  description: "A server of the soak.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "None.",
  manifest: { package: null, command: process.execPath, args: [fixture, ...args] },
}));

export interface Scene {
  readonly server: Processes.Server;
  readonly dataDir: string;
  /** The paths of reads, and bodies of creations. */
  readonly requests: ReadonlyArray<
    Parameters<ReturnType<typeof Processes.load>["run"]>[0]["requests"][number]
  >;
  readonly end: () => Promise<void>;
}

/** Of 20 requests 13 read an issue, 5 a list, and 2 create an issue. */
const mixed = (gets: Scene["requests"]) => {
  const lists = Requests.list(issues, 1);
  const creates = Requests.create();
  return gets.flatMap((get, index) => {
    const turn = index % 20;
    if (turn >= 18) return creates.slice(index % creates.length, (index % creates.length) + 1);
    return turn >= 13 ? lists.slice(index % lists.length, (index % lists.length) + 1) : [get];
  });
};

/** Creates issues over the API, and returns requests that read them. */
const created = async ({ key, port }: Processes.Server) => {
  const load = Processes.load();
  const body = (number: number) => JSON.stringify({ title: `Issue ${number}` });
  const requests = Array.from({ length: 2_000 }, (_, number) => ({
    method: "POST" as const,
    path: "/api/projects/project-0/issues",
    body: body(number),
  }));
  const job = { port, key, connections: 16, warmUp: 0, duration: 0, once: true };
  await load.run({ ...job, requests });
  await load.end();
  const headers = { authorization: `Bearer ${key}` };
  const listed = await fetch(`http://127.0.0.1:${port}/api/projects/project-0/issues?limit=500`, {
    headers,
  });
  const found = (await listed.json()) as ReadonlyArray<{ readonly id: string }>;
  return found.map(({ id }) => ({ method: "GET" as const, path: `/api/projects/issues/${id}` }));
};

export const start = async (storage: StorageName): Promise<Scene> => {
  const name = `soak-${storage}`;
  const dataDir = Processes.path(name);
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, "catalog.json");
  writeFileSync(file, JSON.stringify(catalog));
  const env = { QM_CATALOG: file, QM_MAX_ATTEMPTS: "0" };
  Report.progress(`${storage}: filling the storage`);
  if (storage === "sqlite") {
    await Seed.quartermaster(dataDir, { issues, projects: 1 });
    const server = await Processes.quartermaster(dataDir, [], env);
    return { server, dataDir, requests: mixed(Requests.get(issues)), end: server.end };
  }
  const cluster = await Postgres.start();
  const variables = Postgres.variables(cluster, "soak");
  const server = await Processes.quartermaster(dataDir, [], { ...env, ...variables });
  const end = async () => {
    await server.end();
    await cluster.end("SIGINT");
  };
  return { server, dataDir, requests: mixed(await created(server)), end };
};
