import { inject, onTestFinished } from "@effect/vitest";
import { type End, Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import "./cluster.setup.ts";

/** Servers of the program on one schema of the tests' PostgreSQL. */

let schemas = 0;

export const secretKey = Buffer.alloc(32, 7).toString("base64");

/** The variables of a server on a new schema. The server of the tests is removed with its schemas. */
export const variables = (url: string = inject("postgres")): Record<string, string> => ({
  QM_DATABASE_URL: url,
  QM_DATABASE_SCHEMA: `node_${process.pid}_${performance.now().toFixed(0)}_${++schemas}`,
  QM_SECRET_KEY: secretKey,
  QM_RATE_LIMIT: "0",
});

export interface Node {
  readonly server: Quartermaster;
  readonly dataDir: string;
}

/** Starts a server with a data directory of its own. It does not wait until the server listens. */
export const serve = async (
  env: Record<string, string>,
  end: End = onTestFinished,
): Promise<Node> => {
  const dataDir = await temporaryFolder(end);
  return { dataDir, server: Quartermaster.serve(dataDir, env, end) };
};

/**
 * Starts servers at the same time on one database, and waits until each listens. All of them have
 * the Owner key that one of them made.
 */
export const startAll = async (
  count: number,
  env: Record<string, string>,
  end: End = onTestFinished,
): Promise<ReadonlyArray<Node>> => {
  const nodes = await Promise.all(Array.from({ length: count }, () => serve(env, end)));
  const keys: Array<string> = [];
  for (const { server } of nodes) {
    server.url = (await server.welcome()).url;
    keys.push(await server.ownerKey().catch(() => ""));
  }
  const key = keys.find((text) => text !== "") ?? "";
  for (const { server } of nodes) server.key = key;
  return nodes;
};
