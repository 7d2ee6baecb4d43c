import { Effect, Layer } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as World from "./support/World.ts";
import { expectProblem } from "./support/World.ts";

/** Every row of the contract's table of problems that a route of this version can answer. */

let world: World.World;
const logged: Array<string> = [];
const routes = Layer.mergeAll(
  HttpRouter.add("GET", "/test/defect", Effect.die(new Error("secret cause at /some/path"))),
  HttpRouter.add("GET", "/test/bare", HttpServerResponse.empty({ status: 418 })),
);

beforeAll(async () => {
  world = await World.start({
    routes,
    log: ({ text }) => logged.push(text),
    core: { maxLinks: 2 },
  });
});
afterAll(() => world.close());

const issues = (id: string, rest = "") => `/api/projects/issues/${id}${rest}`;
const link = (id: string, linkType: string, targetIssueId: string) =>
  world.call("POST", issues(id, "/links"), { body: { linkType, targetIssueId } });

describe("400", () => {
  it("[problem.invalid-request] the problem names each error with its path", async () => {
    const answer = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: 5, titel: "x", priority: "soon" },
    });
    expectProblem(answer, 400, "invalid-request", {
      errors: expect.arrayContaining([
        { path: "title", message: expect.any(String) },
        { path: "titel", message: expect.any(String) },
        { path: "priority", message: expect.any(String) },
      ]),
    });
    expect((await world.call("GET", "/api/projects/p1/issues")).body).toEqual([]);
  });

  it("[problem.detail-value] the detail names the first wrong value", async () => {
    const one = await world.call("POST", "/api/projects/p1/issues", { body: { title: 5 } });
    expect(one.body.detail).toBe(
      "Correct `title` (expected a string), and send the request again.",
    );
    const two = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "x", priority: "soon", goalId: 1 },
    });
    expect(two.body.detail).toMatch(
      /^Correct `\w+` \(expected .*\) and 1 other value, and send the request again\.$/,
    );
  });

  it("[problem.confirmation-required] a deletion without confirmation leaves the issue", async () => {
    const { id } = await world.issue();
    for (const query of ["", "?confirm=false"]) {
      expectProblem(await world.call("DELETE", issues(id, query)), 400, "confirmation-required");
    }
    expect((await world.call("GET", issues(id))).status).toBe(200);
  });
});

describe("401 to 405", () => {
  it("[problem.unauthenticated] missing, wrong and revoked keys get the same response", async () => {
    const { id, key } = await world.key({ role: "Viewer" });
    await world.as(world.keys.owner.key)("DELETE", `/api/keys/${id}`);
    const wrong = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    const bodies = [];
    for (const sent of [undefined, wrong, "nonsense", key]) {
      const answer = await world.as(sent)("GET", "/api/projects/p1/issues");
      expectProblem(answer, 401, "unauthenticated");
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      bodies.push(answer.text);
    }
    expect(new Set(bodies).size).toBe(1);
  });

  it("[problem.forbidden] the problem names the required role, or null if another kind of key is required", async () => {
    const low = await world.as(world.keys.viewer.key)("POST", "/api/projects/p1/issues", {
      body: { title: "x" },
    });
    expectProblem(low, 403, "forbidden", { requiredRole: "Editor" });
    const bound = await world.key({ role: "Admin", projects: ["p1"] });
    expectProblem(await world.as(bound.key)("GET", "/api/keys"), 403, "forbidden", {
      requiredRole: null,
    });
  });

  it("[problem.not-found] the problem has the id of a resource, and null for a path", async () => {
    for (const [method, path, resource] of [
      ["GET", issues("iss_none"), "issue"],
      ["GET", "/api/agents/nobody/runs", "agent"],
      ["DELETE", "/api/projects/links/lnk_none", "link"],
      ["GET", "/api/projects/attachments/att_none/download", "attachment"],
    ] as const) {
      const id = path.split("/").find((part) => /none|nobody/.test(part));
      expectProblem(await world.call(method, path), 404, "not-found", { resource, id });
    }
    // A path in the query is not part of the path.
    expect((await world.call("POST", "/api/agents?back=//a/")).status).toBe(405);
    for (const path of [
      "/",
      "/api",
      "/api/projects",
      "/api/nothing",
      "/API/projects/p1/issues",
      "/api/agents;x=1",
      "/api/agents/",
      "/api/agents/?limit=1",
      "/api//agents",
    ]) {
      expectProblem(await world.call("GET", path), 404, "not-found", {
        resource: expect.any(String),
        id: null,
      });
    }
  });

  it("[problem.method-not-allowed] a 405 has Allow", async () => {
    for (const [method, path, allow] of [
      ["PATCH", issues("iss_1"), "DELETE, GET, HEAD, PUT"],
      ["GET", issues("iss_1", "/close"), "POST"],
      ["DELETE", "/api/projects/p1/issues", "GET, HEAD, POST"],
      ["OPTIONS", "/api/keys", "GET, HEAD, POST"],
      ["POST", "/healthz", "GET, HEAD"],
    ] as const) {
      const answer = await world.as(undefined)(method, path);
      expectProblem(answer, 405, "method-not-allowed");
      expect(answer.headers.get("allow")).toBe(allow);
    }
  });
});

