import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assert } from "@effect/vitest";
import type { End } from "../../../../server/test/Quartermaster.ts";
import { env } from "../Fixtures.ts";
import { type Screens, start } from "../Screens.ts";
import { plans } from "./Issues.ts";
import { seedServers } from "./Servers.ts";
import { agents, failure, handIn, log, patch, png } from "./Texts.ts";

/**
 * A server with the data of a team at work: 5 projects, 10 agents of which one is dead, 457 issues
 * with a chain of 60 and a graph of 160, failures, reviews, questions, files, runs with logs, 5
 * MCP servers, and a webhook.
 */

export interface Plenty extends Screens {
  /** Values for the parameters in the paths of screens. */
  readonly params: Readonly<Record<string, string>>;
}

type Refs = Readonly<Record<string, ReadonlyArray<string>>>;

/** Creates the issues. Returns the ids of each project in the order of its plan. */
const createIssues = async ({ call }: Screens): Promise<Refs> => {
  const refs: Record<string, ReadonlyArray<string>> = {};
  for (const [projectId, issues] of Object.entries(plans)) {
    const { body, text } = await call("POST", `/api/projects/${projectId}/plan`, { issues });
    assert.isArray(body, text);
    refs[projectId] = body.map(
      ({ issue }: { readonly issue: { readonly id: string } }) => issue.id,
    );
  }
  await call("PUT", "/api/projects/shop", { name: "Web shop", description: "The shop **2.4**." });
  await call("PUT", "/api/projects/mobile", { paused: true });
  return refs;
};

/** Sets the status of many issues. */
const move = async ({ call }: Screens, ids: ReadonlyArray<string>, status: string) => {
  const items = ids.map((issueId) => ({ issueId }));
  const { status: code, text } = await call("POST", "/api/projects/issues/bulk", {
    items,
    change: { status },
    force: true,
  });
  assert.isBelow(code, 300, text);
};

const attach = async (
  { server }: Screens,
  issueId: string,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
) => {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  await fetch(`${server.url}/api/projects/issues/${issueId}/attachments`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}` },
    body: form,
  });
};

interface Started {
  readonly runId: string;
  readonly issue: { readonly id: string };
}

const beat = async ({ call }: Screens, agent: string, heartbeat: object) => {
  const { body, text } = await call("POST", `/api/agents/${agent}/heartbeat`, heartbeat);
  assert.isArray(body.started, text);
  return body.started as ReadonlyArray<Started>;
};

/** The ends of an agent's runs, in turn: reviews, failures, a success and a release. */
const endings = [
  { outcome: "review", comment: handIn },
  { outcome: "failed", comment: failure, exitCode: 1 },
  { outcome: "resolved" },
  { outcome: "review", comment: handIn },
  { outcome: "released", retryAfterSeconds: 3_600, comment: "The database is being moved." },
];

/** Runs of six agents: most have ended, each agent holds one. Returns a run with a log. */
const work = async (screens: Screens): Promise<string> => {
  const { call } = screens;
  let logged = "";
  for (const [index, agent] of agents.slice(0, 6).entries()) {
    const started = await beat(screens, agent, { capacity: 7 });
    for (const [n, { issue, runId }] of started.entries()) {
      const at = `/api/agents/${agent}/runs/${runId}`;
      await call("POST", `${at}/turn`, {
        note: "Reading the tests of the checkout",
        usage: [{ key: "all", model: "opus-5", inputTokens: 81_200 + n, outputTokens: 4_100 }],
      });
      const entries = [{ stream: "stdout", text: log.repeat(n === 0 ? 30 : 1) }];
      await call("POST", `${at}/log`, { from: 1, entries });
      if (n === 0) {
        logged = runId;
        continue;
      }
      if (n < 3) await attach(screens, issue.id, "checkout.patch", patch);
      if (n === 2 && index < 4) {
        await call("POST", `/api/projects/issues/${issue.id}/questions`, {
          prompt: "May I raise the limit of the cart to 200 items, or must it stay at 40?",
          kind: "choice",
          options: ["Raise it to 200", "Leave it at 40", "Ask the shop team first"],
        });
        continue;
      }
      await call("POST", `${at}/finish`, endings[n % endings.length]);
    }
  }
  return logged;
};

/** An issue with much of everything. Returns its key. */
const fill = async (screens: Screens, refs: Refs): Promise<string> => {
  const { call } = screens;
  const id = refs["shop"]?.[0] ?? "";
  for (let n = 0; n < 6; n++) {
    await call("POST", `/api/projects/issues/${id}/comments`, {
      content: `Comment ${n}: the cart of the report has \`${40 + n}\` items.\n\n> It fails in every region, ${n} times a day\n\n${n === 3 ? patch.replace(/^/, "```diff\n").replace(/$/, "```") : ""}`,
    });
  }
  await attach(screens, id, "checkout.patch", patch);
  await attach(
    screens,
    id,
    "screenshot-of-the-cart-with-a-very-long-name-by-the-customer.png",
    png,
  );
  await attach(screens, id, "report.csv", "items,response\n41,500\n");
  await call("POST", `/api/projects/issues/${id}/questions`, {
    prompt: "Which *limit* do the customers of the report need?",
    blocking: false,
  });
  for (const target of refs["shop"]?.slice(80, 84) ?? []) {
    const body = { targetIssueId: target, linkType: "Blocks" };
    await call("POST", `/api/projects/issues/${id}/links`, body);
  }
  return (await call("GET", `/api/projects/issues/${id}`)).body.key;
};

