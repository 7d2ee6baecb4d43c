import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertInvalid, assertProblem, assertShape } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const path = (id: string, rest = "") => `/api/projects/issues/${id}${rest}`;
const read = async (id: string) => (await world.call("GET", path(id))).body;

/** Sends a bulk change. A text as an item is an issue's id. */
const bulk = (
  items: ReadonlyArray<string | { readonly issueId: string; readonly version?: number }>,
  change: Record<string, unknown>,
  rest: Record<string, unknown> = {},
) =>
  world.call("POST", path("bulk"), {
    body: {
      items: items.map((item) => (typeof item === "string" ? { issueId: item } : item)),
      change,
      ...rest,
    },
  });

const ids = async (count: number, body: Record<string, unknown> = {}) =>
  Promise.all(Array.from({ length: count }, async () => (await world.issue(body)).id));

describe("bulk changes", () => {
  it("[bulk.each] each issue is changed or refused as by a request of its own", async () => {
    const [first = "", second = "", third = ""] = await ids(3);
    await world.call("PUT", path(second), { body: { title: "Changed in between" } });
    const foreign = await world.issue({}, "other");
    const alone = [
      await world.call("PUT", path(second), {
        body: { priority: "high" },
        headers: { "if-match": '"1"' },
      }),
      await world.call("PUT", path("iss_none"), { body: { priority: "high" } }),
    ];
    const answer = await bulk(
      [
        { issueId: first, version: 1 },
        { issueId: second, version: 1 },
        "iss_none",
        { issueId: third },
        foreign.id,
      ],
      { priority: "high", labels: ["b", "a"] },
    );
    assert.strictEqual(answer.status, 200);
    assertShape(answer.body, [
      { issueId: first, status: 200 },
      { issueId: second, status: 412, problem: alone[0]?.body },
      { issueId: "iss_none", status: 404, problem: alone[1]?.body },
      { issueId: third, status: 200 },
      { issueId: foreign.id, status: 200 },
    ]);
    assertFields(await read(first), { priority: "high", labels: ["a", "b"], version: 2 });
    assertFields(await read(second), { priority: "normal", labels: [], version: 2 });
    assertFields(await read(foreign.id), { priority: "high", projectId: "other" });
  });

  it("[bulk.each] an outcome has the id of the issue, and the key with which the request named it", async () => {
    const { id, key } = await world.issue();
    const other = await world.issue();
    const typed = String(key).toLowerCase();
    const answer = await bulk(
      [{ issueId: typed, version: 7 }, typed, other.id, "NONE-1"],
      { action: "delete" },
      { confirm: true },
    );
    assertFields(answer.body, [
      { issueId: id, issueKey: typed, status: 412 },
      { issueId: id, issueKey: typed, status: 204 },
      { issueId: other.id, status: 204 },
      { issueId: "NONE-1", issueKey: "NONE-1", status: 404 },
    ]);
    assert.notProperty(answer.body[2], "issueKey");
  });

  it("[bulk.each] issues that the caller may not see are 404 and stay as they are", async () => {
    const { id } = await world.issue();
    const { key } = await world.key({ role: "Editor", projects: ["elsewhere"] });
    const answer = await world.as(key)("POST", path("bulk"), {
      body: { items: [{ issueId: id }], change: { title: "Mine" } },
    });
    assertFields(answer.body, [{ issueId: id, status: 404 }]);
    assertFields(await read(id), { title: "Mend the roof", version: 1 });
  });

  it("[bulk.actions] pause, resume, close and delete do what their requests do", async () => {
    const running = await world.running("agent-bulk");
    const [idle = ""] = await ids(1);
    const items = [running.issueId, idle];
    assertShape((await bulk(items, { action: "pause" })).body, [
      { issueId: running.issueId, status: 204 },
      {
        issueId: idle,
        status: 409,
        problem: {
          type: "urn:quartermaster:problem:not-executing",
          title: String,
          status: 409,
          detail: String,
          issueStatus: "Open",
        },
      },
    ]);
    assertFields(await read(running.issueId), { status: "Open", paused: true });
    assertFields((await bulk(items, { action: "resume" })).body, [
      { status: 204 },
      { status: 409, problem: { type: "urn:quartermaster:problem:not-paused" } },
    ]);
    assertFields(await read(running.issueId), { status: "InProgress", paused: false });

    const dependent = await world.issue({ blockedByIssueId: idle });
    assertFields((await bulk([idle], { action: "close" })).body, [
      { status: 409, problem: { dependents: [dependent.id] } },
    ]);
    assertFields((await bulk([idle], { action: "close" }, { force: true })).body, [
      { issueId: idle, status: 204 },
    ]);
    assertFields(await read(idle), { status: "Closed" });
    assertFields(await read(dependent.id), { status: "Open" });

    assertProblem(await bulk(items, { action: "delete" }), 400, "confirmation-required");
    assertFields(await read(idle), { status: "Closed" });
    assertFields((await bulk(items, { action: "delete" }, { confirm: true })).body, [
      { status: 204 },
      { status: 204 },
    ]);
    assert.strictEqual((await world.call("GET", path(idle))).status, 404);
  });

  it("[bulk.actions] a review is approved, or its changes are requested", async () => {
    const [first = "", second = ""] = await ids(2, { blockedByIssueId: null });
    await bulk([first, second], { status: "PendingReview" });
    assertFields((await bulk([first], { review: "approve" })).body, [{ status: 200 }]);
    assertFields((await bulk([second], { review: "changes" })).body, [{ status: 200 }]);
    assertFields(await read(first), { status: "Resolved" });
    assertFields(await read(second), { status: "Open" });
  });

  it("[bulk.order] issues are changed in the order of the request", async () => {
    const blocker = await world.issue();
    const dependent = await world.issue({ blockedByIssueId: blocker.id });
    const close = async (...items: ReadonlyArray<string>) =>
      (await bulk(items, { action: "close" })).body.map(
        ({ status }: { readonly status: number }) => status,
      );
    assert.deepStrictEqual(await close(blocker.id, blocker.id), [409, 409]);
    assert.deepStrictEqual(await close(dependent.id, blocker.id), [204, 204]);
  });

  it("[bulk.each] a request for a run that has ended changes no issue", async () => {
    const { issueId, runId } = await world.running("agent-bulk");
    await world.call("POST", `/api/agents/agent-bulk/runs/${runId}/finish`, {
      body: { outcome: "released" },
    });
    const { version } = await read(issueId);
    const answer = await world.call("POST", path("bulk"), {
      body: { items: [{ issueId }], change: { title: "Late" } },
      headers: { "quartermaster-run": runId },
    });
    assertFields(answer.body, [{ status: 409, problem: { runId } }]);
    assert.strictEqual((await read(issueId)).version, version);
  });

  it("[bulk.invalid] an invalid request changes nothing", async () => {
    const [id = ""] = await ids(1);
    const before = await read(id);
    assertInvalid(await bulk([], { title: "x" }), "items");
    assertInvalid(await bulk(Array<string>(201).fill(id), { title: "x" }), "items");
    assertInvalid(await bulk([id], { title: "" }), "change.title");
    assertInvalid(await bulk([id], { colour: "red" }), "change.colour");
    assertInvalid(await bulk([id], { action: "resolve" }), "change.action");
    assertInvalid(await bulk([id], { action: "close", title: "x" }), "change");
    assertInvalid(await bulk([id], { action: "close", review: "approve" }), "change");
    assertInvalid(await bulk([id], { title: "x" }, { dryRun: true }), "dryRun");
    const keyed = await world.call("POST", path("bulk"), {
      body: { items: [{ issueId: id }], change: { title: "x" } },
      headers: { "idempotency-key": "bulk" },
    });
    assertInvalid(keyed, "idempotency-key");
    assert.deepStrictEqual(await read(id), before);
  });

  it("[bulk.people] an agent's key is refused", async () => {
    const [id = ""] = await ids(1);
    const { key } = await world.key({ role: "Editor", agentId: "agent-bulk" });
    const answer = await world.as(key)("POST", path("bulk"), {
      body: { items: [{ issueId: id }], change: { title: "x" } },
    });
    assertProblem(answer, 403, "forbidden", { requiredRole: null });
    assertFields(await read(id), { version: 1 });
  });
});
