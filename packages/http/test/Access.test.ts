import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Context } from "effect";
import { HttpApi } from "effect/http-api";
import { Access, Api } from "../src/api/index.ts";
import * as World from "./support/World.ts";

/** Every route of the contract with every role, bound to the issue's project, to another, to none. */

interface Endpoint {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access.Access | null;
}

const endpoints: Array<Endpoint> = [];
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group, mergedAnnotations }) =>
    endpoints.push({
      name: `${group.identifier}.${endpoint.identifier}`,
      method: endpoint.method,
      path: endpoint.path,
      access: Context.get(mergedAnnotations, Access.Required),
    }),
});

const roles = ["Viewer", "Editor", "Admin", "Owner"] as const;
type Role = (typeof roles)[number];

/** The required role of each route, repeated from section 7 of the contract. */
const required: Record<string, Role | null> = {
  "issues.list": "Viewer",
  "issues.listAcross": "Viewer",
  "issues.create": "Editor",
  "issues.plan": "Editor",
  "issues.bulk": "Editor",
  "issues.get": "Viewer",
  "issues.update": "Editor",
  "issues.close": "Editor",
  "issues.pause": "Editor",
  "issues.resume": "Editor",
  "issues.delete": "Editor",
  "issues.readiness": "Viewer",
  "issues.graph": "Viewer",
  "issues.activity": "Viewer",
  "issues.versions": "Viewer",
  "comments.list": "Viewer",
  "comments.create": "Editor",
  "comments.update": "Viewer",
  "comments.delete": "Viewer",
  "comments.versions": "Viewer",
  "effects.list": "Viewer",
  "effects.settle": "Editor",
  "effects.reset": "Editor",
  "questions.ask": "Editor",
  "questions.list": "Viewer",
  "questions.get": "Viewer",
  "questions.answer": "Editor",
  "questions.withdraw": "Editor",
  "links.list": "Viewer",
  "links.create": "Editor",
  "links.delete": "Editor",
  "attachments.upload": "Editor",
  "attachments.list": "Viewer",
  "attachments.download": "Viewer",
  "attachments.delete": "Editor",
  "projects.list": "Viewer",
  "projects.create": "Editor",
  "projects.get": "Viewer",
  "projects.put": "Editor",
  "projects.delete": "Admin",
  "projects.graph": "Viewer",
  "inbox.list": "Viewer",
  "inbox.snooze": "Editor",
  "inbox.dismiss": "Viewer",
  "search.find": "Viewer",
  "views.list": "Viewer",
  "views.create": "Viewer",
  "views.update": "Viewer",
  "views.delete": "Viewer",
  "stats.get": "Viewer",
  "stats.agents": "Viewer",
  "agents.list": "Viewer",
  "agents.get": "Viewer",
  "agents.put": "Admin",
  "agents.delete": "Admin",
  "agents.heartbeat": "Editor",
  "agents.turn": "Editor",
  "agents.finish": "Editor",
  "agents.runs": "Viewer",
  "runs.list": "Viewer",
  "runs.get": "Viewer",
  "runs.timeline": "Viewer",
  "runs.readLog": "Viewer",
  "runs.writeLog": "Editor",
  "usage.report": "Editor",
  "usage.ofIssue": "Viewer",
  "usage.list": "Viewer",
  "tools.list": "Editor",
  "tools.call": "Editor",
  "tools.calls": "Admin",
  "tools.record": "Admin",
  "tools.callsOfRun": "Viewer",
  "mcp.call": "Viewer",
  "mcp.listen": "Viewer",
  "mcp.end": "Viewer",
  "catalog.list": "Admin",
  "catalog.get": "Admin",
  "catalog.create": "Owner",
  "catalog.put": "Owner",
  "catalog.delete": "Owner",
  "catalog.runtime": "Admin",
  "servers.list": "Admin",
  "servers.install": "Admin",
  "servers.get": "Admin",
  "servers.update": "Admin",
  "servers.uninstall": "Admin",
  "servers.verify": "Admin",
  "servers.enable": "Admin",
  "servers.disable": "Admin",
  "servers.tools": "Admin",
  "servers.acceptTools": "Admin",
  "servers.blockTools": "Admin",
  "servers.unblockTools": "Admin",
  "servers.access": "Admin",
  "servers.putAccess": "Admin",
  "servers.import": "Admin",
  "authorization.begin": "Admin",
  "authorization.callback": null,
  "authorization.client": null,
  "audit.list": "Admin",
  "keys.list": "Admin",
  "keys.names": "Viewer",
  "keys.create": "Admin",
  "keys.delete": "Admin",
  "session.create": null,
  "session.get": "Viewer",
  "session.end": "Viewer",
  "session.token": "Viewer",
  "session.link": "Admin",
  "session.list": "Viewer",
  "session.endOther": "Viewer",
  "events.subscribe": "Viewer",
  "events.recent": "Viewer",
  "webhooks.list": "Admin",
  "webhooks.create": "Admin",
  "webhooks.get": "Admin",
  "webhooks.update": "Admin",
  "webhooks.delete": "Admin",
  "webhooks.rotate": "Admin",
  "webhooks.test": "Admin",
  "webhooks.deliveries": "Admin",
  "webhooks.retry": "Admin",
  "webhooks.replay": "Admin",
  "system.health": null,
  "system.ready": null,
  "system.metrics": "Admin",
  "system.openapi": null,
  "system.docs": null,
  "system.apiPage": null,
};

