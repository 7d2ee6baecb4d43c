import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ask } from "./api.ts";
import type { Calls, Order } from "./caller.ts";
import type { Request } from "./load.ts";
import * as Processes from "./processes.ts";
import * as Report from "./report.ts";

/** What Quartermaster adds to a tool: each way beside the bare client of the official SDK. */

const require = createRequire(import.meta.url);
const everythingFile = require.resolve("@modelcontextprotocol/server-everything/package.json");
const everything = join(
  dirname(everythingFile),
  JSON.parse(readFileSync(everythingFile, "utf8")).bin["mcp-server-everything"],
);
const echo = fileURLToPath(new URL("echo.ts", import.meta.url));

const agentId = "bench-agent";
const connections = 50;

/** Programs that are already there: nothing is fetched. */
const entry = (id: string, args: ReadonlyArray<string>) => ({
  id,
  name: id,
  description: "A server for measurements.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "None.",
  manifest: { package: null, command: process.execPath, args },
});

const catalogue = [
  entry("everything", [everything]),
  entry("tiny", [echo]),
  entry("silent", [echo, "silent"]),
];

interface Caller {
  readonly ask: (order: Order) => Promise<Calls>;
  readonly end: () => Promise<void>;
}

interface Rounds {
  readonly rounds: number;
  readonly duration: number;
}

const start = async (): Promise<Processes.Server> => {
  const dataDir = Processes.path("mcp");
  mkdirSync(dataDir, { recursive: true });
  const file = Processes.path("catalogue.json");
  writeFileSync(file, JSON.stringify(catalogue));
  return Processes.quartermaster(dataDir, [], { QM_CATALOG: file });
};

/** Installs a server. Returns its id. */
const install = async (server: Processes.Server, catalogId: string, name: string) => {
  const { answer } = await ask<{ readonly id: string }>(server, "POST", "/api/mcp/installed", {
    catalogId,
    name,
  });
  return answer.id;
};

/** Verifies a server. Returns the time it reports, and the time of the whole request. */
const verify = async (server: Processes.Server, id: string) => {
  const began = performance.now();
  const { answer } = await ask<{ readonly status: string; readonly details: string }>(
    server,
    "POST",
    `/api/mcp/installed/${id}/verify`,
  );
  const whole = performance.now() - began;
  const [, told] = /^Answered in (\d+) ms/.exec(answer.details) ?? [];
  if (told === undefined) throw new Error(`verify: ${answer.details}`);
  return { told: Number(told), whole };
};

/** Lets the agent call its tools. */
const grant = async (server: Processes.Server, id: string) => {
  await ask(server, "POST", `/api/mcp/installed/${id}/enable`);
  await ask(server, "PUT", `/api/mcp/installed/${id}/access`, {
    entries: [{ agentId, granted: true }],
  });
};

const toolsCall = (name: string): Request => ({
  method: "POST",
  path: `/api/agents/${agentId}/tools/call`,
  body: JSON.stringify({ name, arguments: { message: "hello" } }),
});

const callOnce = async (server: Processes.Server, name: string) => {
  const { path, body } = toolsCall(name);
  const { answer } = await ask(server, "POST", path, JSON.parse(body ?? ""));
  if (!JSON.stringify(answer).includes("Echo: hello")) {
    throw new Error(`${name}: ${JSON.stringify(answer)}`);
  }
};

const median = <A>(some: ReadonlyArray<A>, of: (one: A, index: number) => number) =>
  Report.median(some.map(of));

const starts = async (
  server: Processes.Server,
  id: string,
  bare: Caller,
  rounds: number,
): Promise<Report.Line> => {
  const ours: Array<Awaited<ReturnType<typeof verify>>> = [];
  const theirs: Array<number> = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    Report.progress(`start to verified: round ${round} of ${rounds}`);
    const verified = await verify(server, id);
    const { started } = await bare.ask({ order: "start" });
    if (round === 0) continue;
    ours.push(verified);
    theirs.push(started);
  }
  const value = median(ours, ({ told }, round) => told / (theirs[round] ?? Number.NaN));
  return {
    cells: [
      "start to verified",
      Report.ms(median(ours, ({ told }) => told)),
      Report.ms(Report.median(theirs)),
      Report.ratio(value),
    ],
    value,
    target: { limit: 1.2, is: "atMost" },
  };
};

