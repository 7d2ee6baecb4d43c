import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertInvalid, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const commented = async () => {
  const { id } = await world.issue();
  const list = `/api/projects/issues/${id}/comments`;
  const made = await world.call("POST", list, { body: { content: "Two slates" } });
  assert.strictEqual(made.status, 201);
  return { list, path: `${list}/${made.body.id}`, comment: made.body };
};

describe("comments", () => {
  it("[comments.http.edit] a PUT returns the comment with its version as ETag, and honors If-Match", async () => {
    const { comment, path } = await commented();
    const edited = await world.call("PUT", path, {
      body: { content: "Three slates" },
      headers: { "if-match": '"1"' },
    });
    assert.deepStrictEqual([edited.status, edited.headers.get("etag")], [200, '"2"']);
    assert.deepStrictEqual(Object.keys(edited.body), Object.keys(comment));
    assertFields(edited.body, { id: comment.id, content: "Three slates", version: 2 });
    const late = await world.call("PUT", path, {
      body: { content: "Four slates" },
      headers: { "if-match": '"1"' },
    });
    assertProblem(late, 412, "precondition-failed", { version: 2, names: null });
    assertInvalid(await world.call("PUT", path, { body: { content: " " } }), "content");
    assertInvalid(
      await world.call("PUT", path, { body: { content: "x", authorType: "User" } }),
      "authorType",
    );
    const { body } = await world.call("GET", `${path}/versions`);
    assert.deepStrictEqual(
      body.map((version: object) => Object.keys(version)),
      [1, 2].map(() => ["version", "content", "editedBy", "editedAt"]),
    );
  });

  it("[comments.change.who] a Viewer edits and deletes the own comments, and no others", async () => {
    const { list, path } = await commented();
    const [before, now] = [
      await world.key({ role: "Editor", userId: "rosa" }),
      await world.key({ role: "Viewer", userId: "rosa" }),
    ];
    const made = await world.as(before.key)("POST", list, { body: { content: "Mine" } });
    const rosa = world.as(now.key);
    const edit = { body: { content: "Still mine" } };
    assert.strictEqual((await rosa("PUT", `${list}/${made.body.id}`, edit)).status, 200);
    assert.strictEqual((await rosa("DELETE", `${list}/${made.body.id}`)).status, 204);
    const refused = { requiredRole: "Editor" };
    assertProblem(await rosa("PUT", path, edit), 403, "forbidden", refused);
    assertProblem(await rosa("DELETE", path), 403, "forbidden", refused);
    const purge = await rosa("DELETE", `${list}/${made.body.id}?purge=true`);
    assertProblem(purge, 403, "forbidden", { requiredRole: "Admin" });
  });

  it("[comments.http.delete] a DELETE is 204, then the comment is fixed; only Admins purge", async () => {
    const { list, path } = await commented();
    const stale = await world.call("DELETE", path, { headers: { "if-match": '"7"' } });
    assertProblem(stale, 412, "precondition-failed", { version: 1, names: null });
    assert.strictEqual((await world.call("DELETE", path)).status, 204);
    assert.strictEqual((await world.call("DELETE", path)).status, 204);
    assertFields((await world.call("GET", list)).body[0], { content: "", version: 2, fixed: true });
    const again = await world.call("PUT", path, { body: { content: "x" } });
    assertProblem(again, 409, "comment-fixed", {});
    const byEditor = await world.as(world.keys.editor.key)("DELETE", `${path}?purge=true`);
    assertProblem(byEditor, 403, "forbidden", { requiredRole: "Admin" });
    assert.strictEqual((await world.call("GET", `${path}/versions`)).body.length, 1);
    const purged = await world.as(world.keys.admin.key)("DELETE", `${path}?purge=true`);
    assert.strictEqual(purged.status, 204);
    assert.deepStrictEqual((await world.call("GET", `${path}/versions`)).body, []);
  });
});
