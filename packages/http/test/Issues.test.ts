import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as World from "./support/World.ts";
import { expectProblem } from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const fields =
  "id projectId title description status priority assignedAgentId assigneeUserId goalId paused links version createdBy createdAt updatedAt startedAt resolvedAt closedAt".split(
    " ",
  );
const path = (id: string, rest = "") => `/api/projects/issues/${id}${rest}`;

describe("issues", () => {
  it("[issues.create.201] a creation returns the issue, its URL and its version", async () => {
    const made = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "  Mend the roof ", goalId: null },
    });
    expect(made.status).toBe(201);
    expect(Object.keys(made.body)).toEqual(fields);
    expect(made.body).toMatchObject({
      title: "Mend the roof",
      status: "Open",
      priority: "normal",
      version: 1,
    });
    expect(made.headers.get("location")).toBe(path(made.body.id));
    expect(made.headers.get("etag")).toBe('"1"');
    expect(made.headers.get("content-type")).toBe("application/json");
    const got = await world.call("GET", made.headers.get("location")!);
    expect(got.text).toBe(made.text);
    expect(got.headers.get("etag")).toBe('"1"');
  });

  it("[issues.get.200] an issue is read by its id, without its project", async () => {
    const [one, other] = [await world.issue({}, "p-one"), await world.issue({}, "p-other")];
    for (const issue of [one, other]) {
      const got = await world.call("GET", path(issue.id));
      expect([got.status, got.body]).toEqual([200, issue]);
    }
    expect(other["projectId"]).toBe("p-other");
    expect((await world.call("GET", path(`${one.id}x`))).status).toBe(404);
  });

  it("[issues.list.200] the list is an array of one project's issues, newest first", async () => {
    const list = () => world.call("GET", "/api/projects/listed/issues");
    const empty = await list();
    expect([empty.status, empty.body, empty.headers.get("content-type")]).toEqual([
      200,
      [],
      "application/json",
    ]);
    const made = [await world.issue({}, "listed"), await world.issue({ goalId: "g" }, "listed")];
    await world.issue({}, "elsewhere");
    expect((await list()).body).toEqual(made.toReversed());
  });

  it("[issues.status.values] a status is one of six words; any other is refused, and changes nothing", async () => {
    const { id } = await world.issue();
    for (const status of ["InProgress", "PendingReview", "Resolved", "Closed", "Open"]) {
      const put = await world.call("PUT", path(id), { body: { status } });
      expect([put.status, put.body.status]).toEqual([200, status]);
    }
    const waiting = await world.issue({ blockedByIssueId: id });
    expect(waiting["status"]).toBe("WaitingOnDependency");
    const before = (await world.call("GET", path(id))).text;
    for (const status of ["open", "Cancelled", "In Progress", "", 1]) {
      const put = await world.call("PUT", path(id), { body: { title: "Other", status } });
      expectProblem(put, 400, "invalid-request", {
        errors: [{ path: "status", message: expect.any(String) }],
      });
      const list = await world.call("GET", `/api/projects/p1/issues?status=${String(status)}`);
      expect(list.status, `?status=${status}`).toBe(400);
    }
    expect((await world.call("GET", path(id))).text).toBe(before);
  });

  it("[issues.update.200] an update changes the given fields and returns the new version", async () => {
    const { id } = await world.issue({ description: "Old", goalId: "g1" });
    const put = await world.call("PUT", path(id), { body: { title: "New", goalId: null } });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ title: "New", goalId: null, description: "Old", version: 2 });
    expect(put.headers.get("etag")).toBe('"2"');
    expect((await world.call("PUT", path(id), { body: {} })).body.version).toBe(2);
  });

  it("[issues.204] close, pause, resume and delete respond with 204", async () => {
    const { issueId } = await world.running("agent-204");
    for (const [method, rest] of [
      ["POST", "/pause"],
      ["POST", "/resume"],
      ["POST", "/close?force=true"],
      ["DELETE", "?confirm=true"],
    ] as const) {
      const answer = await world.call(method, path(issueId, rest));
      expect([answer.status, answer.text, answer.headers.get("content-type")], `${rest}`).toEqual([
        204,
        "",
        null,
      ]);
    }
    expect((await world.call("GET", path(issueId))).status).toBe(404);
  });

  it("[issues.readiness.200] [issues.activity.200] readiness and activity return their objects", async () => {
    const { id } = await world.issue();
    const readiness = await world.call("GET", path(id, "/readiness"));
    expect(readiness.body).toEqual({
      ready: false,
      reasons: [{ code: "unassigned", detail: expect.any(String), data: null }],
    });
    const activity = await world.call("GET", path(id, "/activity"));
    expect(activity.body.map((entry: { readonly kind: string }) => entry.kind)).toEqual([
      "created",
    ]);
    expect(Object.keys(activity.body[0])).toEqual([
      "id",
      "issueId",
      "kind",
      "actor",
      "data",
      "createdAt",
    ]);
  });

  it("[comments.201] [comments.list.200] a comment is created and listed", async () => {
    const { id } = await world.issue();
    const body = { content: "Hello", authorType: "User" };
    const made = await world.call("POST", path(id, "/comments"), { body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...body, issueId: id });
    expect((await world.call("GET", path(id, "/comments"))).body).toEqual([made.body]);
    for (const authorType of ["System", "Agent", "user"]) {
      const answer = await world.call("POST", path(id, "/comments"), {
        body: { ...body, authorType },
      });
      expectProblem(answer, 400, "invalid-request", { errors: expect.any(Array) });
    }
  });

  it("[links.201] [links.list.200] [links.delete.204] a link is seen from each end", async () => {
    const [a, b] = [await world.issue(), await world.issue()];
    const made = await world.call("POST", path(a.id, "/links"), {
      body: { targetIssueId: b.id, linkType: "BlockedBy" },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      issueId: a.id,
      linkType: "BlockedBy",
      direction: "incoming",
    });
    expect((await world.call("GET", path(a.id))).body.status).toBe("WaitingOnDependency");
    const seen = await world.call("GET", path(b.id, "/links"));
    expect(seen.body).toEqual([
      {
        ...made.body,
        issueId: b.id,
        targetIssueId: a.id,
        linkType: "Blocks",
        direction: "outgoing",
      },
    ]);
    expect((await world.call("DELETE", `/api/projects/links/${made.body.id}`)).status).toBe(204);
    expect((await world.call("GET", path(a.id))).body).toMatchObject({ status: "Open", links: [] });
  });
});

