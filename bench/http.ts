import type { Outcome, Request } from "./load.ts";
import * as Processes from "./processes.ts";
import { processorTime } from "./processorTime.ts";
import * as Report from "./report.ts";
import * as Requests from "./requests.ts";
import * as Seed from "./seed.ts";

/** The built server compared with the baseline: the same requests, in turn, in one run. */

const issues = 10_000;

const routes: ReadonlyArray<readonly [name: string, requests: ReadonlyArray<Request>]> = [
  ["get by id", Requests.get(issues)],
  ["create", Requests.create()],
  [`list of 50 at ${Report.count(issues)} issues`, Requests.list(issues, 1)],
];

const connections = [1, 16];

const atLeastHalf = { limit: 0.5, is: "atLeast" } as const;

/** The shape of a response: its member names, down to the leaves. */
const shape = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape);
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, shape(inner)] as const)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
};

const answer = async ({ port, key }: Processes.Server, { method, path, body }: Request) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return { bytes: text.length, shape: JSON.stringify(shape(JSON.parse(text))) };
};

/** Fails if the servers respond differently: the comparison would be meaningless. */
const checkSameAnswers = async (servers: ReadonlyArray<Processes.Server>) => {
  for (const [name, [request]] of routes) {
    if (request === undefined) continue;
    const answers = await Promise.all(servers.map((server) => answer(server, request)));
    if (new Set(answers.map((each) => each.shape)).size > 1) {
      throw new Error(
        `${name}: the answers differ: ${answers.map((each) => each.shape).join("\n")}`,
      );
    }
  }
};

interface Round extends Outcome {
  /** Processor time of the server per request, in microseconds. */
  readonly processor: number;
}

const line = (
  name: string,
  ours: ReadonlyArray<Round>,
  theirs: ReadonlyArray<Round>,
): Report.Line => {
  const of = (outcomes: ReadonlyArray<Round>, field: "perSecond" | "p50" | "p99" | "processor") =>
    Report.median(outcomes.map((outcome) => outcome[field]));
  const value = Report.median(
    ours.map((outcome, round) => outcome.perSecond / (theirs[round]?.perSecond ?? Number.NaN)),
  );
  return {
    cells: [
      name,
      Report.count(of(ours, "perSecond")),
      Report.count(of(theirs, "perSecond")),
      `${Report.ms(of(ours, "p50"))} / ${Report.ms(of(theirs, "p50"))}`,
      `${Report.ms(of(ours, "p99"))} / ${Report.ms(of(theirs, "p99"))}`,
      `${Math.round(of(ours, "processor"))} / ${Math.round(of(theirs, "processor"))}`,
      Report.ratio(value),
    ],
    value,
    target: atLeastHalf,
  };
};

const memoryOf = ({ pid }: Processes.Server) => Processes.memory(pid);

type Memory = Awaited<ReturnType<typeof memoryOf>>;

const memoryLine = (name: string, [ours, theirs]: readonly [Memory, Memory]): Report.Line => ({
  cells: [
    name,
    Report.mib(ours.resident),
    Report.mib(theirs.resident),
    Report.ratio(ours.resident / theirs.resident),
  ],
});

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Table>> => {
  const rounds = quick ? 3 : 7;
  const duration = quick ? 500 : 1_500;
  const warmUp = quick ? 200 : 300;

  Report.progress(`seeding ${Report.count(issues)} issues on both sides`);
  const dataDir = Processes.path("http");
  const database = Processes.path("http.db");
  await Seed.quartermaster(dataDir, { issues, projects: 1 });
  const key = Seed.baseline(database, { issues, projects: 1 });
  const ours = await Processes.quartermaster(dataDir);
  const theirs = await Processes.baseline(database, key);
  const load = Processes.load();
  const atStart = [await memoryOf(ours), await memoryOf(theirs)] as const;
  await checkSameAnswers([ours, theirs]);

  const lines: Array<Report.Line> = [];
  for (const [name, requests] of routes) {
    for (const count of connections) {
      const measure = async ({ pid, port, key }: Processes.Server, duration: number) => {
        const before = processorTime(pid);
        const outcome = await load.run({
          port,
          key,
          requests,
          connections: count,
          warmUp,
          duration,
        });
        const sent = (outcome.perSecond * (warmUp + duration)) / 1_000;
        return { ...outcome, processor: ((processorTime(pid) - before) * 1_000) / sent };
      };
      const outcomes: Record<"ours" | "theirs", Array<Round>> = { ours: [], theirs: [] };
      // Both servers compile their code once, before the first round.
      await measure(ours, duration);
      await measure(theirs, duration);
      for (let round = 1; round <= rounds; round++) {
        Report.progress(`${name}, ${count} connections: round ${round} of ${rounds}`);
        outcomes.ours.push(await measure(ours, duration));
        outcomes.theirs.push(await measure(theirs, duration));
      }
      const plural = count === 1 ? "connection" : "connections";
      lines.push(line(`${name}, ${count} ${plural}`, outcomes.ours, outcomes.theirs));
    }
  }
  const afterLoad = [await memoryOf(ours), await memoryOf(theirs)] as const;
  await Promise.all([load.end(), ours.end(), theirs.end()]);
  Processes.remove("http");

  return [
    {
      title: "Quartermaster beside Fastify (medians of the rounds)",
      columns: [
        "",
        "ours/s",
        "theirs/s",
        "p50 ours / theirs",
        "p99 ours / theirs",
        "µs of processor",
        "ratio",
      ],
      lines,
    },
    {
      title: "Resident memory",
      columns: ["", "ours", "theirs", "ratio"],
      lines: [memoryLine("at the start", atStart), memoryLine("after the load", afterLoad)],
    },
  ];
};
