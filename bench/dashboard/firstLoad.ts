import type { Response } from "playwright-core";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/**
 * The first load of the board: the size of its JavaScript, and the time until it is interactive.
 */

/** The size of a script in bytes for a browser that accepts only gzip. */
const gzipped = async (url: string) => {
  const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  await response.arrayBuffer();
  return Number(response.headers.get("content-length"));
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const issues = 10_000;
  const rounds = quick ? 3 : 9;
  const { end, server } = await Scene.start("dashboard-load", issues);
  const times: Array<number> = [];
  const scripts = new Set<string>();
  for (let round = 1; round <= rounds; round++) {
    Report.progress(`first load: round ${round} of ${rounds}`);
    const onResponse = (response: Response) => {
      if (response.request().resourceType() === "script") scripts.add(response.url());
    };
    const { close, page } = await Scene.open(server, "/work", async (page) =>
      page.on("response", onResponse),
    );
    times.push(await Scene.run<number>(page, `bench.interactive(${Scene.columns})`));
    // From here on the page loads the screens that its keys open.
    page.off("response", onResponse);
    await close();
  }
  const sizes = await Promise.all([...scripts].map(gzipped));
  await end();
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_024;
  const time = Report.median(times);
  return [
    {
      cells: [
        "JavaScript of the board's first load, gzipped; limit 250 KB",
        `${size.toFixed(1)} KB, ${scripts.size} files`,
      ],
      value: size,
      target: { limit: 200, is: "atMost" },
    },
    {
      cells: [
        `board of ${Report.count(issues)} issues until a key works, empty cache`,
        `${Report.ms(time)}, ${Report.ms(Math.min(...times))} to ${Report.ms(Math.max(...times))}`,
      ],
      value: time,
      target: { limit: 1_000, is: "below" },
    },
  ];
};