let world: World.World;
let scene: Record<string, string>;
const keys = new Map<string, string>();

beforeAll(async () => {
  world = await World.start();
  for (const role of roles) {
    for (const [binding, projects] of [
      ["unbound", null],
      ["bound", ["p1"]],
      ["elsewhere", ["p2"]],
    ] as const) {
      keys.set(`${role} ${binding}`, (await world.key({ role, projects })).key);
    }
  }
  const issue = await world.issue();
  const other = await world.issue();
  const link = await world.call("POST", `/api/projects/issues/${issue.id}/links`, {
    body: { linkType: "RelatedTo", targetIssueId: other.id },
  });
  const asked = await world.call("POST", `/api/projects/issues/${issue.id}/questions`, {
    body: { prompt: "Which slates?" },
  });
  const attached = await world.attach(issue.id, new File(["x"], "x.txt"));
  await world.as(world.keys.admin.key)("PUT", "/api/agents/agent-1", { body: {} });
  scene = {
    projectId: "p1",
    issueId: issue.id,
    linkId: link.body.id,
    attachmentId: attached.body.id,
    questionId: asked.body.id,
    agentId: "agent-1",
    runId: "run_none",
    keyId: "key_none",
    entryId: "test-notes",
    serverId: "mcp_none",
    callId: "call_none",
    webhookId: "whk_none",
    deliveryId: "dlv_none",
  };
});
afterAll(() => world.close());

/** Calls the route in a way that passes its access check and changes nothing. */
const probe = async ({ method, name, path }: Endpoint, key: string | undefined) => {
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => scene[name] ?? "none");
  const isUpload = name === "attachments.upload";
  const isStream = name === "events.subscribe";
  const answer = await world.as(key)(method, isStream ? `${url}?kinds=none.such` : url, {
    ...(method === "POST" || method === "PUT"
      ? { body: isUpload ? undefined : { nonsense: true } }
      : {}),
    ...(method === "DELETE" ? { headers: { "if-match": "nonsense" } } : {}),
  });
  return answer;
};

/**
 * The statuses with which a route may respond to a permitted caller that sends meaningless data.
 */
const allowed = new Set([200, 204, 400, 404, 409, 415]);

/** The refusal of a role under a binding; undefined if the endpoint accepts it. */
const refusalOf = ({ access, name }: Endpoint, has: string, binding: string) => {
  const role = required[name] ?? null;
  const order: ReadonlyArray<string | null> = roles;
  if (order.indexOf(has) < order.indexOf(role)) return { requiredRole: role };
  if (access?.only === "agentKey") return { requiredRole: null };
  // None of the keys belongs to an agent.
  if (access?.only === "person") return undefined;
  return access?.only !== undefined && binding !== "unbound" ? { requiredRole: null } : undefined;
};

