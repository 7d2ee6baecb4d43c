import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
// Quartermaster inside a program that uses promises.
import { Errors, Principal, Quartermaster } from "@quartermaster/embedded";

const dataDir = await mkdtemp(join(tmpdir(), "quartermaster-"));
const quartermaster = await Quartermaster.open({ dataDir });
const { issues, links } = quartermaster.as(Principal.user("ops"));

/** Prints a result, and fails if it is not the expected one. */
const check = (what: string, actual: unknown, expected: unknown) => {
  console.log(`${what}: ${String(actual)}`);
  assert.equal(actual, expected, what);
};

try {
  const events = await quartermaster.events.subscribe({ filter: { projectId: "shop" } });

  const schema = await issues.create("shop", {
    title: "Design the schema",
    assignedAgentId: "agent-1",
  });
  const api = await issues.create("shop", { title: "Build the API", assignedAgentId: "agent-1" });
  check("a new issue is", api.status, "Open");
  await links.create(api.id, { targetIssueId: schema.id, linkType: "BlockedBy" });
  check("linked to a blocker it is", (await issues.get(api.id)).status, "WaitingOnDependency");

  const refusal = await issues.close(schema.id).catch((error: unknown) => error);
  assert(refusal instanceof Errors.OpenDependents);
  check("its blocker cannot be closed, since it has a dependent", refusal.dependents[0], api.id);

  const agent = await quartermaster.agent("agent-1");
  for await (const task of agent.tasks()) {
    check("the agent works on", task.issue.title, schema.title);
    check("between two turns the agent may", (await task.turn()).action, "continue");
    const done = await task.finish({ outcome: "resolved" });
    check("the finished issue is", done.status, "Resolved");
    break;
  }
  check("the one that waited is", (await issues.get(api.id)).status, "Open");

  for await (const task of agent.tasks()) {
    check("the next one is", task.issue.title, api.title);
    await task.finish({ outcome: "review" });
    break;
  }

  for await (const event of events) {
    console.log(`event: ${event.kind} ${event.subjectId === api.id ? api.title : schema.title}`);
    if (event.kind === "issue.finished" && event.subjectId === api.id) break;
  }
} finally {
  await quartermaster.close();
  await rm(dataDir, { recursive: true });
}
