import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertInvalid } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const inbox = (query = "", key = world.keys.viewer.key) =>
  world.as(key)("GET", `/api/inbox${query}`);

describe("the inbox", () => {
  it("[inbox.http] GET /api/inbox lists the items, filtered by repeatable projectId and a list of kinds", async () => {
    const ids: Array<string> = [];
    for (const project of ["first", "second", "third"]) {
      const { id } = await world.issue({ priority: "high" }, project);
      await world.call("POST", `/api/projects/issues/${id}/questions`, {
        body: { prompt: "Which slates?" },
      });
      await world.call("PUT", `/api/projects/issues/${id}`, { body: { status: "PendingReview" } });
      ids.push(id);
    }
    const listed = async (query: string, key?: string) => {
      const answer = await inbox(query, key);
      assert.strictEqual(answer.status, 200, answer.text);
      return answer.body as ReadonlyArray<{ readonly kind: string; readonly issueId: string }>;
    };
    assert.lengthOf(await listed(""), 6);
    const [item] = await listed("?projectId=first&kind=review");
    assertFields(item, {
      kind: "review",
      since: /^\d{4}-/,
      priority: "high",
      projectId: "first",
      issueId: ids[0],
      questionId: null,
      serverId: null,
      agentId: null,
      title: "Mend the roof",
      detail: String,
    });
    const both = await listed("?projectId=first&projectId=third&kind=review,question");
    assert.sameMembers(
      both.map(({ issueId, kind }) => `${kind} ${issueId}`),
      [ids[0], ids[2]].flatMap((id) => [`review ${id}`, `question ${id}`]),
    );
    const { key } = await world.key({ role: "Viewer", projects: ["second"] });
    assert.lengthOf(await listed("", key), 2);
    assert.deepStrictEqual(await listed("?projectId=first", key), []);
    assert.deepStrictEqual(await listed("?projectId=unknown"), []);
  });

  it("[inbox.groups.http] view=groups lists groups in pages", async () => {
    for (const title of ["a", "b"]) {
      const { id } = await world.issue({ title }, "grouped");
      await world.call("PUT", `/api/projects/issues/${id}`, { body: { status: "PendingReview" } });
    }
    const first = await inbox("?projectId=grouped&view=groups&limit=1");
    assertFields(first.body, [
      {
        group: /^[\w-]{43}$/,
        kind: "review",
        count: 1,
        line: null,
        items: [{ title: "a", blocks: 0 }],
      },
    ]);
    const [, next = ""] = first.headers.get("link")?.match(/^<([^>]+)>; rel="next"$/) ?? [];
    const second = await world.as(world.keys.viewer.key)("GET", next);
    assertFields(second.body, [{ items: [{ title: "b" }] }]);
    assertInvalid(await inbox("?view=lists"), "view");
  });

  it("[inbox.snooze.http] POST /api/inbox/snooze hides up to 1,000 items from the caller, and from no other", async () => {
    const { id } = await world.issue({}, "snoozed");
    const put = await world.call("PUT", `/api/projects/issues/${id}`, {
      body: { status: "PendingReview" },
    });
    const send = (body: unknown, call = world.call) => call("POST", "/api/inbox/snooze", { body });
    const listed = async (key: string, rest = "") =>
      (await inbox(`?projectId=snoozed${rest}`, key)).body.length;
    const until = new Date(Date.parse(put.body.updatedAt) + 3_600_000).toISOString();
    const items = [{ kind: "review", id }];
    const answer = await send({ items, until });
    assert.deepStrictEqual([answer.status, answer.text], [204, ""]);
    assert.strictEqual(await listed(world.keys.editor.key), 0);
    assert.strictEqual(await listed(world.keys.admin.key), 1);
    assert.strictEqual((await send({ items, until: null })).status, 204);
    assert.strictEqual(await listed(world.keys.editor.key), 1);
    assert.strictEqual(await listed(world.keys.editor.key, "&mine=true"), 0);
    await world.call("PUT", `/api/projects/issues/${id}`, {
      body: { assigneeUserId: world.keys.editor.id },
    });
    assertInvalid(await send({ items: [], until }), "items");
    assertInvalid(await send({ items: Array(1_001).fill(items[0]), until }), "items");
    assertInvalid(await send({ items: [{ kind: "other", id }], until }), "items.0.kind");
    assertInvalid(await send({ items, until: "soon" }), "until");
    assertInvalid(await send({ items }), "until");
    assertInvalid(await send({ items, until: "2020-01-01T00:00:00.000Z" }), "until");
    assertInvalid(await inbox("?mine=yes"), "mine");
  });

  it("[inbox.mentioned.http] DELETE /api/inbox/mentions/{issueId} removes the caller's mention, by id or key", async () => {
    const { id, key } = await world.issue({ title: "Slates" }, "mentions");
    const ada = await world.key({ role: "Viewer", userId: "ada" });
    const eve = await world.key({ role: "Viewer", userId: "eve" });
    const outside = await world.key({ role: "Viewer", userId: "ada", projects: ["first"] });
    const comments = `/api/projects/issues/${id}/comments`;
    const { body: comment } = await world.call("POST", comments, {
      body: { content: "@ada and @eve: which slates?" },
    });
    const listed = (of: { readonly key: string }) => inbox("?kind=mentioned", of.key);
    assertFields((await listed(ada)).body, [
      { kind: "mentioned", issueId: id, commentId: comment.id, detail: comment.content },
    ]);
    assert.lengthOf((await listed(eve)).body, 1);
    assert.deepStrictEqual((await listed(outside)).body, []);
    assert.deepStrictEqual((await listed(world.keys.viewer)).body, []);
    const dismiss = (of: { readonly key: string }, issue: string) =>
      world.as(of.key)("DELETE", `/api/inbox/mentions/${issue}`);
    assert.strictEqual((await dismiss(outside, id)).status, 404);
    assert.strictEqual((await dismiss(ada, "iss_unknown")).status, 404);
    for (const of of [id, String(key)]) assert.strictEqual((await dismiss(ada, of)).status, 204);
    assert.deepStrictEqual((await listed(ada)).body, []);
    assert.lengthOf((await listed(eve)).body, 1);
  });

  it("[inbox.paging] the next link keeps every projectId, and leads through all items", async () => {
    const query = "?projectId=first&projectId=second&kind=question,review";
    const all = (await inbox(query)).body;
    const paged: Array<unknown> = [];
    let next: string | undefined = `/api/inbox${query}&limit=3`;
    while (next !== undefined) {
      const answer = await world.as(world.keys.viewer.key)("GET", next);
      paged.push(...answer.body);
      next = /^<([^>]+)>/.exec(answer.headers.get("link") ?? "")?.[1];
    }
    assert.lengthOf(paged, 4);
    assert.deepStrictEqual(paged, all);
    assert.deepStrictEqual((await inbox(`${query}&order=desc`)).body, all.toReversed());
  });

  it("[inbox.invalid] an unknown kind and a repeated parameter other than projectId are a 400", async () => {
    for (const kind of ["unknown", "", "review,", "review,unknown", "Review"]) {
      assertInvalid(await inbox(`?kind=${kind}`), "kind");
    }
    assertInvalid(await inbox("?kind=review&kind=question"), "kind");
    assertInvalid(await inbox("?limit=1&limit=2"), "limit");
    assertInvalid(await inbox("?projectId=.."), "projectId.0");
    assertInvalid(await inbox("?project=first"), "project");
    assertInvalid(await inbox("?cursor=x"), "cursor");
  });
});
