import type { Request } from "../load.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";

/** Heartbeats of many agents over HTTP, at a fixed rate. */

const agents = 10_000;
const every = 10;
/** Seconds until all agents are registered, and the heartbeats that waited for that have their responses. */
const warmUp = 3 * every;

/** Measures a server for the seconds `held`. */
export const measure = async (
  { port, key }: Processes.Server,
  held: number,
): Promise<Report.Line> => {
  const load = Processes.load();
  Report.progress(`heartbeats for ${warmUp} + ${held} s`);
  const { p50, p99, perSecond } = await load.run({
    port,
    key,
    requests: Array.from({ length: agents }, (_, index): Request => ({
      method: "POST",
      path: `/api/agents/beating-${index}/heartbeat`,
      body: "{}",
    })),
    connections: 64,
    rate: agents / every,
    // Each agent's first heartbeat registers it, which may take longer than its turn.
    warmUp: warmUp * 1_000,
    duration: held * 1_000,
  });
  await load.end();
  return {
    cells: [
      `p99 of heartbeats of ${Report.count(agents)} agents every ${every} s, for ${held} s`,
      `${Report.ms(p99)}, p50 ${Report.ms(p50)}, ${Report.count(perSecond)}/s`,
    ],
    value: p99,
    target: { limit: 50, is: "below" },
  };
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const server = await Processes.quartermaster(Processes.path("agents-heartbeats"));
  const line = await measure(server, quick ? 10 : 60);
  await server.end();
  Processes.remove("agents-heartbeats");
  return [line];
};