describe("409", () => {
  it("[problem.open-dependents] open dependents prevent a close, which changes nothing", async () => {
    const blocker = await world.issue();
    const dependent = await world.issue({ blockedByIssueId: blocker.id });
    const before = (await world.call("GET", issues(blocker.id))).text;
    const members = { dependents: [dependent.id] };
    expectProblem(
      await world.call("POST", issues(blocker.id, "/close")),
      409,
      "open-dependents",
      members,
    );
    const put = await world.call("PUT", issues(blocker.id), { body: { status: "Closed" } });
    expectProblem(put, 409, "open-dependents", members);
    expect((await world.call("GET", issues(blocker.id))).text).toBe(before);
  });

  it("[problem.blocked] the problem names the blockers", async () => {
    const blocker = await world.issue();
    const blocked = await world.issue({ blockedByIssueId: blocker.id });
    const put = await world.call("PUT", issues(blocked.id), { body: { status: "InProgress" } });
    expectProblem(put, 409, "blocked", { blockers: [blocker.id] });
    const waiting = await world.call("PUT", issues(blocker.id), {
      body: { status: "WaitingOnDependency" },
    });
    expectProblem(waiting, 409, "blocked", { blockers: [] });
  });

  it("[problem.dependency-cycle] the cycle starts and finishes with the issue", async () => {
    const a = await world.issue();
    const b = await world.issue();
    await link(a.id, "Blocks", b.id);
    const answer = await link(b.id, "Blocks", a.id);
    expectProblem(answer, 409, "dependency-cycle", { cycle: expect.any(Array) });
    expect(answer.body.cycle[0]).toBe(answer.body.cycle.at(-1));
  });

  it("[problem.link-exists] the problem names the link", async () => {
    const a = await world.issue();
    const b = await world.issue();
    const made = await link(a.id, "RelatedTo", b.id);
    expect(made.status).toBe(201);
    expectProblem(await link(b.id, "RelatedTo", a.id), 409, "link-exists", {
      linkId: made.body.id,
    });
  });

  it("[problem.not-executing] [problem.not-paused] the problems have the issue's status", async () => {
    const { id } = await world.issue();
    expectProblem(await world.call("POST", issues(id, "/pause")), 409, "not-executing", {
      issueStatus: "Open",
    });
    expectProblem(await world.call("POST", issues(id, "/resume")), 409, "not-paused", {
      issueStatus: "Open",
    });
  });

  it("[problem.run-ended] the problem has the reason", async () => {
    const { agentId, issueId, runId } = await world.running();
    expect((await world.call("POST", issues(issueId, "/pause"))).status).toBe(204);
    const finish = await world.call("POST", `/api/agents/${agentId}/runs/${runId}/finish`, {
      body: { outcome: "resolved" },
    });
    expectProblem(finish, 409, "run-ended", { reason: "paused" });
  });

  it("[problem.last-owner-key] the last Owner key cannot be deleted", async () => {
    const owner = world.as(world.keys.owner.key);
    const answer = await owner("DELETE", `/api/keys/${world.keys.owner.id}`);
    expectProblem(answer, 409, "last-owner-key");
    expect((await owner("GET", "/api/session")).status).toBe(200);
  });
});

describe("412 to 422", () => {
  it("[problem.precondition-failed] the problem has the current version", async () => {
    const { id } = await world.issue();
    const answer = await world.call("PUT", issues(id), {
      body: { title: "New" },
      headers: { "if-match": '"7"' },
    });
    expectProblem(answer, 412, "precondition-failed", { version: 1 });
  });

  it("[problem.payload-too-large] the problem has the limit", async () => {
    const answer = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "x", description: "y".repeat(1024 * 1024) },
    });
    expectProblem(answer, 413, "payload-too-large", { limitBytes: 1024 * 1024 });
  });

  it("[problem.unsupported-media-type] another media type is refused, and a missing one", async () => {
    for (const type of ["text/plain", "application/xml", "multipart/form-data; boundary=x"]) {
      const answer = await world.call("POST", "/api/projects/p1/issues", {
        raw: JSON.stringify({ title: "x" }),
        headers: { "content-type": type },
      });
      expectProblem(answer, 415, "unsupported-media-type");
    }
    const json = await world.call("POST", issues("iss_1", "/attachments"), { body: {} });
    expectProblem(json, 415, "unsupported-media-type");
    const none = await world.call("POST", "/api/projects/p1/issues", {
      raw: new TextEncoder().encode('{"title":"x"}'),
    });
    expectProblem(none, 415, "unsupported-media-type");
  });

  it("[problem.unknown-reference] the problem names the field", async () => {
    const answer = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "x", blockedByIssueId: "iss_none" },
    });
    expectProblem(answer, 422, "unknown-reference", { field: "blockedByIssueId", id: "iss_none" });
  });

  it("[problem.self-link] [problem.limit-exceeded] a link to itself and a link beyond the limit are refused", async () => {
    const [a, b, c, d] = await Promise.all([0, 1, 2, 3].map(() => world.issue()));
    expectProblem(await link(a!.id, "Blocks", a!.id), 422, "self-link");
    await link(a!.id, "RelatedTo", b!.id);
    await link(a!.id, "RelatedTo", c!.id);
    expectProblem(await link(a!.id, "RelatedTo", d!.id), 422, "limit-exceeded", { limit: 2 });
  });
});

describe("500", () => {
  it("[problem.internal] only the log has the cause of a 500, under the request id", async () => {
    const answer = await world.as(undefined)("GET", "/test/defect", {
      headers: { "x-request-id": "defect-1" },
    });
    expectProblem(answer, 500, "internal");
    expect(answer.text).not.toMatch(/secret|path|Error|at /);
    expect(logged.join("\n")).toContain("secret cause");
    expect(logged.join("\n")).toContain("defect-1");
  });

  it("[problem.everywhere] an error without a body becomes a problem", async () => {
    expectProblem(await world.as(undefined)("GET", "/test/bare"), 418, "invalid-request", {
      errors: expect.any(Array),
    });
  });
});
