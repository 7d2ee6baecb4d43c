import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../api.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/**
 * Many connections of one process: their memory, and the calls of a server beside a server that
 * never responds.
 */

const connections = 50;

/** The memory of a connection in MiB: the growth of the server's own process only. */
const memory = async (server: Processes.Server): Promise<Report.Line> => {
  const names = Array.from({ length: connections + 1 }, (_, index) => `tiny-${index}`);
  const ids: Array<string> = [];
  for (const name of names) ids.push(await Scene.install(server, "tiny", name));
  const use = async (index: number) => {
    const [id, name] = [ids[index] ?? "", names[index] ?? ""];
    await Scene.verify(server, id);
    await Scene.grant(server, id);
    await Scene.callOnce(server, `${name}__echo`);
  };
  // The first connection is open before the measurement, because it loads modules.
  await use(0);
  await sleep(1_000);
  const before = await Processes.memory(server.pid);
  for (let index = 1; index <= connections; index++) {
    Report.progress(`connection ${index} of ${connections}`);
    await use(index);
  }
  await sleep(1_000);
  const after = await Processes.memory(server.pid);
  const each = (after.resident - before.resident) / connections;
  return {
    cells: [`resident memory for each of ${connections} connections`, Report.mib(each)],
    value: each,
    target: { limit: 2, is: "below" },
  };
};

/** Starts calls that get no response. Returns a function that cancels them. */
const hang = async (server: Processes.Server, calls: number) => {
  const controller = new AbortController();
  const { path, body } = Scene.toolsCall("silent__echo");
  const more = { signal: controller.signal };
  const pending = Array.from({ length: calls }, () =>
    ask(server, "POST", path, JSON.parse(body ?? ""), more).then(
      (answered) => {
        throw new Error(`silent: ${JSON.stringify(answered.answer)}`);
      },
      (error: unknown) => {
        if (!controller.signal.aborted) throw error;
      },
    ),
  );
  await sleep(100);
  return async () => {
    controller.abort();
    await Promise.all(pending);
  };
};

const hanging = async (
  server: Processes.Server,
  load: ReturnType<typeof Processes.load>,
  { rounds, duration }: Scene.Rounds,
): Promise<Report.Line> => {
  const calls = 16;
  const id = await Scene.install(server, "silent", "silent");
  await Scene.verify(server, id);
  await Scene.grant(server, id);
  const measure = async () => {
    const { port, key } = server;
    const requests = [Scene.toolsCall("tiny-0__echo")];
    return (await load.run({ port, key, requests, connections: 1, warmUp: 100, duration })).p50;
  };
  const without: Array<number> = [];
  const beside: Array<number> = [];
  for (let round = 0; round <= rounds; round++) {
    Report.progress(`beside a server that never answers: round ${round} of ${rounds}`);
    const first = await measure();
    const giveUp = await hang(server, calls);
    const second = await measure();
    await giveUp();
    if (round === 0) continue;
    without.push(first);
    beside.push(second);
  }
  const value = Scene.median(beside, (p50, round) => p50 / (without[round] ?? Number.NaN));
  return {
    cells: [
      `p50 of echo beside ${calls} calls that hang, in those without`,
      `${Report.ms(Report.median(beside))} / ${Report.ms(Report.median(without))} = ${Report.ratio(value)}`,
    ],
    value,
    target: { limit: 1.2, is: "atMost" },
  };
};

export const run = async (quick: boolean): Promise<Report.Table> => {
  const { server } = await Scene.start("mcp-connections", [
    Scene.entry("tiny", [Scene.echo]),
    Scene.entry("silent", [Scene.echo, "silent"]),
  ]);
  // Runs first, while the memory is as small as after a start.
  const perConnection = await memory(server);
  const load = Processes.load();
  const notSlowed = await hanging(server, load, {
    rounds: quick ? 3 : 7,
    duration: quick ? 500 : 1_500,
  });
  await Promise.all([load.end(), server.end()]);
  Processes.remove("mcp-connections");
  return {
    title: `Many servers: ${connections} connections of one process`,
    columns: ["", "measured"],
    lines: [perConnection, notSlowed],
  };
};
