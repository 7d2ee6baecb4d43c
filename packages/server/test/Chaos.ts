import { assert } from "@effect/vitest";
import * as Agent from "../../http/test/support/Agent.ts";
import { type Answer, as } from "../../http/test/support/Client.ts";
import type { Dice } from "./Dice.ts";
import type { Quartermaster } from "./Quartermaster.ts";
import * as Reader from "./Reader.ts";

/**
 * Random calls of runners (heartbeats), workers (over MCP) and people, and the invariants that must
 * hold afterward.
 */

/** A project and agents that no other test uses, and what was created in it. */
export interface Scene {
  readonly project: string;
  readonly agents: ReadonlyArray<string>;
  /** The key of each agent. */
  readonly keys: ReadonlyMap<string, string>;
  /** The agents to which issues were assigned at creation, by issue id. */
  readonly created: Map<string, string | null>;
  readonly questions: Array<string>;
}

export const scene = async (project: string, { call }: Quartermaster): Promise<Scene> => {
  const agents = ["ada", "bob", "cleo", "dan"].map((name) => `${name}-${project}`);
  const keys = new Map<string, string>();
  for (const agentId of agents) {
    const made = await call("POST", "/api/keys", {
      body: { name: agentId, role: "Editor", agentId },
    });
    keys.set(agentId, made.body.key);
  }
  return { project, agents, keys, created: new Map(), questions: [] };
};

const at = (id: string, rest = "") => `/api/projects/issues/${id}${rest}`;
const inAnHour = () => new Date(new Date().getTime() + 3_600_000).toISOString();

/** A runner: it picks issues up by a heartbeat, and takes a turn or hands in. */
const run = async ({ agents }: Scene, { call }: Quartermaster, dice: Dice) => {
  const id = dice.pick(agents);
  const { body } = await call("POST", `/api/agents/${id}/heartbeat`, {
    body: { capacity: 2, leaseSeconds: dice.pick([5, 300]) },
  });
  const runs = (await call("GET", `/api/agents/${id}/runs?limit=5`)).body;
  if (body.started.length > 0 || runs.length === 0) return undefined;
  const path = `/api/agents/${id}/runs/${dice.pick<{ readonly id: string }>(runs).id}`;
  if (dice.below(2) === 0) return call("POST", `${path}/turn`);
  const outcome = dice.pick(["resolved", "review", "released", "failed"]);
  return call("POST", `${path}/finish`, { body: { outcome } });
};

/** A worker: it has only the tools of `/mcp`, and is one of three processes of its agent. */
const work = async ({ agents, keys, questions }: Scene, node: Quartermaster, dice: Dice) => {
  const id = dice.pick(agents);
  const meta = { "quartermaster/worker": `process-${dice.below(3)}` };
  const use = async (name: string, args: object): Promise<Record<string, unknown> | null> => {
    const { body, headers } = Agent.stateless("tools/call", { name, arguments: args });
    Object.assign(body.params._meta, meta);
    const options = { body, headers: { ...headers, "mcp-name": name } };
    const answer = await as(node, keys.get(id))("POST", "/mcp", options);
    assert.strictEqual(answer.status, 200, answer.text);
    const { result } = answer.body;
    if (result.isError !== true) return JSON.parse(result.content[0].text);
    assert.notInclude(result.content[0].text, '"error":"unavailable"');
    return null;
  };
  const next = await use("work_next", { leaseSeconds: 60 });
  if (next === null || next["run"] === null) return undefined;
  const act = dice.below(6);
  if (act === 0) await use("work_turn", {});
  else if (act < 3) {
    const asked = await use("ask", { prompt: "Which?", blocking: dice.below(3) > 0 });
    if (asked !== null) questions.push(String(asked["id"]));
  }
  // The others leave the run to the next call of this process, or to the end of its lease.
  if (act > 1 && act < 5) {
    await use("work_finish", { outcome: dice.pick(["resolved", "review", "released", "failed"]) });
  }
  return undefined;
};

