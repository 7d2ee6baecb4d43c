import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertInvalid } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const stats = (query = "", key = world.keys.viewer.key) =>
  world.as(key)("GET", `/api/stats${query}`);

const zeros = { started: 0, resolved: 0, review: 0, released: 0, failed: 0, expired: 0 };
const none = { median: null, p90: null };

describe("statistics", () => {
  it("[stats.http] GET /api/stats responds with the numbers of a window, by default 24 hours", async () => {
    await world.issue({}, "first");
    const { id } = await world.issue({}, "second");
    await world.call("PUT", `/api/projects/issues/${id}`, { body: { status: "PendingReview" } });
    const counts = {
      Open: 1,
      InProgress: 0,
      WaitingOnDependency: 0,
      PendingReview: 1,
      Resolved: 0,
      Closed: 0,
    };
    const answer = await stats();
    assert.strictEqual(answer.status, 200, answer.text);
    assertFields(answer.body, {
      window: "24h",
      from: /:00:00\.000Z$/,
      to: /:00:00\.000Z$/,
      asOf: /Z$/,
      bucket: "hour",
      issues: counts,
      series: Array,
      timeInStatus: {
        Open: { median: Number, p90: Number },
        InProgress: none,
        WaitingOnDependency: none,
        PendingReview: { median: Number, p90: Number },
        Resolved: none,
        Closed: none,
      },
      runs: zeros,
      previous: { created: 0, resolved: 0, closed: 0, runs: zeros },
      agents: { active: Number, silent: Number },
      servers: null,
    });
    assert.lengthOf(answer.body.series, 24);
    assert.deepStrictEqual(answer.body.series[0], {
      at: answer.body.from,
      created: 0,
      resolved: 0,
      closed: 0,
      failed: 0,
      expired: 0,
    });
    const month = await stats("?window=30d&projectId=first");
    assert.deepInclude(month.body, { window: "30d", bucket: "day" });
    assert.lengthOf(month.body.series, 30);
    assert.deepStrictEqual(month.body.issues, { ...counts, PendingReview: 0 });
    assert.lengthOf((await stats("?window=7d")).body.series, 168);

    const { key } = await world.key({ role: "Viewer", projects: ["second"] });
    assert.deepStrictEqual((await stats("", key)).body.issues, { ...counts, Open: 0 });
    const hidden = await stats("?projectId=first", key);
    assert.deepStrictEqual(hidden.body.issues, { ...counts, Open: 0, PendingReview: 0 });
    const admin = await stats("", world.keys.admin.key);
    assert.deepStrictEqual(admin.body.servers, []);
    assert.isNull((await stats("?projectId=first", world.keys.admin.key)).body.servers);
  });

  it("[stats.by-agent.http] GET /api/stats/agents lists the registered agents with their numbers", async () => {
    for (const agent of ["one", "two"]) {
      await world.call("POST", `/api/agents/${agent}/heartbeat`, { body: {} });
    }
    const viewer = world.as(world.keys.viewer.key);
    const answer = await viewer("GET", "/api/stats/agents?window=7d&limit=1");
    assert.strictEqual(answer.status, 200, answer.text);
    const numbers = { ...zeros, accepted: 0, returned: 0, median: null };
    assert.deepStrictEqual(answer.body, [{ agentId: "two", current: numbers, previous: numbers }]);
    const [, next] = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "") ?? [];
    assert.isDefined(next);
    const rest = await viewer("GET", String(next));
    assert.strictEqual(rest.body[0]?.agentId, "one");
    assertInvalid(await viewer("GET", "/api/stats/agents?window=1h"), "window");
  });

  it("[stats.invalid] an unknown window and a repeated parameter are a 400", async () => {
    for (const window of ["", "1h", "24H", "24h,7d"]) {
      assertInvalid(await stats(`?window=${window}`), "window");
    }
    assertInvalid(await stats("?window=24h&window=7d"), "window");
    assertInvalid(await stats("?projectId=a&projectId=b"), "projectId");
    assertInvalid(await stats("?projectId=.."), "projectId");
    assertInvalid(await stats("?project=first"), "project");
  });
});
