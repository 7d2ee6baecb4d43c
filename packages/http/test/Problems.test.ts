import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import { assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

/** Every row of the contract's table of problems that a route of this version can return. */

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
    const error = { path: String, message: String };
    assertProblem(answer, 400, "invalid-request", { errors: [error, error, error] });
    const paths = answer.body.errors.map(({ path }: { readonly path: string }) => path);
    assert.sameMembers(paths, ["title", "titel", "priority"]);
    assert.deepStrictEqual((await world.call("GET", "/api/projects/p1/issues")).body, []);
  });

  it("[problem.detail-value] the detail names the first wrong value", async () => {
    const one = await world.call("POST", "/api/projects/p1/issues", { body: { title: 5 } });
    assert.strictEqual(
      one.body.detail,
      "Invalid `title` (expected a string). Correct it and send the request again.",
    );
    const two = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "x", priority: "soon", goalId: 1 },
    });
    assert.match(
      two.body.detail,
      /^Invalid `\w+` \(expected .*\)\. Another value is also invalid\. Correct them and send the request again\.$/,
    );
  });

  it("[problem.confirmation-required] a deletion without confirmation leaves the issue", async () => {
    const { id } = await world.issue();
    for (const query of ["", "?confirm=false"]) {
      assertProblem(await world.call("DELETE", issues(id, query)), 400, "confirmation-required");
    }
    assert.strictEqual((await world.call("GET", issues(id))).status, 200);
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
      assertProblem(answer, 401, "unauthenticated");
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer");
      bodies.push(answer.text);
    }
    assert.strictEqual(new Set(bodies).size, 1);
  });

  it("[problem.forbidden] the problem names the required role, or null if another kind of key is required", async () => {
    const low = await world.as(world.keys.viewer.key)("POST", "/api/projects/p1/issues", {
      body: { title: "x" },
    });
    assertProblem(low, 403, "forbidden", { requiredRole: "Editor" });
    const bound = await world.key({ role: "Admin", projects: ["p1"] });
    assertProblem(await world.as(bound.key)("GET", "/api/keys"), 403, "forbidden", {
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
      assertProblem(await world.call(method, path), 404, "not-found", { resource, id });
    }
    // A path in the query is not part of the path.
    assert.strictEqual((await world.call("POST", "/api/agents?back=//a/")).status, 405);
    for (const path of [
      "/",
      "/api",
      "/api/project",
      "/api/nothing",
      "/API/projects/p1/issues",
      "/api/agents;x=1",
      "/api/agents/",
      "/api/agents/?limit=1",
      "/api//agents",
    ]) {
      assertProblem(await world.call("GET", path), 404, "not-found", {
        resource: String,
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
      assertProblem(answer, 405, "method-not-allowed");
      assert.strictEqual(answer.headers.get("allow"), allow);
    }
  });
});

describe("409", () => {
  it("[problem.open-dependents] open dependents prevent a close, which changes nothing", async () => {
    const blocker = await world.issue();
    const dependent = await world.issue({ blockedByIssueId: blocker.id });
    const before = (await world.call("GET", issues(blocker.id))).text;
    const members = { dependents: [dependent.id] };
    assertProblem(
      await world.call("POST", issues(blocker.id, "/close")),
      409,
      "open-dependents",
      members,
    );
    const put = await world.call("PUT", issues(blocker.id), { body: { status: "Closed" } });
    assertProblem(put, 409, "open-dependents", members);
    assert.strictEqual((await world.call("GET", issues(blocker.id))).text, before);
  });

  it("[problem.blocked] the problem names the blockers", async () => {
    const blocker = await world.issue();
    const blocked = await world.issue({ blockedByIssueId: blocker.id });
    const put = await world.call("PUT", issues(blocked.id), { body: { status: "InProgress" } });
    assertProblem(put, 409, "blocked", { blockers: [blocker.id] });
    const waiting = await world.call("PUT", issues(blocker.id), {
      body: { status: "WaitingOnDependency" },
    });
    assertProblem(waiting, 409, "blocked", { blockers: [] });
  });

  it("[problem.dependency-cycle] the cycle starts and finishes with the issue", async () => {
    const a = await world.issue();
    const b = await world.issue();
    await link(a.id, "Blocks", b.id);
    const answer = await link(b.id, "Blocks", a.id);
    assertProblem(answer, 409, "dependency-cycle", { cycle: Array });
    assert.strictEqual(answer.body.cycle[0], answer.body.cycle.at(-1));
  });

  it("[problem.link-exists] the problem names the link", async () => {
    const a = await world.issue();
    const b = await world.issue();
    const made = await link(a.id, "RelatedTo", b.id);
    assert.strictEqual(made.status, 201);
    assertProblem(await link(b.id, "RelatedTo", a.id), 409, "link-exists", {
      linkId: made.body.id,
    });
  });

  it("[problem.external-ref-taken] the problem names the issue that has the reference", async () => {
    const { id } = await world.issue({ externalRef: "GH-1" });
    const again = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "Again", externalRef: "GH-1" },
    });
    assertProblem(again, 409, "external-ref-taken", { issueId: id });
    const other = await world.issue();
    const put = await world.call("PUT", issues(other.id), { body: { externalRef: "GH-1" } });
    assertProblem(put, 409, "external-ref-taken", { issueId: id });
  });

  it("[problem.not-executing] [problem.not-paused] the problems have the issue's status", async () => {
    const { id } = await world.issue();
    assertProblem(await world.call("POST", issues(id, "/pause")), 409, "not-executing", {
      issueStatus: "Open",
    });
    assertProblem(await world.call("POST", issues(id, "/resume")), 409, "not-paused", {
      issueStatus: "Open",
    });
  });

  it("[problem.run-ended] the problem has the run and the reason", async () => {
    const { agentId, issueId, runId } = await world.running();
    assert.strictEqual((await world.call("POST", issues(issueId, "/pause"))).status, 204);
    const finish = await world.call("POST", `/api/agents/${agentId}/runs/${runId}/finish`, {
      body: { outcome: "resolved" },
    });
    assertProblem(finish, 409, "run-ended", { runId, reason: "paused" });
  });

  it("[problem.last-owner-key] the last Owner key cannot be deleted", async () => {
    const owner = world.as(world.keys.owner.key);
    const answer = await owner("DELETE", `/api/keys/${world.keys.owner.id}`);
    assertProblem(answer, 409, "last-owner-key");
    assert.strictEqual((await owner("GET", "/api/session")).status, 200);
  });
});