/** One random change of a project's issues, by one client. */
export const act = async (here: Scene, node: Quartermaster, dice: Dice) => {
  const { agents, created, project, questions } = here;
  const { call } = node;
  const issue = () => dice.pick([...created.keys()]);
  const put = (body: Record<string, unknown>) => call("PUT", at(issue()), { body });
  const person: ReadonlyArray<() => Promise<Answer | undefined>> = [
    async () => {
      if (created.size > 40) return undefined;
      const assignedAgentId = dice.pick([...agents, null]);
      const blockedByIssueId = dice.pick([null, null, issue()]);
      const answer = await call("POST", `/api/projects/${project}/issues`, {
        body: { title: "Chaos", assignedAgentId, blockedByIssueId },
      });
      if (answer.status === 201) created.set(answer.body.id, assignedAgentId);
      return answer;
    },
    () =>
      call("POST", at(issue(), "/links"), {
        body: { targetIssueId: issue(), linkType: dice.pick(["Blocks", "BlockedBy", "RelatedTo"]) },
      }),
    async () => {
      const { body } = await call("GET", at(issue(), "/links?limit=3&order=desc"));
      return Array.isArray(body) && body.length > 0
        ? call("DELETE", `/api/projects/links/${dice.pick(body).id}`)
        : undefined;
    },
    () => put({ assignedAgentId: dice.pick([...agents, null]) }),
    () => put({ status: dice.pick(["Open", "InProgress", "PendingReview", "Resolved"]) }),
    () => put({ notBefore: dice.pick([null, null, inAnHour()]) }),
    () => call("POST", at(issue(), "/pause")),
    () => call("POST", at(issue(), "/resume")),
    () => call("POST", at(issue(), `/close?force=${dice.below(2) === 0}`)),
    async () => (dice.below(4) === 0 ? call("DELETE", at(issue(), "?confirm=true")) : undefined),
    async () => {
      const body = { prompt: "Which?", blocking: dice.below(2) === 0 };
      const answer = await call("POST", at(issue(), "/questions"), { body });
      if (answer.status === 201) questions.push(answer.body.id);
      return answer;
    },
    ...Array.from({ length: 2 }, () => async () => {
      if (questions.length === 0) return undefined;
      const path = `/api/projects/questions/${dice.pick(questions)}`;
      return dice.below(4) === 0
        ? call("DELETE", path)
        : call("POST", `${path}/answer`, { body: { answer: "The left one" } });
    }),
  ];
  const runner = Array.from({ length: 6 }, () => () => run(here, node, dice));
  const worker = Array.from({ length: 6 }, () => () => work(here, node, dice));
  const answer = await dice.pick([...person, ...runner, ...worker])();
  if (answer !== undefined) assert.isBelow(answer.status, 500, answer.text);
};

/**
 * Every stop is acknowledged, leases are long, and each agent claims once more. Then no ready issue
 * is left.
 */
export const settle = async (
  { agents, project }: Scene,
  nodes: ReadonlyArray<Quartermaster>,
): Promise<void> => {
  const [node] = nodes;
  if (node === undefined) throw new Error("no node");
  for (const id of agents) {
    const path = `/api/agents/${id}`;
    const all = await Reader.everything<{ readonly id: string; readonly status: string }>(
      node,
      `${path}/runs`,
    );
    const runs = all.filter(({ status }) => status !== "ended").map((run) => run.id);
    const body = { capacity: 0, leaseSeconds: 300, runs };
    const { body: answer } = await node.call("POST", `${path}/heartbeat`, { body });
    for (const { runId } of answer.stop) await node.call("POST", `${path}/runs/${runId}/turn`);
  }
  const ready: Array<string> = [];
  for (const { id } of await Reader.everything<{ readonly id: string }>(
    node,
    `/api/projects/${project}/issues`,
  )) {
    if ((await node.call("GET", at(id, "/readiness"))).body.ready === true) ready.push(id);
  }
  const started: Array<string> = [];
  for (const [n, id] of agents.entries()) {
    const { body } = await (nodes[n % nodes.length] ?? node).call(
      "POST",
      `/api/agents/${id}/heartbeat`,
      { body: { capacity: 50 } },
    );
    for (const run of body.started) started.push(run.issue.id);
  }
  assert.sameMembers(started, ready, "what could be picked up was, within one heartbeat");
};

interface Run {
  readonly id: string;
  readonly issueId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly leaseExpiresAt: string;
}

/** Checks that no two runs held an issue at the same time, by the times of the runs. */
export const checkRuns = async ({ agents }: Scene, node: Quartermaster): Promise<void> => {
  const runs: Array<Run> = [];
  for (const id of agents)
    runs.push(...(await Reader.everything<Run>(node, `/api/agents/${id}/runs`)));
  const sorted = runs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const until = new Map<string, string>();
  for (const { issueId, startedAt, endedAt, id } of sorted) {
    const held = until.get(issueId) ?? "";
    assert.isTrue(
      held <= startedAt,
      `${id} started at ${startedAt}, the run before it ended at ${held}`,
    );
    until.set(issueId, endedAt ?? "9999");
  }
};