describe("access", () => {
  it("[access.table] every route declares the role that it requires", () => {
    assert.deepStrictEqual(
      Object.fromEntries(endpoints.map(({ access, name }) => [name, access?.role ?? null])),
      required,
    );
  });

  it("[access.cookie] only routes of projects, the inbox, the search, saved views, statistics, agents, runs, usage, events, the audit log and the session accept the cookie", () => {
    for (const { access, path } of endpoints) {
      if (access === null) continue;
      assert.strictEqual(
        access.cookie,
        /^\/api\/(projects|inbox|search|views|stats|agents|runs|usage|events|audit|session(?!\/link))/.test(
          path,
        ),
        path,
      );
    }
  });

  describe("[access.matrix]", () => {
    for (const endpoint of endpoints.filter(({ method }) => method !== "DELETE")) {
      const role = required[endpoint.name];
      it(`${endpoint.method} ${endpoint.path} requires its role`, async () => {
        const anonymous = await probe(endpoint, undefined);
        assert.strictEqual(anonymous.status === 401, role !== null);
        for (const [name, key] of role === null ? [] : keys) {
          const [has = "", binding = ""] = name.split(" ");
          const answer = await probe(endpoint, key);
          const refusal = refusalOf(endpoint, has, binding);
          assert.deepStrictEqual(
            {
              name,
              isForbidden: answer.status === 403,
              requiredRole: answer.body?.requiredRole,
              isExpected: answer.status === 403 || allowed.has(answer.status),
            },
            {
              name,
              isForbidden: refusal !== undefined,
              requiredRole: refusal?.requiredRole,
              isExpected: true,
            },
          );
        }
      });
    }
  });

  describe("[access.other-project]", () => {
    for (const endpoint of endpoints) {
      if (!/:(issueId|linkId|attachmentId|questionId|projectId)/.test(endpoint.path)) continue;
      // Refuses callers that are bound to projects before it looks.
      if (endpoint.name === "projects.delete") continue;
      it(`${endpoint.method} ${endpoint.path} responds with 404 and changes nothing`, async () => {
        const key = keys.get("Editor elsewhere");
        const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => scene[name] ?? "none");
        const body: Record<string, unknown> = {
          "issues.plan": { issues: [{ ref: "a", title: "A" }] },
          "issues.create": { title: "x" },
          "issues.update": { title: "x" },
          "comments.create": { content: "x", authorType: "User" },
          "comments.update": { content: "x" },
          "questions.ask": { prompt: "x" },
          "questions.answer": { answer: "x" },
          "effects.settle": { happened: true, note: "x" },
          "links.create": { targetIssueId: scene["issueId"], linkType: "Blocks" },
        };
        const before = (await world.call("GET", `/api/projects/issues/${scene["issueId"]}`)).text;
        const form = new FormData();
        form.append("file", new File(["x"], "x.txt"));
        const answer = await world.as(key)(
          endpoint.method,
          endpoint.name === "issues.delete" ? `${url}?confirm=true` : url,
          {
            body: body[endpoint.name],
            ...(endpoint.name === "attachments.upload" ? { raw: form } : {}),
          },
        );
        assert.strictEqual(answer.status, 404);
        assert.strictEqual(answer.body.type, "urn:quartermaster:problem:not-found");
        assert.strictEqual(
          (await world.call("GET", `/api/projects/issues/${scene["issueId"]}`)).text,
          before,
        );
      });
    }
  });

  it("[access.delete] the role is checked before anything is deleted", async () => {
    // No role is below Viewer's.
    for (const endpoint of endpoints.filter(
      ({ method, name }) => method === "DELETE" && required[name] !== "Viewer",
    )) {
      const role = required[endpoint.name];
      const below = roles[roles.indexOf(role ?? "Viewer") - 1];
      const key = keys.get(`${below} unbound`);
      const answer = await probe(endpoint, key);
      assert.deepStrictEqual(
        [answer.status, answer.body?.requiredRole],
        [403, role],
        endpoint.name,
      );
      assert.strictEqual((await probe(endpoint, undefined)).status, 401);
    }
  });

  it("[access.agent] an agent's key acts only for its agent", async () => {
    const own = await world.key({ role: "Editor", agentId: "agent-1" });
    const other = await world.key({ role: "Editor", agentId: "agent-2" });
    const beat = (key: string) => world.as(key)("POST", "/api/agents/agent-1/heartbeat");
    assert.strictEqual((await beat(own.key)).status, 200);
    assert.strictEqual((await beat(world.keys.editor.key)).status, 200);
    assert.deepStrictEqual(
      [(await beat(other.key)).status, (await beat(other.key)).body.requiredRole],
      [403, null],
    );
  });

  it("[access.order] 401 and 403 come before any check of the body", async () => {
    const call = (key: string | undefined) =>
      world.as(key)("POST", "/api/projects/p1/issues", {
        raw: "not json",
        headers: { "content-type": "text/plain" },
      });
    assert.strictEqual((await call(undefined)).status, 401);
    assert.strictEqual((await call(world.keys.viewer.key)).status, 403);
    assert.strictEqual((await call(world.keys.editor.key)).status, 415);
  });
});
