import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ask } from "../api.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** `search_tools` over the many tools of a granted server. */

const tools = 500;
const manyTools = fileURLToPath(new URL("../manyTools.ts", import.meta.url));

const entry = {
  id: "many",
  name: "many",
  description: "A server for measurements.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "None.",
  manifest: { package: null, command: process.execPath, args: [manyTools, String(tools)] },
};

const queries = [
  "create invoice",
  "list open pull requests",
  "send a message to a channel",
  "delete customer",
  "search documents by title",
  "upload file",
  "calendar events of this week",
  "update",
  "archive old orders report",
  "nonexistent",
];

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const dataDir = Processes.path("agents-search");
  mkdirSync(dataDir, { recursive: true });
  const file = Processes.path("many.json");
  writeFileSync(file, JSON.stringify([entry]));
  const server = await Processes.quartermaster(dataDir, [], { QM_CATALOG: file });
  const load = Processes.load();
  const [agent] = await Scene.agents(server, "searching", 1);
  if (agent === undefined) throw new Error("no agent");
  const installed = await ask<{ readonly id: string }>(server, "POST", "/api/mcp/installed", {
    catalogId: "many",
  });
  const path = `/api/mcp/installed/${installed.answer.id}`;
  await ask(server, "POST", `${path}/verify`);
  await ask(server, "POST", `${path}/enable`);
  await ask(server, "PUT", `${path}/access`, { entries: [{ agentId: agent.id, granted: true }] });

  const requests = queries.map((query) =>
    Scene.call(agent, "search_tools", { query, limit: 5 }, "/mcp?tools=search"),
  );
  const [first] = requests;
  if (first === undefined) throw new Error("no queries");
  const found = await Scene.answerOf<ReadonlyArray<unknown>>(server, first);
  if (found.length !== 5) throw new Error(`the search has found ${found.length} tools`);
  Report.progress(`search_tools over ${tools} tools`);
  const { p50, p99, perSecond } = await load.run({
    port: server.port,
    key: agent.key,
    requests,
    connections: 1,
    warmUp: quick ? 1_000 : 5_000,
    duration: quick ? 2_000 : 10_000,
  });
  await Promise.all([load.end(), server.end()]);
  for (const name of ["agents-search", "many.json"]) Processes.remove(name);
  return [
    {
      cells: [
        `p99 of search_tools over ${tools} tools`,
        `${Report.ms(p99)}, p50 ${Report.ms(p50)}, ${Report.count(perSecond)}/s`,
      ],
      value: p99,
      target: { limit: 20, is: "below" },
    },
  ];
};
