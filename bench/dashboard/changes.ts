import { ask } from "../api.ts";
import * as Corpus from "../corpus.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** The time from a change that another client makes over REST until the board shows it. */

const statuses = ["Open", "PendingReview", "Resolved"] as const;

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const issues = 10_000;
  const changes = quick ? 30 : 100;
  const { end, server } = await Scene.start("dashboard-changes", issues);
  const { close, page } = await Scene.open(server, "/work", (page) =>
    page.exposeFunction("benchChange", (id: string, title: string, status: string) =>
      ask(server, "PUT", `/api/projects/issues/${id}`, { title, status }),
    ),
  );
  await Scene.settled(page);
  const times: Array<number> = [];
  // The first changes warm up.
  for (let change = -10; change < changes; change++) {
    if (change % 10 === 0) Report.progress(`change ${Math.max(0, change)} of ${changes}`);
    // Each column shows its newest issues first.
    const id = Corpus.issueId(issues - ((change + 10) % 10));
    const status = statuses[(change + 10) % statuses.length];
    const code = `bench.change("${id}", "Change ${change}.", "${status}")`;
    const took = await Scene.run<number>(page, code);
    if (change >= 0) times.push(took);
    // Varies the pause, so that changes are not in step with the frames or intervals of the page.
    await page.waitForTimeout((((change + 10) * 137) % 700) + 20);
  }
  await close();
  await end();
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  return [
    {
      cells: [
        `change by another client until the board shows it, p95 of ${changes}`,
        `${Report.ms(p95)}, p50 ${Report.ms(Report.median(times))}`,
      ],
      value: p95,
      target: { limit: 200, is: "below" },
    },
  ];
};
