import { Definition } from "@quartermaster/core";
import { toolsOf } from "../manyTools.ts";
import * as Report from "../report.ts";

/** The cost of checking a server's definitions, in addition to the transport. */

const tools = 500;

export const run = async (quick: boolean): Promise<Report.Table> => {
  const text = JSON.stringify(toolsOf(tools));
  const rounds = quick ? 200 : 1_000;
  const took: Array<number> = [];
  for (let round = 0; round < rounds; round++) {
    // Parses again, as for a response of a server: no object is reused from the previous round.
    const sent = JSON.parse(text) as ReadonlyArray<unknown>;
    const began = performance.now();
    const { tools: judged } = Definition.judge(sent);
    took.push(performance.now() - began);
    if (judged.some(({ problem }) => problem !== null)) throw new Error("a definition is invalid");
  }
  const first = took[0] ?? Number.NaN;
  const value = Report.median(took.slice(rounds / 2));
  return {
    title: `Checking the definitions of a list of ${tools} tools (${Math.round(text.length / 1_000)} kB)`,
    columns: ["", "measured"],
    lines: [
      { cells: ["first check of a process", Report.ms(first)] },
      {
        cells: ["check, median", Report.ms(value)],
        value,
        target: { limit: 1, is: "below" },
      },
    ],
  };
};