const warmCalls = async (
  ours: Caller,
  bare: Caller,
  { rounds, quick }: { readonly rounds: number; readonly quick: boolean },
): Promise<ReadonlyArray<Report.Line>> => {
  const outcomes = async (atOnce: number, calls: number) => {
    const order = { order: "call", calls, atOnce } as const;
    const all: { readonly ours: Array<Calls>; readonly theirs: Array<Calls> } = {
      ours: [],
      theirs: [],
    };
    for (let round = 0; round <= rounds; round++) {
      Report.progress(`warm calls, ${atOnce} at a time: round ${round} of ${rounds}`);
      const first = await ours.ask(order);
      const second = await bare.ask(order);
      if (round === 0) continue;
      all.ours.push(first);
      all.theirs.push(second);
    }
    return all;
  };
  const one = await outcomes(1, quick ? 500 : 2_000);
  const slower = median(one.ours, ({ p50 }, round) => p50 / (one.theirs[round]?.p50 ?? Number.NaN));
  const many = await outcomes(100, quick ? 2_000 : 8_000);
  const share = median(
    many.ours,
    ({ perSecond }, round) => perSecond / (many.theirs[round]?.perSecond ?? Number.NaN),
  );
  return [
    {
      cells: [
        "warm echo, p50 of one at a time",
        Report.ms(median(one.ours, ({ p50 }) => p50)),
        Report.ms(median(one.theirs, ({ p50 }) => p50)),
        Report.ratio(slower),
      ],
      value: slower,
      target: { limit: 1.3, is: "atMost" },
    },
    {
      cells: [
        "warm echo, calls a second, 100 in flight",
        Report.count(median(many.ours, ({ perSecond }) => perSecond)),
        Report.count(median(many.theirs, ({ perSecond }) => perSecond)),
        Report.ratio(share),
      ],
      value: share,
      target: { limit: 0.7, is: "atLeast" },
    },
  ];
};

const accept = "application/json, text/event-stream";

/** A session of a legacy protocol version. Returns the headers of its requests. */
const session = async (agent: Pick<Processes.Server, "port" | "key">) => {
  const version = "2025-11-25";
  const { headers } = await ask(
    agent,
    "POST",
    "/mcp",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: "bench", version: "1.0.0" },
      },
    },
    { headers: { accept } },
  );
  const all = {
    accept,
    "mcp-protocol-version": version,
    "mcp-session-id": headers.get("mcp-session-id") ?? "",
  };
  const begun = { jsonrpc: "2.0", method: "notifications/initialized" };
  await ask(agent, "POST", "/mcp", begun, { headers: all });
  return all;
};

const mcpCall = (
  name: string,
  headers: Record<string, string>,
  meta?: Record<string, unknown>,
): Request => ({
  method: "POST",
  path: "/mcp",
  headers,
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: {
      name,
      arguments: { message: "hello" },
      ...(meta === undefined ? {} : { _meta: meta }),
    },
  }),
});

const present = "2026-07-28";

