import { DatabaseSync } from "node:sqlite";
import { ask } from "../api.ts";
import type { Request } from "../load.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** The cost of an effect compared with the same call outside `once`, for one live run, in turn. */

/** Distinct calls of a tool. With equal ones the service would count them: each has a slot of its own. */
const distinct = 20_000;

const requestsOf = (tool: string, runId: string): ReadonlyArray<Request> =>
  Array.from({ length: distinct }, (_, number) => ({
    method: "POST" as const,
    path: `/api/agents/${Scene.agentId}/tools/call`,
    headers: { "quartermaster-run": runId },
    body: JSON.stringify({ name: tool, arguments: { message: `hello ${number}` } }),
  }));

/**
 * Returns the function that measures what the disk takes: p50 of commits of one row by a bare program in the same folder, by
 * whether they wait for the disk. An effect is sent after one such commit.
 */
const bareCommits = () => {
  const db = new DatabaseSync(Processes.path("bare.db"));
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE rows (text TEXT)");
  const insert = db.prepare("INSERT INTO rows VALUES (?)");
  const p50 = (synchronous: "FULL" | "NORMAL") => {
    db.exec(`PRAGMA synchronous = ${synchronous}`);
    return Report.median(
      Array.from({ length: 200 }, (_, number) => {
        const began = performance.now();
        insert.run(`row ${number}`);
        return performance.now() - began;
      }),
    );
  };
  return {
    measure: () => ({ once: p50("FULL"), plain: p50("NORMAL") }),
    end: () => db.close(),
  };
};

export const run = async (quick: boolean): Promise<Report.Table> => {
  const { agentKey, server } = await Scene.start("mcp-effects", [
    Scene.entry("echo", [Scene.echo]),
  ]);
  for (const name of ["plain", "once"]) {
    const id = await Scene.install(server, "echo", name);
    await Scene.verify(server, id);
    await Scene.grant(server, id);
    const once = name === "once" ? [{ tools: ["echo"] }] : null;
    await ask(server, "PUT", `/api/mcp/installed/${id}`, { once });
  }
  const issue = { title: "Bench", assignedAgentId: Scene.agentId };
  await ask(server, "POST", "/api/projects/bench/issues", issue);
  const { answer } = await ask<{ readonly started: ReadonlyArray<{ readonly runId: string }> }>(
    server,
    "POST",
    `/api/agents/${Scene.agentId}/heartbeat`,
    { leaseSeconds: 86_400 },
  );
  const runId = answer.started[0]?.runId ?? "";
  const load = Processes.load();
  const measure = (requests: ReadonlyArray<Request>, warmUp: number, duration: number) =>
    load.run({ port: server.port, key: agentKey, requests, connections: 1, warmUp, duration });
  // Each round has calls that no round before it had.
  const plain = requestsOf("plain__echo", runId);
  const once = requestsOf("once__echo", runId);
  const rounds = quick ? 3 : 9;
  const duration = quick ? 500 : 1_500;
  const each = Math.floor(distinct / (rounds + 1));
  const all: Array<{ readonly plain: Sample; readonly once: Sample }> = [];
  const bare = bareCommits();
  const commits: Array<ReturnType<typeof bare.measure>> = [];
  for (let round = 0; round <= rounds; round++) {
    Report.progress(`the cost of an effect: round ${round} of ${rounds}`);
    const part = (requests: ReadonlyArray<Request>) =>
      measure(
        requests.slice(round * each, (round + 1) * each),
        round === 0 ? duration * 3 : 100,
        duration,
      );
    const sample = { plain: await part(plain), once: await part(once) };
    commits.push(bare.measure());
    if (round > 0) all.push(sample);
  }
  bare.end();
  await Promise.all([load.end(), server.end()]);
  Processes.remove("mcp-effects");
  const line = (name: "p50" | "p99"): Report.Line => {
    const value = Scene.median(all, ({ once, plain }) => once[name] - plain[name]);
    return {
      cells: [
        name,
        Report.ms(Scene.median(all, ({ once }) => once[name])),
        Report.ms(Scene.median(all, ({ plain }) => plain[name])),
        Report.ms(value),
      ],
      ...(name === "p50" ? { value, target: { limit: 0.3, is: "atMost" } } : {}),
    };
  };
  return {
    title:
      "A call of a run that happens once beside the same call outside once (medians of the rounds)",
    columns: ["", "once", "outside", "added"],
    lines: [
      line("p50"),
      line("p99"),
      {
        cells: [
          "p50 of a bare commit, synced and not",
          Report.ms(Scene.median(commits, ({ once }) => once)),
          Report.ms(Scene.median(commits, ({ plain }) => plain)),
          Report.ms(Scene.median(commits, ({ once, plain }) => once - plain)),
        ],
      },
    ],
  };
};

type Sample = Awaited<ReturnType<ReturnType<typeof Processes.load>["run"]>>;
