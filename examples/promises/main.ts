// Quartermaster inside a program that is written with promises. `Quartermaster.ts` beside this file
// is the bridge; nothing here has to know what is on its other side.
import { Errors } from "@quartermaster/core";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Quartermaster from "./Quartermaster.ts";

const dataDir = await mkdtemp(join(tmpdir(), "quartermaster-"));
const quartermaster = Quartermaster.open({ dataDir, masterKey: randomBytes(32), userId: "ops" });

/** Says what happened, and fails if it is not what should have. */
const check = (what: string, actual: unknown, expected: unknown) => {
  console.log(`${what}: ${String(actual)}`);
  assert.equal(actual, expected, what);
};

try {
  const events = await quartermaster.events("shop");

  const schema = await quartermaster.createIssue("shop", {
    title: "Design the schema",
    assignedAgentId: "agent-1",
  });
  const api = await quartermaster.createIssue("shop", {
    title: "Build the API",
    assignedAgentId: "agent-1",
  });
  check("a new issue is", api.status, "Open");
  await quartermaster.link(api.id, { targetIssueId: schema.id, linkType: "BlockedBy" });
  check(
    "linked to a blocker it is",
    (await quartermaster.getIssue(api.id)).status,
    "WaitingOnDependency",
  );

  const refusal = await quartermaster.closeIssue(schema.id).catch((error: unknown) => error);
  assert(refusal instanceof Errors.OpenDependents);
  check("its blocker cannot be closed while there waits", refusal.dependents.join(), api.id);

  const { started } = await quartermaster.heartbeat("agent-1");
  const [first] = started;
  assert(first);
  check("the heartbeat started", first.issue.title, schema.title);
  check(
    "between two turns the agent may",
    (await quartermaster.turn("agent-1", first.runId)).action,
    "continue",
  );
  const done = await quartermaster.finish("agent-1", first.runId, { outcome: "resolved" });
  check("the finished issue is", done.status, "Resolved");
  check("the one that waited is", (await quartermaster.getIssue(api.id)).status, "Open");

  const [second] = (await quartermaster.heartbeat("agent-1")).started;
  check("the next heartbeat started", second?.issue.title, api.title);

  for await (const event of events) {
    console.log(`event: ${event.kind} ${event.subjectId === api.id ? api.title : schema.title}`);
    if (event.kind === "issue.pickedUp" && event.subjectId === api.id) break;
  }
} finally {
  await quartermaster.close();
  await rm(dataDir, { recursive: true });
}
