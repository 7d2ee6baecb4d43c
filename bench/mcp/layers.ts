import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** The cost of the sandboxes for the start and the calls of a server, compared with `direct`. */

const layers = ["direct", "node", "bubblewrap"] as const;

const round = async <A>(f: (layer: number) => Promise<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = [];
  for (const layer of layers.keys()) all.push(await f(layer));
  return all;
};

export const run = async (quick: boolean): Promise<Report.Table> => {
  const callers = layers.map((layer) =>
    Processes.caller("ours", Processes.path(`mcp-${layer}`), Scene.everything, layer),
  );
  const ask = (layer: number, order: Parameters<Scene.Caller["ask"]>[0]) => {
    const caller = callers[layer];
    if (caller === undefined) throw new Error("no caller");
    return caller.ask(order);
  };
  const rounds = quick ? 5 : 15;
  const calls = { order: "call", calls: quick ? 500 : 2_000, atOnce: 1 } as const;
  const started: Array<ReadonlyArray<number>> = [];
  const called: Array<ReadonlyArray<number>> = [];
  // The first round warms up.
  for (let index = 0; index <= rounds; index++) {
    Report.progress(`sandboxes: round ${index} of ${rounds}`);
    const starts = await round(async (layer) => (await ask(layer, { order: "start" })).started);
    const p50s = await round(async (layer) => (await ask(layer, calls)).p50);
    if (index === 0) continue;
    started.push(starts);
    called.push(p50s);
  }
  await Promise.all(callers.map((caller) => caller.end()));
  for (const layer of layers) Processes.remove(`mcp-${layer}`);

  const of = (all: ReadonlyArray<ReadonlyArray<number>>, layer: number) =>
    all.map((values) => values[layer] ?? Number.NaN);
  const lines = layers.flatMap((layer, index): ReadonlyArray<Report.Line> => {
    if (layer === "direct") return [];
    const added = Report.median(
      of(started, index).map((millis, at) => millis - (of(started, 0)[at] ?? Number.NaN)),
    );
    const ratio = Report.median(
      of(called, index).map((p50, at) => p50 / (of(called, 0)[at] ?? Number.NaN)),
    );
    return [
      {
        cells: [
          `${layer}: start to its list of tools`,
          Report.ms(Report.median(of(started, index))),
          Report.ms(Report.median(of(started, 0))),
          `+${Report.ms(added)}`,
        ],
        value: added,
        target: { limit: 100, is: "below" },
      },
      {
        cells: [
          `${layer}: p50 of a call`,
          Report.ms(Report.median(of(called, index))),
          Report.ms(Report.median(of(called, 0))),
          Report.ratio(ratio),
        ],
        value: ratio,
        target: { limit: 1.1, is: "atMost" },
      },
    ];
  });
  return {
    title: "Sandboxes of server-everything beside direct (medians of the rounds)",
    columns: ["", "in it", "direct", "adds"],
    lines,
  };
};
