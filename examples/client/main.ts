import assert from "node:assert/strict";
// A program beside the server, without Effect: it creates issues, and is the agent that works on
// them. QM_URL and QM_KEY name a running server; without them the example starts one.
import { connect, isProblem } from "@quartermaster/client";
import * as Server from "./server.ts";

const { QM_KEY: key, QM_URL: url } = process.env;
const server = url === undefined ? await Server.start() : { url, key, stop: async () => {} };
const qm = connect(server);
const projectId = "shop";
/** A new agent for each start, so that the program can run again. */
const agentId = `agent-${process.pid}`;

/** Prints a result, and fails if it is not the expected one. */
const check = (what: string, actual: unknown, expected: unknown) => {
  console.log(`${what}: ${String(actual)}`);
  assert.equal(actual, expected, what);
};

const statusOf = async (issueId: string) => (await qm.issues.get({ issueId })).status;

const done = new AbortController();
const events = await qm.events.subscribe({ projectId }, { signal: done.signal });

const schema = await qm.issues.create({
  projectId,
  title: "Design the schema",
  assignedAgentId: agentId,
});
const api = await qm.issues.create({
  projectId,
  title: "Build the API",
  assignedAgentId: agentId,
});
check("a new issue is", api.status, "Open");
await qm.links.create({ issueId: api.id, targetIssueId: schema.id, linkType: "BlockedBy" });
check("linked to a blocker it is", await statusOf(api.id), "WaitingOnDependency");

const refusal = await qm.issues.close({ issueId: schema.id }).catch((error: unknown) => error);
assert(isProblem(refusal, "open-dependents"));
check(
  "its blocker cannot be closed, since it has a dependent",
  refusal.members.dependents[0],
  api.id,
);

const agent = qm.agent(agentId);
for await (const task of agent.tasks()) {
  check("the agent works on", task.issue.title, schema.title);
  check("between two turns the agent may", (await task.turn()).action, "continue");
  const issue = await task.finish({ outcome: "resolved" });
  check("the finished issue is", issue.status, "Resolved");
  break;
}
check("the one that waited is", await statusOf(api.id), "Open");

const work = agent.work(
  async (task) => {
    check("the next one is", task.issue.title, api.title);
    return { outcome: "review", comment: "Please look at the errors." };
  },
  { capacity: 2, signal: done.signal },
);
for await (const event of events) {
  console.log(`event: ${event.kind} ${event.subjectId === api.id ? api.title : schema.title}`);
  if (event.kind === "issue.finished" && event.subjectId === api.id) break;
}
done.abort();
await work;
await server.stop();
