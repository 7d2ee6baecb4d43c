import { parseArgs } from "node:util";
import * as Agents from "./agents.ts";
import * as Dashboard from "./dashboard.ts";
import * as Footprint from "./footprint.ts";
import * as Growth from "./growth.ts";
import * as Http from "./http.ts";
import * as Mcp from "./mcp.ts";
import * as Postgres from "./postgres.ts";
import * as Report from "./report.ts";
import * as Search from "./search.ts";
import * as Stats from "./stats.ts";
import * as Webhooks from "./webhooks.ts";
import * as Workers from "./workers.ts";

const parts = {
  http: Http.run,
  growth: Growth.run,
  footprint: Footprint.run,
  mcp: Mcp.run,
  agents: Agents.run,
  stats: Stats.run,
  search: Search.run,
  webhooks: Webhooks.run,
  workers: Workers.run,
  dashboard: Dashboard.run,
  postgres: Postgres.run,
} as const;
type Part = keyof typeof parts;

const help = `npm run bench -- [--quick] [--only name] [http] [growth] [footprint] [mcp] [agents] [stats]
              [search] [webhooks] [workers] [dashboard] [postgres] [--seconds number]

  http        throughput, latency and memory beside a hand-written Fastify server
  growth      latency at 1,000, 100,000 and 1,000,000 issues
  footprint   time to start, memory at rest, of an upload and after a mixed load
  mcp         tools beside the bare client of the official SDK, sandboxes, lists of many tools
  agents      claims, heartbeats, a blocker of many, the work loop over MCP, the command line
  stats       statistics over the rows of 10 million events, and counting a log
  search      searches at a million issues in each engine, in processor time
  webhooks    requests beside 1,000 events a second for a receiver that takes a second
  workers     the same requests to one, two and four worker processes
  dashboard   the page in Chromium: first load, a large board and graph, changes by others, a flood,
              the log of a run, and watching runs
  postgres    the storage in PostgreSQL beside plain SQL, with many agents and issues, on several
              nodes, and beside SQLite
  --quick     fewer issues and rounds: to see whether it works, not to judge by
  --only      one part of agents, mcp, dashboard or postgres, repeatable: --only waiting --only renewal
  --seconds   how long the dashboard's flood lasts, 60 by default, or footprint's load, 600 by default
`;

const isPart = (name: string): name is Part => Object.hasOwn(parts, name);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    seconds: { type: "string" },
    help: { type: "boolean" },
  },
});
const unknown = positionals.find((name) => !isPart(name));

const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
if (seconds !== undefined && !(seconds > 0)) {
  console.error(`--seconds needs a number above 0, not ${values.seconds}.`);
  process.exit(2);
}

if (values.help === true || unknown !== undefined) {
  if (unknown !== undefined) console.error(`There is no part ${unknown}.\n`);
  console.log(help);
  process.exit(unknown === undefined ? 0 : 2);
}

Report.printMachine();
const chosen = positionals.filter(isPart);
const tables: Array<Report.Table> = [];
for (const part of chosen.length > 0 ? chosen : (Object.keys(parts) as Array<Part>)) {
  tables.push(...(await parts[part](values.quick, values.only, seconds)));
}
Report.progress("");
for (const table of tables) Report.print(table);
const missed = tables.flatMap(({ lines }) => lines).filter((line) => !Report.passes(line));
console.log(
  `\n${missed.length === 0 ? "All targets are met." : `${missed.length} targets are missed.`}`,
);
process.exit(missed.length === 0 ? 0 : 1);