const withoutSession = (name: string) =>
  mcpCall(
    name,
    {
      accept,
      "mcp-protocol-version": present,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    {
      "io.modelcontextprotocol/protocolVersion": present,
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  );

/** A failing tool is not an HTTP error, so this checks one result first. */
const checkAnswer = async (agent: Pick<Processes.Server, "port" | "key">, request: Request) => {
  const { answer } = await ask(agent, "POST", request.path, JSON.parse(request.body ?? ""), {
    headers: { ...request.headers },
  });
  const text = JSON.stringify(answer);
  if (!text.includes("Echo: hello")) throw new Error(`${request.path}: ${text}`);
};

type Load = ReturnType<typeof Processes.load>;

const added = async (
  server: Processes.Server,
  key: string,
  bare: Caller,
  load: Load,
  { rounds, duration, warmUp }: Rounds & { readonly warmUp: number },
): Promise<ReadonlyArray<Report.Line>> => {
  const agent = { port: server.port, key };
  const tool = "everything__echo";
  const requests = [
    { name: "POST /mcp, in a session", request: mcpCall(tool, await session(agent)), judged: true },
    { name: "POST /mcp, without one", request: withoutSession(tool), judged: true },
    { name: "POST .../tools/call", request: toolsCall(tool), judged: false },
  ] as const;
  for (const { name, request } of requests) {
    Report.progress(`a call through HTTP: ${name} warms up`);
    await checkAnswer(agent, request);
    await load.run({ ...agent, requests: [request], connections: 1, warmUp: 0, duration: warmUp });
  }
  const sdk = Processes.caller("http", `http://127.0.0.1:${server.port}/mcp`, key, tool);
  const calls = { order: "call", calls: duration, atOnce: 1 } as const;

  const p50s: Array<{ readonly bare: number; readonly ways: ReadonlyArray<number> }> = [];
  for (let round = 0; round <= rounds; round++) {
    Report.progress(`a call through HTTP: round ${round} of ${rounds}`);
    const own = await bare.ask(calls);
    const ways: Array<number> = [];
    for (const { request } of requests) {
      const job = { ...agent, requests: [request], connections: 1, warmUp: 100, duration };
      ways.push((await load.run(job)).p50);
    }
    ways.push((await sdk.ask(calls)).p50);
    if (round > 0) p50s.push({ bare: own.p50, ways });
  }
  await sdk.end();
  const bareP50 = median(p50s, (round) => round.bare);
  return [...requests, { name: "/mcp, by the SDK's client", judged: false }].map(
    ({ name, judged }, way): Report.Line => {
      const of = (round: (typeof p50s)[number]) => round.ways[way] ?? Number.NaN;
      const value = median(p50s, (round) => of(round) - round.bare);
      return {
        cells: [name, Report.ms(median(p50s, of)), Report.ms(bareP50), Report.ms(value)],
        ...(judged ? { value, target: { limit: 1, is: "atMost" } } : {}),
      };
    },
  );
};

/** By how many MiB a connection raises the memory of only the server's own process. */
const memory = async (server: Processes.Server): Promise<Report.Line> => {
  const names = Array.from({ length: connections + 1 }, (_, index) => `tiny-${index}`);
  const ids: Array<string> = [];
  for (const name of names) ids.push(await install(server, "tiny", name));
  const use = async (index: number) => {
    const [id, name] = [ids[index] ?? "", names[index] ?? ""];
    await verify(server, id);
    await grant(server, id);
    await callOnce(server, `${name}__echo`);
  };
  // The first one is there before: what it needs is loaded then.
  await use(0);
  await sleep(1_000);
  const before = await Processes.memory(server.pid);
  for (let index = 1; index <= connections; index++) {
    Report.progress(`connection ${index} of ${connections}`);
    await use(index);
  }
  await sleep(1_000);
  const after = await Processes.memory(server.pid);
  const each = (after.resident - before.resident) / connections;
  return {
    cells: [`resident memory for each of ${connections} connections`, Report.mib(each)],
    value: each,
    target: { limit: 2, is: "below" },
  };
};

/** Calls without a response. Returns how to cancel them. */
const hang = async (server: Processes.Server, calls: number) => {
  const controller = new AbortController();
  const { path, body } = toolsCall("silent__echo");
  const more = { signal: controller.signal };
  const pending = Array.from({ length: calls }, () =>
    ask(server, "POST", path, JSON.parse(body ?? ""), more).then(
      (answered) => {
        throw new Error(`silent: ${JSON.stringify(answered.answer)}`);
      },
      (error: unknown) => {
        if (!controller.signal.aborted) throw error;
      },
    ),
  );
  await sleep(100);
  return async () => {
    controller.abort();
    await Promise.all(pending);
  };
};

const hanging = async (
  server: Processes.Server,
  load: Load,
  { rounds, duration }: Rounds,
): Promise<Report.Line> => {
  const calls = 16;
  const id = await install(server, "silent", "silent");
  await verify(server, id);
  await grant(server, id);
  const measure = async () => {
    const { port, key } = server;
    const requests = [toolsCall("tiny-0__echo")];
    return (await load.run({ port, key, requests, connections: 1, warmUp: 100, duration })).p50;
  };
  const without: Array<number> = [];
  const beside: Array<number> = [];
  for (let round = 0; round <= rounds; round++) {
    Report.progress(`beside a server that never answers: round ${round} of ${rounds}`);
    const first = await measure();
    const giveUp = await hang(server, calls);
    const second = await measure();
    await giveUp();
    if (round === 0) continue;
    without.push(first);
    beside.push(second);
  }
  const value = median(beside, (p50, round) => p50 / (without[round] ?? Number.NaN));
  return {
    cells: [
      `p50 of echo beside ${calls} calls that hang, in those without`,
      `${Report.ms(Report.median(beside))} / ${Report.ms(Report.median(without))} = ${Report.ratio(value)}`,
    ],
    value,
    target: { limit: 1.2, is: "atMost" },
  };
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Table>> => {
  const rounds = quick ? 3 : 7;
  const duration = quick ? 500 : 1_500;

  const server = await start();
  await ask(server, "PUT", `/api/agents/${agentId}`, {});
  const { answer: agent } = await ask<{ readonly key: string }>(server, "POST", "/api/keys", {
    name: "bench",
    role: "Editor",
    agentId,
  });
  // First, while its memory is as small as after a start.
  const perConnection = await memory(server);

  const load = Processes.load();
  const notSlowed = await hanging(server, load, { rounds, duration });
  const bare = Processes.caller("bare", everything);
  const ours = Processes.caller("ours", Processes.path("mcp-caller"), everything);
  const id = await install(server, "everything", "everything");
  const beside = [
    await starts(server, id, bare, quick ? 5 : 9),
    ...(await warmCalls(ours, bare, { rounds, quick })),
  ];
  await grant(server, id);
  const warmUp = quick ? 5_000 : 10_000;
  const overHttp = await added(server, agent.key, bare, load, { rounds, duration, warmUp });
  await Promise.all([ours.end(), bare.end(), load.end(), server.end()]);
  for (const name of ["mcp", "mcp-caller", "catalogue.json"]) Processes.remove(name);

  return [
    {
      title: "Tools of server-everything beside the bare SDK client (medians of the rounds)",
      columns: ["", "ours", "bare", "ratio"],
      lines: beside,
    },
    {
      title: "p50 of echo through HTTP beside the bare SDK client, one at a time",
      columns: ["", "ours", "bare", "added"],
      lines: overHttp,
    },
    {
      title: `Many servers: ${connections} connections of one process`,
      columns: ["", "measured"],
      lines: [perConnection, notSlowed],
    },
  ];
};
