import type { Calls } from "../caller.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** The start and the calls of a server, compared with the bare client of the official SDK. */

const starts = async (
  server: Processes.Server,
  id: string,
  bare: Scene.Caller,
  rounds: number,
): Promise<Report.Line> => {
  const ours: Array<Awaited<ReturnType<typeof Scene.verify>>> = [];
  const theirs: Array<number> = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    Report.progress(`start to verified: round ${round} of ${rounds}`);
    const verified = await Scene.verify(server, id);
    const { started } = await bare.ask({ order: "start" });
    if (round === 0) continue;
    ours.push(verified);
    theirs.push(started);
  }
  const value = Scene.median(ours, ({ told }, round) => told / (theirs[round] ?? Number.NaN));
  return {
    cells: [
      "start to verified",
      Report.ms(Scene.median(ours, ({ told }) => told)),
      Report.ms(Report.median(theirs)),
      Report.ratio(value),
    ],
    value,
    target: { limit: 1.2, is: "atMost" },
  };
};

const warmCalls = async (
  ours: Scene.Caller,
  bare: Scene.Caller,
  { rounds, quick }: { readonly rounds: number; readonly quick: boolean },
): Promise<ReadonlyArray<Report.Line>> => {
  const outcomes = async (atOnce: number, calls: number) => {
    const order = { order: "call", calls, atOnce } as const;
    const all: { readonly ours: Array<Calls>; readonly theirs: Array<Calls> } = {
      ours: [],
      theirs: [],
    };
    for (let round = 0; round <= rounds; round++) {
      Report.progress(`warm calls, ${atOnce} at a time: round ${round} of ${rounds}`);
      const first = await ours.ask(order);
      const second = await bare.ask(order);
      if (round === 0) continue;
      all.ours.push(first);
      all.theirs.push(second);
    }
    return all;
  };
  const one = await outcomes(1, quick ? 500 : 2_000);
  const slower = Scene.median(
    one.ours,
    ({ p50 }, round) => p50 / (one.theirs[round]?.p50 ?? Number.NaN),
  );
  const many = await outcomes(100, quick ? 2_000 : 8_000);
  const share = Scene.median(
    many.ours,
    ({ perSecond }, round) => perSecond / (many.theirs[round]?.perSecond ?? Number.NaN),
  );
  return [
    {
      cells: [
        "warm echo, p50 of one at a time",
        Report.ms(Scene.median(one.ours, ({ p50 }) => p50)),
        Report.ms(Scene.median(one.theirs, ({ p50 }) => p50)),
        Report.ratio(slower),
      ],
      value: slower,
      target: { limit: 1.3, is: "atMost" },
    },
    {
      cells: [
        "warm echo, calls a second, 100 in flight",
        Report.count(Scene.median(many.ours, ({ perSecond }) => perSecond)),
        Report.count(Scene.median(many.theirs, ({ perSecond }) => perSecond)),
        Report.ratio(share),
      ],
      value: share,
      target: { limit: 0.7, is: "atLeast" },
    },
  ];
};

export const run = async (quick: boolean): Promise<Report.Table> => {
  const { server } = await Scene.start("mcp", [Scene.entry("everything", [Scene.everything])]);
  const bare = Processes.caller("bare", Scene.everything);
  const ours = Processes.caller("ours", Processes.path("mcp-caller"), Scene.everything);
  const id = await Scene.install(server, "everything", "everything");
  const lines = [
    await starts(server, id, bare, quick ? 5 : 9),
    ...(await warmCalls(ours, bare, { rounds: quick ? 3 : 7, quick })),
  ];
  await Promise.all([ours.end(), bare.end(), server.end()]);
  for (const name of ["mcp", "mcp-caller"]) Processes.remove(name);
  return {
    title: "Tools of server-everything beside the bare SDK client (medians of the rounds)",
    columns: ["", "ours", "bare", "ratio"],
    lines,
  };
};
