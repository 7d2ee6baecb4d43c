import * as Corpus from "./corpus.ts";
import type { Outcome, Request } from "./load.ts";
import * as Processes from "./processes.ts";
import * as Report from "./report.ts";
import * as Requests from "./requests.ts";
import * as Seed from "./seed.ts";

/**
 * The growth of response times with the number of issues: the same requests, in turn, on each
 * database.
 */

const projects = 4;

const measurements: ReadonlyArray<{
  readonly name: string;
  readonly requests: (issues: number, projects: number) => ReadonlyArray<Request>;
  /** The limit of the largest database's p50, as a multiple of the smallest database's p50. */
  readonly limit: number;
}> = [
  { name: "get by id", requests: Requests.get, limit: 1.5 },
  { name: "list of 50", requests: Requests.list, limit: 1.5 },
  { name: "list of projects", requests: Requests.projects, limit: 1.5 },
  ...Object.entries({
    "by status": "status=Open",
    "by three statuses": "status=Open,PendingReview,Resolved",
    "by update": "sort=updated",
    "by priority": "sort=priority",
    "of a status by update": "status=Open&sort=updated",
    "of a status by priority": "status=Open&sort=priority",
    "of a label": `label=${Corpus.commonLabel}`,
    "of a label by update": `label=${Corpus.commonLabel}&sort=updated`,
    "of a label by priority": `label=${Corpus.commonLabel}&sort=priority`,
    "of an urgent priority by update": "priority=urgent&sort=updated",
    "of ready issues by priority": "ready=true&sort=priority",
    "of issues that are not ready": "ready=false",
  }).map(([name, query]) => ({
    name: `list of 50 ${name}`,
    requests: Requests.listBy(query),
    limit: 1.5,
  })),
  {
    name: "list of 5 of a label and a status",
    requests: Requests.listBy(`label=${Corpus.commonLabel}&status=Closed`, 5),
    limit: 1.5,
  },
  {
    name: "list of 2 of paused issues",
    requests: Requests.listBy("paused=true&sort=priority", 2),
    limit: 1.5,
  },
  ...Object.entries({
    "by update": "sort=updated",
    "of a status by priority": "status=Open&sort=priority",
    "of a label": `label=${Corpus.commonLabel}`,
    "of ready issues": "ready=true",
  }).map(([name, query]) => ({
    name: `50 of all projects ${name}`,
    requests: Requests.acrossBy(query),
    limit: 1.5,
  })),
  {
    name: "issue of an external reference",
    requests: Requests.listBy((index) => `externalRef=GH-${index}`),
    limit: 1.5,
  },
  { name: "list of 50 in brief", requests: Requests.listBy("view=brief"), limit: 1.5 },
  { name: "inbox of 50", requests: Requests.inbox, limit: 1.5 },
  { name: "full text, one finds", requests: Requests.findRare, limit: 3 },
  { name: "full text, a quarter finds", requests: Requests.findCommon, limit: 3 },
];

interface Grown {
  readonly issues: number;
  readonly server: Processes.Server;
}

const grow = async (issues: number): Promise<Grown> => {
  const name = `growth-${issues}`;
  const dataDir = Processes.path(name);
  let told = 0;
  await Seed.quartermaster(dataDir, {
    issues,
    projects,
    isVaried: true,
    progress: (done) => {
      if (done - told < 50_000 && done < issues) return;
      told = done;
      Report.progress(`seeding: ${Report.count(done)} of ${Report.count(issues)} issues`);
    },
  });
  return { issues, server: await Processes.quartermaster(dataDir) };
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Table>> => {
  const sizes = quick ? [1_000, 10_000, 100_000] : [1_000, 100_000, 1_000_000];
  const rounds = quick ? 3 : 5;
  const duration = quick ? 500 : 1_000;

  const grown: Array<Grown> = [];
  for (const issues of sizes) grown.push(await grow(issues));
  const load = Processes.load();

  const lines: Array<Report.Line> = [];
  for (const { name, requests, limit } of measurements) {
    const outcomes = grown.map((): Array<Outcome> => []);
    for (let round = 0; round <= rounds; round++) {
      Report.progress(`${name}: round ${round} of ${rounds}`);
      for (const [index, { issues, server }] of grown.entries()) {
        const outcome = await load.run({
          port: server.port,
          key: server.key,
          requests: requests(issues, projects),
          connections: 1,
          warmUp: 200,
          duration,
        });
        // The first round warms up.
        if (round > 0) outcomes[index]?.push(outcome);
      }
    }
    const p50s = outcomes.map((some) => Report.median(some.map(({ p50 }) => p50)));
    const p99s = outcomes.map((some) => Report.median(some.map(({ p99 }) => p99)));
    const value = Report.median(
      (outcomes.at(-1) ?? []).map(
        ({ p50 }, round) => p50 / (outcomes[0]?.[round]?.p50 ?? Number.NaN),
      ),
    );
    lines.push({
      cells: [
        name,
        ...p50s.map((p50, index) => `${Report.ms(p50)} / ${Report.ms(p99s[index] ?? Number.NaN)}`),
        Report.ratio(value),
      ],
      value,
      target: { limit, is: "atMost" },
    });
  }

  await Promise.all([load.end(), ...grown.map(({ server }) => server.end())]);
  for (const { issues } of grown) Processes.remove(`growth-${issues}`);

  return [
    {
      title: "Growth: p50 / p99 by number of issues, one connection",
      columns: ["", ...sizes.map((size) => Report.count(size)), "p50 last / first"],
      lines,
    },
  ];
};
