import type { Request } from "../load.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Database from "./database.ts";
import * as Scene from "./scene.ts";

/** Claims by `work_next` compared with claims by heartbeats, over HTTP, in turn on one server. */

const connections = 16;

/** The live runs, each with its agent. */
const running = (dataDir: string) => {
  const db = Database.open(dataDir, true);
  try {
    const rows = db.prepare("SELECT id, agent_id FROM runs WHERE status <> 'ended'").all();
    return rows.map((row) => ({ id: String(row["id"]), agentId: String(row["agent_id"]) }));
  } finally {
    db.close();
  }
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const claimants = quick ? 200 : 1_000;
  const rounds = quick ? 3 : 9;
  const dataDir = Processes.path("agents-work-next");
  const server = await Processes.quartermaster(dataDir);
  const load = Processes.load();
  Report.progress(`work_next: ${claimants} agents with an issue each`);
  const agents = await Scene.agents(server, "claiming", claimants);
  for (const agent of agents) await Scene.issue(server, agent);

  const all = {
    port: server.port,
    key: server.key,
    connections,
    warmUp: 0,
    duration: 0,
    once: true,
  };
  const release = async () => {
    const runs = running(dataDir);
    if (runs.length !== claimants) throw new Error(`${runs.length} of ${claimants} have claimed`);
    const requests = runs.map(({ agentId, id }): Request => ({
      method: "POST",
      path: `/api/agents/${agentId}/runs/${id}/finish`,
      body: JSON.stringify({ outcome: "released" }),
    }));
    await load.run({ ...all, requests });
  };
  const claims = async (requests: ReadonlyArray<Request>) => {
    const outcome = await load.run({ ...all, requests });
    await release();
    return outcome;
  };
  const heartbeats = agents.map(({ id, key }): Request => ({
    method: "POST",
    path: `/api/agents/${id}/heartbeat`,
    key,
    body: "{}",
  }));
  const workNexts = agents.map((agent) => Scene.call(agent, "work_next"));

  const outcomes: Array<{ readonly next: number; readonly p50: number; readonly beat: number }> =
    [];
  // The first two rounds warm up.
  for (let round = -1; round <= rounds; round++) {
    Report.progress(`work_next: round ${round} of ${rounds}`);
    const { perSecond: beat } = await claims(heartbeats);
    const { p50, perSecond: next } = await claims(workNexts);
    if (round > 0) outcomes.push({ next, p50, beat });
  }
  await Promise.all([load.end(), server.end()]);
  Processes.remove("agents-work-next");

  const median = (of: (outcome: (typeof outcomes)[number]) => number) =>
    Report.median(outcomes.map(of));
  const value = median(({ beat, next }) => next / beat);
  const [next, beat] = [median(({ next }) => next), median(({ beat }) => beat)];
  return [
    {
      cells: [
        `claims a second by work_next in those by heartbeats, ${connections} connections`,
        `${Report.count(next)} / ${Report.count(beat)} = ${Report.ratio(value)}, p50 ${Report.ms(median(({ p50 }) => p50))}`,
      ],
      value,
      target: { limit: 0.5, is: "atLeast" },
    },
  ];
};
