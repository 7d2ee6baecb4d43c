import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Role } from "@quartermaster/core";
import { Context } from "effect";
import { HttpApi } from "effect/http-api";
import { Access, Api } from "../src/api/index.ts";
import { assertFields, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

/** Every route that changes something, with the header of a run that is over. */

interface Endpoint {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** No agent's key may call routes that need an Admin. Administration does not belong to runs. */
const endpoints: Array<Endpoint> = [];
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
    const access = Context.get(mergedAnnotations, Access.Required);
    if (access === null || Role.includes(access.role, "Admin") || endpoint.method === "GET") return;
    const name = `${group.identifier}.${endpoint.identifier}`;
    endpoints.push({ name, method: endpoint.method, path: endpoint.path });
  },
});

/** A valid request of each route. A route without one fails the test. */
const requests: Readonly<Record<string, { readonly body?: object; readonly query?: string }>> = {
  "issues.create": { body: { title: "Another" } },
  "issues.plan": { body: { issues: [{ ref: "a", title: "Another" }] } },
  "issues.update": { body: { title: "Another" } },
  "issues.close": {},
  "issues.pause": {},
  "issues.resume": {},
  "issues.delete": { query: "?confirm=true" },
  "comments.create": { body: { content: "Half of it is done." } },
  "comments.update": { body: { content: "All of it is done." } },
  "comments.delete": {},
  "questions.ask": { body: { prompt: "Which slates?" } },
  "questions.answer": { body: { answer: "Grey" } },
  "questions.withdraw": {},
  "effects.settle": { body: { happened: true, note: "Seen" } },
  "effects.reset": {},
  "links.create": { body: { linkType: "RelatedTo", targetIssueId: "iss_none" } },
  "links.delete": {},
  "attachments.upload": {},
  "attachments.delete": {},
  "projects.create": { body: { id: "shop" } },
  "projects.put": { body: { paused: true } },
  "agents.turn": {},
  "agents.finish": { body: { outcome: "resolved" } },
  "runs.writeLog": { body: { from: 0, entries: [{ stream: "stdout", text: "42 tests passed" }] } },
  "usage.report": { body: { usage: [] } },
};

/** The routes that accept a run in the first 10 minutes after its end. */
const accepted: ReadonlySet<string> = new Set([
  "comments.create",
  "comments.update",
  "comments.delete",
  "runs.writeLog",
  "usage.report",
]);

/** The routes that also accept a run whose issue was deleted. */
const acceptedOrphan: ReadonlySet<string> = new Set(["usage.report"]);

/** Routes that such a header does not refuse, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "issues.bulk": "The outcomes of its issues are the refusals.",
  "inbox.dismiss": "It hides an item from its caller, and changes no issue.",
  "inbox.snooze": "It hides items from its caller, and changes no issue.",
  "views.create": "It is a list of its caller, and changes no issue.",
  "views.update": "It is a list of its caller, and changes no issue.",
  "views.delete": "It is a list of its caller, and changes no issue.",
  "agents.heartbeat": "It claims issues for an agent, and writes for no run.",
  "tools.call": "The gateway refuses it as tool-unavailable.",
  "mcp.call": "The results of its calls are the refusals.",
  "mcp.end": "It ends a session of the protocol.",
  "session.end": "A session is a person's access, and writes for no run.",
  "session.token": "A session is a person's access, and writes for no run.",
  "session.endOther": "A session is a person's access, and writes for no run.",
};

let world: World.World;
const scene: Record<string, string> = { agentId: "bot", projectId: "p1" };
let ended: string;
let orphan: string;
beforeAll(async () => {
  world = await World.start();
  const { issueId, runId } = await world.running("bot");
  await world.call("POST", `/api/agents/bot/runs/${runId}/finish`, { body: { outcome: "failed" } });
  const url = `/api/projects/issues/${issueId}`;
  const other = await world.issue();
  const link = await world.call("POST", `${url}/links`, {
    body: { linkType: "RelatedTo", targetIssueId: other.id },
  });
  const asked = await world.call("POST", `${url}/questions`, { body: { prompt: "Which slates?" } });
  const attached = await world.attach(issueId, new File(["x"], "x.txt"));
  const commented = await world.call("POST", `${url}/comments`, {
    body: { content: "Half done." },
  });
  Object.assign(scene, {
    issueId,
    linkId: link.body.id,
    questionId: asked.body.id,
    attachmentId: attached.body.id,
    commentId: commented.body.id,
  });
  ended = runId;
  const deleted = await world.running("bot");
  await world.call("DELETE", `/api/projects/issues/${deleted.issueId}?confirm=true`);
  await world.call("POST", `/api/agents/bot/runs/${deleted.runId}/turn`);
  orphan = deleted.runId;
});
afterAll(() => world.close());

/** Sends the valid request of a route for the run. `ids` replaces every id in its path except agent and project. */
const send = ({ method, name, path }: Endpoint, runId: string, ids?: string) => {
  const fixed: Record<string, string | undefined> = { agentId: "bot", projectId: "p1", runId };
  const url = path.replaceAll(
    /:(\w+)/g,
    (_, id: string) => fixed[id] ?? ids ?? scene[id] ?? "none",
  );
  const { body, query = "" } = requests[name] ?? {};
  const form = new FormData();
  form.append("file", new File(["x"], "x.txt"));
  return world.call(method, `${url}${query}`, {
    ...(name === "attachments.upload" ? { raw: form } : { body }),
    headers: { "quartermaster-run": runId },
  });
};

describe("the header of a run that is over", () => {
  it("[run.fence.http] every route that changes something is listed here", () => {
    assert.sameMembers(
      endpoints.map(({ name }) => name),
      [...Object.keys(requests), ...Object.keys(exceptions)],
    );
  });

  for (const endpoint of endpoints.filter(({ name }) => !(name in exceptions))) {
    it(`[run.fence.http] refuses ${endpoint.name} as run-ended`, async () => {
      const deleted = { runId: orphan, reason: "deleted" };
      if (acceptedOrphan.has(endpoint.name)) {
        assert.strictEqual((await send(endpoint, orphan)).status, 200);
      } else {
        assertProblem(await send(endpoint, orphan), 409, "run-ended", deleted);
        // Whether or not the issue exists.
        assertProblem(await send(endpoint, orphan, "iss_none"), 409, "run-ended", deleted);
      }
      if (accepted.has(endpoint.name)) {
        assert.include([200, 201, 204], (await send(endpoint, ended)).status);
      } else {
        const members = { runId: ended, reason: "paused" };
        assertProblem(await send(endpoint, ended), 409, "run-ended", members);
      }
    });
  }

  it("[run.fence.http] counts as none if it is empty", async () => {
    const url = `/api/projects/issues/${scene["issueId"]}`;
    const put = { body: { title: "Another" }, headers: { "quartermaster-run": "" } };
    assertFields((await world.call("PUT", url, put)).body, { title: "Another" });
  });

  it("[run.fence.http] refuses no read", async () => {
    const url = `/api/projects/issues/${scene["issueId"]}`;
    for (const runId of [ended, orphan]) {
      const headers = { "quartermaster-run": runId };
      for (const path of ["", "/comments", "/attachments", "/questions", "/links", "/activity"]) {
        assert.strictEqual((await world.call("GET", `${url}${path}`, { headers })).status, 200);
      }
      assert.strictEqual(
        (await world.call("GET", "/api/agents/bot/runs", { headers })).status,
        200,
      );
    }
  });
});
