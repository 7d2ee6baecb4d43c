import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectProblem } from "../support/World.ts";
import * as McpWorld from "./McpWorld.ts";

let world: McpWorld.McpWorld;
beforeAll(async () => {
  world = await McpWorld.start();
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
  "installInstructions",
];

describe("the catalog", () => {
  it("[mcp.catalog.200] the catalog is listed completely, in the order of its files, without manifests", async () => {
    const { body, headers, status } = await world.admin("GET", "/api/mcp/catalog");
    expect(status).toBe(200);
    expect(body.length).toBe(36 + 5);
    expect(headers.get("link")).toBeNull();
    for (const entry of body) expect(Object.keys(entry)).toEqual(summary);
    expect(body.at(-5).id).toBe("test-notes");
    expect(body.every((entry: { verified: unknown }) => typeof entry.verified === "boolean")).toBe(
      true,
    );
  });

  it("[mcp.catalog.category] the catalog can be restricted to a category; any other word is refused", async () => {
    const { body } = await world.admin("GET", "/api/mcp/catalog?category=dev");
    expect(new Set(body.map((entry: { category: string }) => entry.category))).toEqual(
      new Set(["dev"]),
    );
    const refused = await world.admin("GET", "/api/mcp/catalog?category=games");
    expectProblem(refused, 400, "invalid-request", {
      errors: [{ path: "category", message: expect.any(String) }],
    });
  });

  it("[mcp.catalog.entry] a single entry has its manifest and variables", async () => {
    const { body } = await world.admin("GET", "/api/mcp/catalog/test-notes");
    expect(Object.keys(body)).toEqual([...summary, "homepage", "manifest", "envVars"]);
    expect(body.homepage).toBeNull();
    expect(body.manifest).toEqual({
      package: "@example/notes",
      version: "1.2.3",
      integrity: null,
      command: "notes",
      args: ["--project", "${NOTES_PROJECT}"],
      env: {},
      isolation: "shared",
    });
    expect(body.envVars[1]).toEqual({
      name: "NOTES_PROJECT",
      description: "The project",
      required: false,
      secret: false,
      default: "main",
    });
    const remote = await world.admin("GET", "/api/mcp/catalog/github");
    expect(Object.keys(remote.body.manifest)).toEqual(["url", "headers"]);
  });

  it("[mcp.catalog.404] an unknown entry is a 404", async () => {
    expectProblem(await world.admin("GET", "/api/mcp/catalog/none"), 404, "not-found", {
      resource: "catalogEntry",
      id: "none",
    });
  });

  it("[mcp.runtime] the host's runtimes are listed; one that is not detected has no version and no path", async () => {
    const { body } = await world.admin("GET", "/api/mcp/runtime");
    expect(body).toEqual({
      node: { detected: true, version: expect.any(String), path: expect.any(String) },
      python: { detected: true, version: expect.any(String) },
      pipx: { detected: true },
    });
    const { runtimes } = world.scripted;
    const { report } = runtimes;
    runtimes.report = {
      node: { detected: false },
      python: { detected: false },
      pipx: { detected: false },
    };
    expect((await world.admin("GET", "/api/mcp/runtime")).body).toEqual(runtimes.report);
    runtimes.report = report;
  });
});
