import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./api.ts";
import type { Request } from "./load.ts";
import * as Processes from "./processes.ts";
import * as Report from "./report.ts";

/**
 * Other requests beside 1,000 events a second for a webhook whose receiver takes a second. The same events are
 * written while the webhook is disabled, in turn, in one run. They are written into the database by this process:
 * requests that cause 1,000 events a second would themselves take most of the server's time.
 */

const eventsPerSecond = 1_000;
const batchesPerSecond = 10;

/** A receiver that responds after a second. */
const receiver = async () => {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      received += 1;
      setTimeout(() => response.writeHead(204).end(), 1_000);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    count: () => received,
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** Writes events of an issue until it is stopped. */
const writer = (dataDir: string, issueId: string) => {
  const db = new DatabaseSync(join(dataDir, "quartermaster.db"), { timeout: 5_000 });
  const insert = db.prepare(
    `INSERT INTO events (id, kind, project_id, subject_id, actor_type, actor_id, created_at, data)
      VALUES (?, 'issue.updated', 'bench', ?, 'User', 'bench', ?, '{"fields":["title"]}')`,
  );
  let written = 0;
  let due = performance.now();
  const write = () => {
    for (; due <= performance.now(); due += 1_000 / batchesPerSecond) {
      db.exec("BEGIN IMMEDIATE");
      for (let count = 0; count < eventsPerSecond / batchesPerSecond; count++) {
        const id = `evt_${String(written++).padStart(26, "0")}`;
        insert.run(id, issueId, new Date().toISOString());
      }
      db.exec("COMMIT");
    }
  };
  const timer = setInterval(write, 10);
  return {
    count: () => written,
    end: () => {
      clearInterval(timer);
      db.close();
    },
  };
};

/** The processor time of a process in ms; NaN where the system does not have it. */
const spentBy = (pid: number) => {
  if (process.platform !== "linux") return Number.NaN;
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
};

interface Side {
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server in a second without requests, in ms. */
  readonly spent: number;
}

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Table>> => {
  const rounds = quick ? 3 : 10;
  const duration = quick ? 2_000 : 4_000;
  const dataDir = Processes.path("webhooks");
  const server = await Processes.quartermaster(dataDir, [], { QM_WEBHOOK_LOCAL: "1" });
  const load = Processes.load();
  const slow = await receiver();
  const create = { title: "A task" };
  const path = "/api/projects/bench/issues";
  const { id } = (await ask<{ readonly id: string }>(server, "POST", path, create)).answer;
  const webhook = (
    await ask<{ readonly id: string }>(server, "POST", "/api/webhooks", {
      url: slow.url,
      name: "Slow",
      kinds: ["issue.*"],
    })
  ).answer;
  const events = writer(dataDir, id);
  const requests: ReadonlyArray<Request> = [
    { method: "GET", path: `/api/projects/issues/${id}` },
    { method: "GET", path: `${path}?limit=50` },
    { method: "POST", path: "/api/projects/other/issues", body: JSON.stringify(create) },
  ];
  const measure = async (status: "enabled" | "disabled"): Promise<Side> => {
    await ask(server, "PUT", `/api/webhooks/${webhook.id}`, { status });
    // The service first skips the deliveries that waited.
    await sleep(1_000);
    const [before, began] = [spentBy(server.pid), performance.now()];
    await sleep(2_000);
    const spent = ((spentBy(server.pid) - before) * 1_000) / (performance.now() - began);
    const outcome = await load.run({
      port: server.port,
      key: server.key,
      requests,
      connections: 2,
      warmUp: 0,
      duration,
    });
    return { ...outcome, spent };
  };
  const outcomes: Array<{ readonly with: Side; readonly without: Side }> = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    Report.progress(`webhooks: round ${round} of ${rounds}`);
    const outcome = { without: await measure("disabled"), with: await measure("enabled") };
    if (round > 0) outcomes.push(outcome);
  }
  const [sent, written] = [slow.count(), events.count()];
  events.end();
  slow.end();
  await Promise.all([load.end(), server.end()]);
  Processes.remove("webhooks");
  const line = (name: string, key: "p50" | "p99", target?: Report.Target): Report.Line => {
    const value = Report.median(outcomes.map((each) => each.with[key] / each.without[key]));
    const of = (side: "with" | "without") =>
      Report.ms(Report.median(outcomes.map((each) => each[side][key])));
    return { cells: [name, of("without"), of("with"), Report.ratio(value)], value, target };
  };
  const target = { limit: 1.2, is: "below" } as const;
  const spentOf = (side: "with" | "without") =>
    Report.median(outcomes.map((each) => each[side].spent));
  const added = spentOf("with") - spentOf("without");
  return [
    {
      title: `Requests beside ${Report.count(written)} events, ${sent} of which reached a receiver that takes a second`,
      columns: ["", "disabled", "enabled", "ratio"],
      lines: [
        line("p50 of a request", "p50", target),
        line("p99 of a request", "p99"),
        {
          cells: [
            "processor time of the server in a second without requests",
            Report.ms(spentOf("without")),
            Report.ms(spentOf("with")),
            `+${Report.ms(added)}`,
          ],
          value: added,
          // Requests wait for the one thread: a sixth of its time slows them by 1.2.
          target: { limit: 167, is: "below" },
        },
      ],
    },
  ];
};