describe("If-Match", () => {
  it("[if-match.routes] If-Match accepts *, one version or a list on all five routes", async () => {
    const { issueId } = await world.running("agent-match");
    const at = async () => (await world.call("GET", path(issueId))).body.version as number;
    for (const [method, rest, body] of [
      ["PUT", "", { title: "Again" }],
      ["POST", "/pause", undefined],
      ["POST", "/resume", undefined],
      ["POST", "/close", undefined],
      ["DELETE", "?confirm=true", undefined],
    ] as const) {
      const version = await at();
      const before = (await world.call("GET", path(issueId))).text;
      for (const bad of ["3", '"a"', 'W/"3"', "", '"1" "2"', '*, "1"']) {
        const answer = await world.call(method, path(issueId, rest), {
          body,
          headers: { "if-match": bad },
        });
        expectProblem(answer, 400, "invalid-request", {
          errors: [{ path: "if-match", message: expect.any(String) }],
        });
      }
      const wrong = await world.call(method, path(issueId, rest), {
        body,
        headers: { "if-match": `"${version + 1}", "999"` },
      });
      expectProblem(wrong, 412, "precondition-failed", { version });
      expect((await world.call("GET", path(issueId))).text).toBe(before);
      const right = await world.call(method, path(issueId, rest), {
        body,
        headers: { "if-match": method === "PUT" ? "*" : `"0", "${version}"` },
      });
      expect([200, 204], `${method} ${rest}`).toContain(right.status);
    }
    const gone = await world.call("PUT", path(issueId), {
      body: {},
      headers: { "if-match": '"1"' },
    });
    expect(gone.status).toBe(404);
  });

  it("[if-match.elsewhere] other routes ignore If-Match", async () => {
    const { id } = await world.issue();
    const headers = { "if-match": "nonsense" };
    expect((await world.call("GET", path(id), { headers })).status).toBe(200);
  });
});