describe("412 to 422", () => {
  it("[problem.precondition-failed] the problem has the current version", async () => {
    const { id } = await world.issue();
    const answer = await world.call("PUT", issues(id), {
      body: { title: "New" },
      headers: { "if-match": '"7"' },
    });
    assertProblem(answer, 412, "precondition-failed", { version: 1, names: null });
  });

  it("[problem.payload-too-large] the problem has the limit", async () => {
    const answer = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "x", description: "y".repeat(1024 * 1024) },
    });
    assertProblem(answer, 413, "payload-too-large", { limitBytes: 1024 * 1024 });
  });

  it("[problem.unsupported-media-type] another or a missing media type is refused", async () => {
    for (const type of ["text/plain", "application/xml", "multipart/form-data; boundary=x"]) {
      const answer = await world.call("POST", "/api/projects/p1/issues", {
        raw: JSON.stringify({ title: "x" }),
        headers: { "content-type": type },
      });
      assertProblem(answer, 415, "unsupported-media-type");
    }
    const json = await world.call("POST", issues("iss_1", "/attachments"), { body: {} });
    assertProblem(json, 415, "unsupported-media-type");
    const none = await world.call("POST", "/api/projects/p1/issues", {
      raw: new TextEncoder().encode('{"title":"x"}'),
    });
    assertProblem(none, 415, "unsupported-media-type");
  });

  it("[problem.unknown-reference] the problem names the field", async () => {
    const answer = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "x", blockedByIssueId: "iss_none" },
    });
    assertProblem(answer, 422, "unknown-reference", { field: "blockedByIssueId", id: "iss_none" });
  });

  it("[problem.self-link] [problem.limit-exceeded] a link to itself and a link beyond the limit are refused", async () => {
    const [a, b, c, d] = await Promise.all([0, 1, 2, 3].map(() => world.issue()));
    assertProblem(await link(a!.id, "Blocks", a!.id), 422, "self-link");
    await link(a!.id, "RelatedTo", b!.id);
    await link(a!.id, "RelatedTo", c!.id);
    assertProblem(await link(a!.id, "RelatedTo", d!.id), 422, "limit-exceeded", { limit: 2 });
  });
});

describe("500", () => {
  it("[problem.internal] only the log has the cause of a 500, under the request id", async () => {
    const answer = await world.as(undefined)("GET", "/test/defect", {
      headers: { "x-request-id": "defect-1" },
    });
    assertProblem(answer, 500, "internal");
    assert.notMatch(answer.text, /secret|path|Error|at /);
    assert.include(logged.join("\n"), "secret cause");
    assert.include(logged.join("\n"), "defect-1");
  });

  it("[problem.everywhere] an error without a body becomes a problem", async () => {
    assertProblem(await world.as(undefined)("GET", "/test/bare"), 418, "invalid-request", {
      errors: Array,
    });
  });
});
