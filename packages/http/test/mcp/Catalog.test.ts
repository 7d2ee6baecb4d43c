import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertInvalid, assertProblem, assertShape } from "../support/Assert.ts";
import * as World from "../support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const summary = [
  "id",
  "name",
  "description",
  "category",
  "transport",
  "runtime",
  "verified",
  "source",
  "installInstructions",
];

describe("the catalog", () => {
  it("[mcp.catalog.200] the catalog is listed completely, in the order of its files, without manifests", async () => {
    const { body, headers, status } = await world.admin("GET", "/api/mcp/catalog");
    assert.strictEqual(status, 200);
    assert.strictEqual(body.length, 36 + 5);
    assert.isNull(headers.get("link"));
    for (const entry of body) assert.deepStrictEqual(Object.keys(entry), summary);
    assert.strictEqual(body.at(-5).id, "test-notes");
    assert.isTrue(
      body.every((entry: { verified: unknown }) => typeof entry.verified === "boolean"),
    );
  });

  it("[mcp.catalog.category] the catalog can be restricted to a category; any other word is refused", async () => {
    const { body } = await world.admin("GET", "/api/mcp/catalog?category=dev");
    assert.deepStrictEqual(
      new Set(body.map((entry: { category: string }) => entry.category)),
      new Set(["dev"]),
    );
    const refused = await world.admin("GET", "/api/mcp/catalog?category=games");
    assertInvalid(refused, "category");
  });

  it("[mcp.catalog.entry] a single entry has its manifest and variables", async () => {
    const { body } = await world.admin("GET", "/api/mcp/catalog/test-notes");
    assert.deepStrictEqual(Object.keys(body), [...summary, "homepage", "manifest", "envVars"]);
    assert.isNull(body.homepage);
    assert.deepStrictEqual(body.manifest, {
      package: "@example/notes",
      version: "1.2.3",
      integrity: null,
      lockedAt: null,
      command: "notes",
      args: ["--project", "${NOTES_PROJECT}"],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: null,
    });
    assert.deepStrictEqual(body.envVars[1], {
      name: "NOTES_PROJECT",
      description: "The project",
      required: false,
      secret: false,
      default: "main",
    });
    const remote = await world.admin("GET", "/api/mcp/catalog/github");
    assert.deepStrictEqual(Object.keys(remote.body.manifest), ["url", "headers"]);
  });

  it("[mcp.catalog.404] an unknown entry is a 404", async () => {
    assertProblem(await world.admin("GET", "/api/mcp/catalog/none"), 404, "not-found", {
      resource: "catalogEntry",
      id: "none",
    });
  });

  it("[catalog.own.routes] an Owner creates, replaces and deletes an entry; an Idempotency-Key is honored", async () => {
    const owner = world.as(world.keys.owner.key);
    const path = "/api/mcp/catalog";
    const body = {
      id: "tickets",
      name: "Tickets",
      description: "Tickets",
      category: "saas",
      transport: "http",
      runtime: "none",
      installInstructions: "Nothing to do.",
      manifest: { url: "https://tickets.example/mcp" },
    };
    const headers = { "idempotency-key": "tickets-1" };
    assertProblem(await world.admin("POST", path, { body }), 403, "forbidden", {
      requiredRole: "Owner",
    });
    const far = { ...headers, "x-forwarded-proto": "https" };
    assertProblem(await owner("POST", path, { body, headers: far }), 403, "https-required");
    const created = await owner("POST", path, { body, headers });
    assert.strictEqual(created.status, 201);
    assert.strictEqual(created.headers.get("location"), `${path}/tickets`);
    assert.deepStrictEqual(Object.keys(created.body), [
      ...summary,
      "homepage",
      "manifest",
      "envVars",
    ]);
    const again = await owner("POST", path, { body, headers });
    assert.deepStrictEqual([again.status, again.body], [201, created.body]);
    assertProblem(await owner("POST", path, { body }), 409, "name-taken");
    assertProblem(await owner("POST", path, { body: { ...body, id: "time" } }), 409, "name-taken");
    assertInvalid(await owner("POST", path, { body: { ...body, category: "x" } }), "category");
    // A client may send back the response of GET.
    const sent = { ...created.body, name: "More tickets" };
    const changed = await owner("PUT", `${path}/tickets`, { body: sent });
    assert.deepStrictEqual([changed.status, changed.body], [200, sent]);
    const builtIn = (await owner("GET", `${path}/time`)).body;
    assertProblem(await owner("PUT", `${path}/time`, { body: builtIn }), 409, "in-use");
    assertProblem(await owner("DELETE", `${path}/time`), 409, "in-use");
    const { id } = await world.install({ catalogId: "tickets" });
    assertProblem(await owner("DELETE", `${path}/tickets`), 409, "in-use");
    await world.admin("DELETE", world.at(id));
    assert.strictEqual((await owner("DELETE", `${path}/tickets`)).status, 204);
    assert.strictEqual((await owner("GET", `${path}/tickets`)).status, 404);
  });

  it("[mcp.runtime] the host's runtimes and sandboxes are listed; a runtime that is not detected has no version and no path", async () => {
    const { body } = await world.admin("GET", "/api/mcp/runtime");
    const sandboxes = { sandbox: "auto", sandboxes: { direct: { detected: true } } };
    assertShape(body, {
      node: { detected: true, version: String, path: String },
      python: { detected: true, version: String },
      pipx: { detected: true },
      ...sandboxes,
    });
    const { runtimes } = world.scripted;
    const { report } = runtimes;
    runtimes.report = {
      node: { detected: false },
      python: { detected: false },
      pipx: { detected: false },
    };
    assert.deepStrictEqual((await world.admin("GET", "/api/mcp/runtime")).body, {
      ...runtimes.report,
      ...sandboxes,
    });
    runtimes.report = report;
  });
});
