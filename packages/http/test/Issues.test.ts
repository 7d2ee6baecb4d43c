import { setTimeout } from "node:timers/promises";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertInvalid, assertProblem, assertShape } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const fields =
  "id key projectId title description status priority assignedAgentId assigneeUserId goalId paused pausedBecause attempts notBefore labels metadata externalRef links version createdBy createdAt updatedAt startedAt resolvedAt closedAt".split(
    " ",
  );
const path = (id: string, rest = "") => `/api/projects/issues/${id}${rest}`;

describe("issues", () => {
  it("[issues.create.201] a creation returns the issue, its URL and its version", async () => {
    const made = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "  Mend the roof ", goalId: null },
    });
    assert.strictEqual(made.status, 201);
    assert.deepStrictEqual(Object.keys(made.body), [...fields, "created", "warnings"]);
    assertFields(made.body, {
      title: "Mend the roof",
      status: "Open",
      priority: "normal",
      version: 1,
    });
    assert.strictEqual(made.headers.get("location"), path(made.body.id));
    assert.strictEqual(made.headers.get("etag"), '"1"');
    assert.strictEqual(made.headers.get("content-type"), "application/json");
    const got = await world.call("GET", made.headers.get("location")!);
    const { created: _, warnings: __, ...issue } = made.body;
    assert.deepStrictEqual(got.body, issue);
    assert.strictEqual(got.headers.get("etag"), '"1"');
  });

  it("[issues.get.200] an issue is read by its id, without its project", async () => {
    const [one, other] = [await world.issue({}, "p-one"), await world.issue({}, "p-other")];
    for (const issue of [one, other]) {
      const got = await world.call("GET", path(issue.id));
      assert.deepStrictEqual([got.status, got.body], [200, issue]);
    }
    assert.strictEqual(other["projectId"], "p-other");
    assert.strictEqual((await world.call("GET", path(`${one.id}x`))).status, 404);
  });

  it("[issues.brief.http] view=brief lists brief issues, and another view is a 400", async () => {
    const { id } = await world.issue({ description: "All of it" }, "views");
    await world.issue({ blockedByIssueId: id }, "views");
    const list = (query: string) =>
      world.call("GET", `/api/projects/views/issues?order=asc&limit=1${query}`);
    const full = await list("&view=full");
    assert.deepStrictEqual(full.body, (await list("")).body);
    const [{ description: _, links: __, metadata: ___, ...rest }] = full.body;
    const brief = await list("&view=brief");
    const counts = { blockedByCount: 0, blocksCount: 1, openQuestions: 0, liveRun: null };
    assert.deepStrictEqual(brief.body, [{ ...rest, ...counts }]);
    assert.include(brief.headers.get("link"), "view=brief");
    assertInvalid(await list("&view=long"), "view");
  });

  it("[issues.across.http] GET /api/projects/issues lists issues of several projects, even of one named like a path", async () => {
    const first = await world.issue({}, "across-1");
    const second = await world.issue({}, "across-2");
    const list = async (query: string) => {
      const answer = await world.call("GET", `/api/projects/issues${query}`);
      assert.strictEqual(answer.status, 200, answer.text);
      return (answer.body as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id);
    };
    const both = "?projectId=across-1&projectId=across-2";
    assert.deepStrictEqual(await list(both), [second.id, first.id]);
    assert.deepStrictEqual(await list(`${both}&order=asc&view=brief`), [first.id, second.id]);
    assert.deepStrictEqual(await list("?projectId=questions"), []);
    assert.include(await list(""), first.id);
    assertInvalid(await world.call("GET", "/api/projects/issues?status=None"), "status");
    const page = await world.call("GET", `/api/projects/issues${both}&limit=1`);
    assert.include(page.headers.get("link"), "projectId=across-1&projectId=across-2");
  });

  it("[issues.list.http] every filter and order is a query parameter, and another value is a 400", async () => {
    const a = await world.issue({ labels: ["bug", "a,b"], externalRef: "x/1" }, "filters");
    await setTimeout(2);
    const b = await world.issue({ labels: ["bug"], priority: "urgent" }, "filters");
    // Times have milliseconds: the update is later than the creation.
    await setTimeout(2);
    await world.call("PUT", `/api/projects/issues/${a.id}`, { body: { status: "PendingReview" } });
    const call = (query: string, route = "filters/issues?") =>
      world.call("GET", `/api/projects/${route}${query}`);
    const list = async (query: string, route?: string) => {
      const answer = await call(query, route);
      assert.strictEqual(answer.status, 200, answer.text);
      return (answer.body as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id);
    };
    const lists: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["status=Open,PendingReview", [b.id, a.id]],
      ["status=PendingReview", [a.id]],
      ["label=bug", [b.id, a.id]],
      ["label=bug&label=a%5C%2Cb", [a.id]],
      ["label=none,bug", [b.id, a.id]],
      ["priority=high,urgent", [b.id]],
      ["not.priority=high,urgent", [a.id]],
      ["not.status=Open&has=failure,files", []],
      ["not.has=question", [b.id, a.id]],
      ["not.label=a%5C%2Cb,x&not.assigneeId=x&not.goalId=y", [b.id]],
      [`updatedBefore=${b["updatedAt"]}`, []],
      [`createdAfter=${a["createdAt"]}&updatedSince=${a["createdAt"]}`, [b.id]],
      ["silentAgent=true", []],
      ["silentAgent=false&assigneeId=x,y", []],
      ["externalRef=x%2F1", [a.id]],
      ["paused=true", []],
      ["paused=false&sort=created&order=asc", [a.id, b.id]],
      ["ready=true", []],
      ["ready=false&sort=updated", [a.id, b.id]],
      ["sort=priority", [b.id, a.id]],
      ["sort=priority&order=asc&view=brief", [a.id, b.id]],
    ];
    for (const [query, expected] of lists) {
      assert.deepStrictEqual<ReadonlyArray<string>>(await list(query), expected, query);
      const across = await list(query, "issues?projectId=filters&");
      assert.deepStrictEqual<ReadonlyArray<string>>(across, expected, query);
    }
    const page = await call("label=bug&label=bug&sort=priority&limit=1");
    const next = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    const rest = await world.call("GET", next);
    assert.deepStrictEqual([rest.body[0].id, rest.body.length], [a.id, 1]);
    for (const [query, name] of [
      ["status=Open,", "status"],
      ["status=Open&status=Closed", "status"],
      ["label=", "label.0"],
      ["priority=high,top", "priority"],
      ["has=comments", "has"],
      ["not.has=", "not.has"],
      ["assigneeId=a,,b", "assigneeId"],
      ["goalId=a%20b", "goalId"],
      ["createdAfter=today", "createdAfter"],
      ["silentAgent=1", "silentAgent"],
      ["not.paused=true", "not.paused"],
      ["paused=yes", "paused"],
      ["ready=1", "ready"],
      ["sort=title", "sort"],
      ["externalRef=", "externalRef"],
      ["sort=priority&cursor=MS4y", "cursor"],
    ] as const) {
      assertInvalid(await call(query), name);
    }
  });

  it("[issues.list.200] the list is an array of one project's issues, newest first", async () => {
    const list = () => world.call("GET", "/api/projects/listed/issues");
    const empty = await list();
    assert.deepStrictEqual(
      [empty.status, empty.body, empty.headers.get("content-type")],
      [200, [], "application/json"],
    );
    const made = [await world.issue({}, "listed"), await world.issue({ goalId: "g" }, "listed")];
    await world.issue({}, "elsewhere");
    assert.deepStrictEqual((await list()).body, made.toReversed());
  });

  it("[issues.status.values] a status is one of six words; any other is refused, and changes nothing", async () => {
    const { id } = await world.issue();
    for (const status of ["InProgress", "PendingReview", "Resolved", "Closed", "Open"]) {
      const put = await world.call("PUT", path(id), { body: { status } });
      assert.deepStrictEqual([put.status, put.body.status], [200, status]);
    }
    const waiting = await world.issue({ blockedByIssueId: id });
    assert.strictEqual(waiting["status"], "WaitingOnDependency");
    const before = (await world.call("GET", path(id))).text;
    for (const status of ["open", "Cancelled", "In Progress", "", 1]) {
      const put = await world.call("PUT", path(id), { body: { title: "Other", status } });
      assertInvalid(put, "status");
      const list = await world.call("GET", `/api/projects/p1/issues?status=${String(status)}`);
      assert.strictEqual(list.status, 400, `?status=${status}`);
    }
    assert.strictEqual((await world.call("GET", path(id))).text, before);
  });

  it("[issues.update.200] an update changes the given fields and returns the new version", async () => {
    const { id } = await world.issue({ description: "Old", goalId: "g1" });
    const put = await world.call("PUT", path(id), { body: { title: "New", goalId: null } });
    assert.strictEqual(put.status, 200);
    assertFields(put.body, { title: "New", goalId: null, description: "Old", version: 2 });
    assert.strictEqual(put.headers.get("etag"), '"2"');
    assert.strictEqual((await world.call("PUT", path(id), { body: {} })).body.version, 2);
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
      assert.deepStrictEqual(
        [answer.status, answer.text, answer.headers.get("content-type")],
        [204, "", null],
        rest,
      );
    }
    assert.strictEqual((await world.call("GET", path(issueId))).status, 404);
  });

  it("[issues.readiness.200] [issues.activity.200] readiness and activity return their objects", async () => {
    const { id } = await world.issue();
    const readiness = await world.call("GET", path(id, "/readiness"));
    assertShape(readiness.body, {
      ready: false,
      reasons: [{ code: "unassigned", detail: String, data: null }],
    });
    const activity = await world.call("GET", path(id, "/activity"));
    assert.deepStrictEqual(
      activity.body.map((entry: { readonly kind: string }) => entry.kind),
      ["created"],
    );
    assert.deepStrictEqual(Object.keys(activity.body[0]), [
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
    assert.strictEqual(made.status, 201);
    assertFields(made.body, { ...body, issueId: id });
    assert.deepStrictEqual((await world.call("GET", path(id, "/comments"))).body, [made.body]);
    for (const authorType of ["System", "Agent", "user"]) {
      const answer = await world.call("POST", path(id, "/comments"), {
        body: { ...body, authorType },
      });
      assertProblem(answer, 400, "invalid-request", { errors: Array });
    }
  });

  it("[links.201] [links.list.200] [links.delete.204] a link is seen from each end", async () => {
    const [a, b] = [await world.issue(), await world.issue()];
    const made = await world.call("POST", path(a.id, "/links"), {
      body: { targetIssueId: b.id, linkType: "BlockedBy" },
    });
    assert.strictEqual(made.status, 201);
    assertFields(made.body, {
      issueId: a.id,
      linkType: "BlockedBy",
      direction: "incoming",
    });
    assert.strictEqual((await world.call("GET", path(a.id))).body.status, "WaitingOnDependency");
    const seen = await world.call("GET", path(b.id, "/links"));
    assert.deepStrictEqual(seen.body, [
      {
        ...made.body,
        issueId: b.id,
        targetIssueId: a.id,
        linkType: "Blocks",
        direction: "outgoing",
      },
    ]);
    assert.strictEqual(
      (await world.call("DELETE", `/api/projects/links/${made.body.id}`)).status,
      204,
    );
    assertFields((await world.call("GET", path(a.id))).body, { status: "Open", links: [] });
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
      for (const bad of ["3", '"a"', `"0${version}"`, 'W/"3"', "", '"1" "2"', '*, "1"']) {
        const answer = await world.call(method, path(issueId, rest), {
          body,
          headers: { "if-match": bad },
        });
        assertInvalid(answer, "if-match");
      }
      const wrong = await world.call(method, path(issueId, rest), {
        body,
        headers: { "if-match": `"${version + 1}", "999"` },
      });
      assertProblem(wrong, 412, "precondition-failed", { version, names: null });
      assert.strictEqual((await world.call("GET", path(issueId))).text, before);
      const right = await world.call(method, path(issueId, rest), {
        body,
        headers: { "if-match": method === "PUT" ? "*" : `"0", "${version}"` },
      });
      assert.include([200, 204], right.status, `${method} ${rest}`);
    }
    const gone = await world.call("PUT", path(issueId), {
      body: {},
      headers: { "if-match": '"1"' },
    });
    assert.strictEqual(gone.status, 404);
  });

  it("[if-match.elsewhere] other routes ignore If-Match", async () => {
    const { id } = await world.issue();
    const headers = { "if-match": "nonsense" };
    assert.strictEqual((await world.call("GET", path(id), { headers })).status, 200);
  });
});