/** The timestamp this many minutes from now. */
const shifted = (minutes: number): string => {
  const time = new Date();
  time.setMinutes(time.getMinutes() + minutes);
  return time.toISOString();
};

const seedPeople = async ({ call }: Screens) => {
  for (const [n, agent] of agents.entries()) {
    await call("PUT", `/api/agents/${agent}`, n === 8 ? { name: "The Scribe", paused: true } : {});
    if (n % 2 === 0) {
      const body = { name: `Runner of ${agent}`, role: "Editor", agentId: agent };
      const { status, text } = await call("POST", "/api/keys", body);
      assert.strictEqual(status, 201, text);
    }
  }
  const expiresAt = shifted(9 * 24 * 60);
  for (const body of [
    { name: "Rosa's key", role: "Admin", userId: "rosa" },
    { name: "Read only", role: "Viewer", projects: ["shop", "docs"], expiresAt },
  ]) {
    const { text, status } = await call("POST", "/api/keys", body);
    assert.strictEqual(status, 201, text);
  }
  for (const [name, query] of [
    ["Burning", "view=list&priority=urgent&sort=updated"],
    ["Regressions that customers reported this week", "view=list&label=regression"],
  ]) {
    await call("POST", "/api/views", { name, query, projectId: "shop" });
  }
};

/** A webhook whose receiver does not listen, with a failed delivery. Returns its id. */
const seedWebhook = async ({ call }: Screens): Promise<string> => {
  const url = "http://127.0.0.1:1/hooks/deploys";
  const { body, text } = await call("POST", "/api/webhooks", {
    url,
    name: "Deploys",
    kinds: ["issue.*"],
  });
  assert.isString(body.id, text);
  await call("POST", `/api/webhooks/${body.id}/test`);
  return body.id;
};

/** Moves the last heartbeat of an agent and its lease into the past, which no request can do. */
const bury = (dataDir: string, agent: string) => {
  const database = new DatabaseSync(join(dataDir, "quartermaster.db"));
  const at = shifted(-48);
  database.exec("PRAGMA busy_timeout = 5000");
  database.prepare("UPDATE agents SET last_heartbeat_at = ? WHERE id = ?").run(at, agent);
  database
    .prepare("UPDATE runs SET lease_expires_at = ? WHERE agent_id = ? AND status <> 'ended'")
    .run(at, agent);
  database.close();
};

/** Starts the server and fills it. */
export const startPlenty = async (end: End): Promise<Plenty> => {
  const screens = await start(end, { ...env, QM_WEBHOOK_LOCAL: "1" });
  const refs = await createIssues(screens);
  await seedPeople(screens);
  const runId = await work(screens);
  const [shop = [], mobile = [], docs = []] = [refs["shop"], refs["mobile"], refs["docs"]];
  await move(screens, [...shop.slice(90, 110), ...docs.slice(20)], "Resolved");
  await move(screens, mobile.slice(60, 70), "Closed");
  await screens.call("PUT", `/api/projects/issues/${shop[111]}`, { assignedAgentId: "otto" });
  await beat(screens, "otto", { capacity: 1, leaseSeconds: 5 });
  bury(screens.dataDir, "otto");
  const issueId = await fill(screens, refs);
  const servers = await seedServers(screens, end);
  const webhookId = await seedWebhook(screens);
  const blockerId = refs["payments"]?.[0] ?? "";
  const ids = { projectId: "shop", agentId: "ada", entryId: "vault" };
  return { ...screens, params: { issueId, runId, blockerId, webhookId, ...servers, ...ids } };
};
