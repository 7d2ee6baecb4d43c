import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Context } from "effect";
import { HttpApi } from "effect/http-api";
import * as Access from "../src/api/Access.ts";
import { Api } from "../src/api/index.ts";
import { assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

const endpoints: Array<{ readonly method: string; readonly path: string }> = [];
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path }, mergedAnnotations }) => {
    if (Context.get(mergedAnnotations, Access.Required) !== null) endpoints.push({ method, path });
  },
});

let world: World.World;
let call: ReturnType<World.World["as"]>;
let key: string;
beforeAll(async () => {
  world = await World.start();
  const made = await world.as(world.keys.admin.key)("POST", "/api/keys", {
    body: { name: "Prometheus", role: "Metrics", projects: null, agentId: null, userId: null },
  });
  assert.strictEqual(made.status, 201);
  key = made.body.key;
  call = world.as(key);
});
afterAll(() => world.close());

describe("keys with the role Metrics", () => {
  it("[keys.metrics] a Metrics key reads the metrics and is forbidden everywhere else", async () => {
    assert.strictEqual((await call("GET", "/metrics")).status, 200);
    const others = endpoints.filter(({ path }) => path !== "/metrics");
    assert.isAbove(others.length, 50);
    for (const { method, path } of others) {
      const answer = await call(method, path.replaceAll(/:\w+/g, "any"));
      assert.strictEqual(answer.status, 403, `${method} ${path}`);
    }
  });

  it("[keys.metrics.session] a Metrics key starts no session", async () => {
    const answer = await world.as(undefined)("POST", "/api/session", { body: { apiKey: key } });
    assertProblem(answer, 403, "forbidden", { requiredRole: null });
    assert.isNull(answer.headers.get("set-cookie"));
  });

  it("[keys.metrics.create] a Metrics key is created by an Admin, without projects, agent and user", async () => {
    const admin = world.as(world.keys.admin.key);
    for (const field of [{ projects: ["p1"] }, { agentId: "bot" }, { userId: "ada" }]) {
      const answer = await admin("POST", "/api/keys", {
        body: { name: "Prometheus", role: "Metrics", ...field },
      });
      assert.strictEqual(answer.status, 400);
      assert.strictEqual(answer.body.errors[0].path, Object.keys(field)[0]);
    }
    const body = { name: "Prometheus", role: "Metrics" };
    assert.strictEqual((await world.call("POST", "/api/keys", { body })).status, 403);
    const listed = await admin("GET", "/api/keys");
    const own = listed.body.find(({ role }: { readonly role: string }) => role === "Metrics");
    assert.strictEqual(own.projects, null);
    assert.strictEqual((await admin("DELETE", `/api/keys/${own.id}`)).status, 204);
    assert.strictEqual((await call("GET", "/metrics")).status, 401);
  });
});
