// Runs the server for an hour at 70 % of the rate that it can keep up with, while pages and streams are open, runners and
// MCP servers are killed, and servers misbehave. Fails if its memory, handles, processes or files grow.
import { parseArgs } from "node:util";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Bend from "./bend.ts";
import * as Beside from "./beside.ts";
import * as Samples from "./samples.ts";
import * as Scene from "./scene.ts";

const share = 0.7;
/** The time of a sample, in milliseconds. */
const sampleMillis = 10_000;
const fewestSamples = 10;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    storage: { type: "string", multiple: true },
  },
});
const minutes = Number(values.minutes);
const samples = Math.floor((minutes * 60_000) / sampleMillis);
const isStorage = (name: string): name is Scene.StorageName =>
  (Scene.storages as ReadonlyArray<string>).includes(name);
const storages = values.storage ?? [...Scene.storages];
if (!(samples >= fewestSamples) || !storages.every(isStorage)) {
  console.error(
    "npm run soak -- [--minutes 60] [--storage sqlite] [--storage postgres]\n\nAt least 2 minutes.",
  );
  process.exit(2);
}
if (process.platform !== "linux") {
  console.error("The soak reads /proc, so it runs on Linux only.");
  process.exit(2);
}

const soak = async (storage: Scene.StorageName): Promise<Report.Table> => {
  const scene = await Scene.start(storage);
  const { requests, server } = scene;
  // The page, the runners and the MCP servers take their part of the processors from the bend.
  const beside = await Beside.start(scene);
  const bend = await Bend.find(scene);
  const rate = bend * share;
  const load = Processes.load();
  const taken: Array<Samples.Sample> = [];
  for (let number = 1; number <= samples; number++) {
    const job = { ...server, requests, connections: 16, warmUp: 0, duration: sampleMillis, rate };
    const { p99 } = await load.run(job);
    const sample = await Samples.take(scene, p99);
    taken.push(sample);
    Report.progress(
      `${storage}: ${number} of ${samples}, ${Report.mib(sample.resident)}, p99 ${Report.ms(p99)}, ${JSON.stringify(beside.counts)}`,
    );
  }
  const { calls, issues, runnersKilled, serversKilled } = beside.counts;
  await Promise.all([load.end(), beside.end()]);
  await scene.end();
  return Samples.table(
    `${minutes} minutes on ${storage} at ${Math.round(rate)} requests/s (the bend is ${Math.round(bend)}), ` +
      `${issues} issues for runners, of which ${runnersKilled} were killed; ${calls} calls of tools, ` +
      `${serversKilled} servers killed; ${beside.hasPage ? "a page was open" : "no Chromium, so no page was open"}`,
    taken,
  );
};

Report.printMachine();
const tables: Array<Report.Table> = [];
for (const storage of storages) tables.push(await soak(storage));
for (const table of tables) Report.print(table);
const grown = tables.flatMap(({ lines }) => lines).filter((line) => !Report.passes(line));
console.log(grown.length === 0 ? "\nNothing grew." : `\n${grown.length} measurements grew.`);
process.exit(grown.length === 0 ? 0 : 1);
