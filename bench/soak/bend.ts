import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import type { Scene } from "./scene.ts";

/**
 * The bend: the highest rate of requests at which the server keeps up. Above it, each request waits for the ones
 * before it.
 */

const connections = 16;
const step = 1.25;
/** The share of the requests that a server answers in time while it keeps up. */
const keepsUp = 0.97;
const mostP99 = 100;

export const find = async ({ requests, server }: Scene): Promise<number> => {
  const load = Processes.load();
  const run = (rate: number, duration: number) =>
    load.run({ ...server, requests, connections, warmUp: 500, duration, rate });
  await run(200, 5_000);
  let bend = 50;
  const holds = async (rate: number) => {
    const { p99, perSecond } = await run(rate, 3_000);
    Report.progress(`${Report.count(rate)}/s: ${Report.count(perSecond)}/s, p99 ${Report.ms(p99)}`);
    return perSecond >= rate * keepsUp && p99 <= mostP99;
  };
  // Other programs may disturb one round.
  for (let rate = bend; (await holds(rate)) || (await holds(rate)); rate *= step) bend = rate;
  await load.end();
  return bend;
};
