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
