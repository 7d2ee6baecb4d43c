import type { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import { ask } from "../api.ts";
import * as Corpus from "../corpus.ts";
import type { Request } from "../load.ts";
import * as McpScene from "../mcp/scene.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Requests from "../requests.ts";
import * as Scene from "./scene.ts";

/** Requests to the program on PostgreSQL, beside the program on SQLite, on one connection. */

const issues = 200;

/** Starts the program with a granted tool and issues. Returns the requests of each measurement. */
const prepare = async (name: string, env: NodeJS.ProcessEnv) => {
  const { agentKey, server } = await McpScene.start(
    name,
    [McpScene.entry("echo", [McpScene.echo])],
    env,
  );
  const id = await McpScene.install(server, "echo", "echo");
  await McpScene.verify(server, id);
  await McpScene.grant(server, id);
  await McpScene.callOnce({ ...server, key: agentKey }, "echo__echo");
  const gets: Array<Request> = [];
  for (let index = 1; index <= issues; index++) {
    const { title, description } = Corpus.issue(index, 1);
    const { answer } = await ask<{ readonly id: string }>(
      server,
      "POST",
      "/api/projects/bench/issues",
      { title, description },
    );
    gets.push({ method: "GET", path: `/api/projects/issues/${answer.id}` });
  }
  return {
    server,
    gets,
    creates: Requests.create(),
    calls: [{ ...McpScene.toolsCall("echo__echo"), key: agentKey }],
  };
};

const measurements = [
  { name: "get by id", of: "gets", limit: 1.5 },
  { name: "a granted call", of: "calls", limit: 1.5 },
  { name: "create", of: "creates", limit: undefined },
] as const;

export const run = async (
  quick: boolean,
  cluster: Cluster,
): Promise<ReadonlyArray<Report.Line>> => {
  const duration = quick ? 500 : 1_000;
  const load = Processes.load();
  const ours = await prepare("beside-postgres", Scene.variables(cluster, "bench_beside"));
  const theirs = await prepare("beside-sqlite", {});
  const lines: Array<Report.Line> = [];
  for (const { name, of, limit } of measurements) {
    const p50 = async ({ server: { port, key }, ...requests }: typeof ours) =>
      (await load.run({ port, key, requests: requests[of], connections: 1, warmUp: 200, duration }))
        .p50;
    lines.push(
      await Scene.inTurn({
        name: `p50 of ${name} in that on SQLite`,
        rounds: quick ? 3 : 5,
        ours: () => p50(ours),
        theirs: () => p50(theirs),
        show: Report.ms,
        target: limit === undefined ? undefined : { limit, is: "atMost" },
      }),
    );
  }
  await Promise.all([load.end(), ours.server.end(), theirs.server.end()]);
  for (const name of ["beside-postgres", "beside-sqlite"]) Processes.remove(name);
  return lines;
};
