import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./api.ts";
import * as Corpus from "./corpus.ts";
import * as Processes from "./processes.ts";
import * as Report from "./report.ts";
import * as Requests from "./requests.ts";
import * as Seed from "./seed.ts";

/**
 * The cost of `quartermaster serve`: its start-up time, its memory at rest, during an upload, and
 * after a mixed load.
 */

const uploadSize = 25 * 1024 * 1024;

/** Uploads a file without holding all of it in this process. */
const upload = async ({ port, key }: Processes.Server, issueId: string) => {
  const boundary = "quartermaster-bench";
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.bin"\r\n` +
      "Content-Type: application/octet-stream\r\n\r\n",
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const piece = Buffer.alloc(64 * 1024, 7);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(head);
      for (let sent = 0; sent < uploadSize; sent += piece.length) controller.enqueue(piece);
      controller.enqueue(tail);
      controller.close();
    },
  });
  const response = await fetch(
    `http://127.0.0.1:${port}/api/projects/issues/${issueId}/attachments`,
    {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
        "content-length": String(head.length + uploadSize + tail.length),
      },
      body,
      duplex: "half",
    },
  );
  const text = await response.text();
  if (response.status !== 201) throw new Error(`upload: ${response.status} ${text}`);
};

/**
 * The peak of the server's memory during an upload, in MiB above the peak immediately before it.
 */
const uploadPeak = async (server: Processes.Server, issueId: string) => {
  // Resets the recorded peak.
  writeFileSync(`/proc/${server.pid}/clear_refs`, "5");
  const before = await Processes.memory(server.pid);
  await upload(server, issueId);
  const after = await Processes.memory(server.pid);
  return after.peak - before.peak;
};

/** Get by id, create and list of 50, each at 1 and 16 connections for a second, in turn. */
const mixedLoad = async (
  { port, key }: Processes.Server,
  issues: number,
  projects: number,
  seconds: number,
) => {
  const load = Processes.load();
  const all = [Requests.get(issues), Requests.create(), Requests.list(issues, projects)];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    for (const requests of all) {
      for (const connections of [1, 16]) {
        await load.run({ port, key, requests, connections, warmUp: 0, duration: 1_000 });
      }
    }
  }
  await load.end();
};

/** Waits until the statistics have all events. */
const counted = async (server: Processes.Server) => {
  const asked = Date.now();
  const asOf = async () => {
    const { answer } = await ask<{ readonly asOf: string }>(server, "GET", "/api/stats");
    return Date.parse(answer.asOf);
  };
  while ((await asOf()) < asked) await sleep(100);
};

export const run = async (
  quick: boolean,
  _only: ReadonlyArray<string>,
  seconds = quick ? 30 : 600,
): Promise<ReadonlyArray<Report.Table>> => {
  const projects = 4;
  const issues = quick ? 10_000 : 100_000;
  const idle = quick ? 5 : 30;
  const starts = quick ? 3 : 5;
  const dataDir = Processes.path("footprint");
  Report.progress(`seeding ${Report.count(issues)} issues`);
  await Seed.quartermaster(dataDir, { issues, projects });
  // The first start creates the Owner key, and counts the seeded events, as a service in use has done.
  const first = await Processes.quartermaster(dataDir);
  await counted(first);
  await first.end();

  const readyAfter: Array<number> = [];
  for (let start = 1; start <= starts; start++) {
    Report.progress(`start ${start} of ${starts}`);
    const server = await Processes.quartermaster(dataDir);
    readyAfter.push(server.readyAfter);
    await server.end();
  }

  const server = await Processes.quartermaster(dataDir);
  Report.progress(`idle for ${idle} s`);
  await sleep(idle * 1_000);
  const { resident } = await Processes.memory(server.pid);

  const ready = Report.median(readyAfter);
  const lines: Array<Report.Line> = [
    {
      cells: [`ready on ${Report.count(issues)} issues (median of ${starts})`, Report.ms(ready)],
      value: ready,
      target: { limit: 1_000, is: "below" },
    },
    {
      cells: [`resident after ${idle} s idle`, Report.mib(resident)],
      value: resident,
      target: { limit: 120, is: "atMost" },
    },
  ];
  if (process.platform === "linux") {
    const issueId = Corpus.issueId(1);
    Report.progress("uploads");
    for (let warmUp = 0; warmUp < 3; warmUp++) await upload(server, issueId);
    const rises: Array<number> = [];
    for (let round = 0; round < 5; round++) {
      await sleep(1_000);
      rises.push(await uploadPeak(server, issueId));
    }
    const mean = rises.reduce((sum, rise) => sum + rise, 0) / rises.length;
    lines.push({
      cells: ["peak of an upload of 25 MiB (mean of five)", Report.mib(mean)],
      value: mean,
      target: { limit: 10, is: "below" },
    });
  }
  Report.progress(`mixed load for ${seconds} s`);
  await mixedLoad(server, issues, projects, seconds);
  const { resident: afterLoad } = await Processes.memory(server.pid);
  lines.push({
    cells: [`resident after ${seconds} s of mixed load`, Report.mib(afterLoad)],
    value: afterLoad,
    target: { limit: 200, is: "atMost" },
  });
  await server.end();
  Processes.remove("footprint");

  return [{ title: "Footprint of `quartermaster serve`", columns: ["", "measured"], lines }];
};
