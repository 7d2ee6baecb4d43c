import { ask } from "../api.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** The time from the start of the navigation until a graph of 500 issues is drawn. */

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const nodes = 500;
  const rounds = quick ? 3 : 9;
  const { end, server } = await Scene.start("dashboard-graph", 1_000);
  await ask(server, "POST", "/api/projects/large/plan", {
    issues: Array.from({ length: nodes }, (_, index) => ({
      ref: `n${index}`,
      title: `Step ${index} of a large migration`,
      blockedBy:
        index % 10 === 0 ? [] : [`n${index - 1}`, ...(index > 30 ? [`n${index - 23}`] : [])],
    })),
  });
  const times: Array<number> = [];
  for (let round = 1; round <= rounds; round++) {
    Report.progress(`graph: round ${round} of ${rounds}`);
    const { close, page } = await Scene.open(server, "/graph?project=large&view=picture");
    times.push(await Scene.run<number>(page, `bench.drawn(${nodes})`));
    await close();
  }
  await end();
  const time = Report.median(times);
  return [
    {
      cells: [
        `graph of ${nodes} issues until it is drawn, empty cache`,
        `${Report.ms(time)}, ${Report.ms(Math.min(...times))} to ${Report.ms(Math.max(...times))}`,
      ],
      value: time,
      target: { limit: 2_000, is: "below" },
    },
  ];
};
