import { ask } from "../api.ts";
import * as Report from "../report.ts";
import * as RunLog from "./runLog.ts";
import * as Scene from "./scene.ts";

/** The overview while three runs work: the time until it shows a line, a note and a stop of one of them. */

const line = (name: string, times: ReadonlyArray<number>, limit: number): Report.Line => {
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  return {
    cells: [
      `${name} until the overview of 3 runs shows it, p95 of ${times.length}`,
      `${Report.ms(p95)}, p50 ${Report.ms(Report.median(times))}`,
    ],
    value: p95,
    target: { limit, is: "below" },
  };
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const rounds = quick ? 10 : 40;
  const { end, server } = await Scene.start("dashboard-watch", 100);
  const all = await RunLog.runs(server, 3);
  const { close, page } = await Scene.open(server, "/overview", (opened) =>
    opened.exposeFunction("benchDo", (run: number, what: string, text: string, from: number) => {
      const of = all[run] ?? all[0];
      if (of === undefined) throw new Error("there is no run");
      const path = RunLog.runPath(of);
      if (what === "note") return ask(server, "POST", `${path}/turn`, { note: text });
      if (what === "line") {
        const entries = [{ stream: "stdout", text: `${text}\n` }];
        return ask(server, "POST", `${path}/log`, { from, entries });
      }
      return ask(server, "POST", `/api/projects/issues/${of.issueId}/${what}`, {});
    }),
  );
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  await page.getByRole("link", { name: "logger-3", exact: true }).waitFor();
  const lines: Array<number> = [];
  const notes: Array<number> = [];
  const stops: Array<number> = [];
  for (let round = 1; round <= rounds; round++) {
    if (round % 10 === 0) Report.progress(`watch: round ${round} of ${rounds}`);
    const of = round % 3;
    const seen = (text: string, what: string) =>
      Scene.run<number>(
        page,
        `bench.seen("${text}", ${of}, "${what}", "${text}", ${Math.ceil(round / 3)})`,
      );
    lines.push(await seen(`line ${round};`, "line"));
    // Varies the pause, so that changes are not in step with the intervals of the page.
    await page.waitForTimeout(((round * 137) % 1_100) + 20);
    notes.push(await seen(`note ${round};`, "note"));
    await page.waitForTimeout(((round * 211) % 1_100) + 20);
  }
  for (let run = 0; run < all.length; run++) {
    const code = `bench.seen("Stopping: the issue was paused", ${run}, "pause")`;
    stops.push(await Scene.run<number>(page, code));
    await page.reload();
    await page.getByRole("link", { name: "logger-3", exact: true }).first().waitFor();
    // A paused run is shown until it acknowledges: it ends here, so that its text is gone.
    const of = all[run];
    if (of !== undefined) await ask(server, "POST", `${RunLog.runPath(of)}/turn`, {});
    await page.getByText("Stopping: the issue was paused").waitFor({ state: "detached" });
  }
  await close();
  await end();
  return [line("line", lines, 1_000), line("note", notes, 1_000), line("pause", stops, 2_000)];
};
