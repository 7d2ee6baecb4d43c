import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertProblem } from "../support/Assert.ts";
import { secret } from "../support/Servers.ts";
import * as World from "../support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const importing = (body: unknown) => world.admin("POST", "/api/mcp/import", { body });

const notes = { command: "npx", args: ["-y", "@example/notes@1"], env: { NOTES_KEY: secret } };

describe("importing", () => {
  it("[mcp.import.200] the result lists each server, in the order of the configuration", async () => {
    const answer = await importing({
      mcpServers: {
        "My (Notes)": notes,
        wiki: {
          type: "http",
          url: "https://wiki.example/spaces/garden/",
          headers: { Authorization: `Bearer ${secret}` },
        },
        other: { command: "npx", args: ["-y", "@example/other"], env: { KEY: secret } },
        empty: { command: "npx", args: ["-y", "@example/notes"] },
        more: { ...notes, env: { ...notes.env, DEBUG: secret } },
        files: { command: "pipx", args: ["run", "files", "/data"] },
        broken: { command: "npx", args: ["@example/notes"], env: { NOTES_KEY: `${secret}\n` } },
        nothing: { disabled: true },
      },
    });
    assert.strictEqual(answer.status, 200);
    const brief = answer.body.map(
      ({ name, reason, server, status }: Record<string, { readonly name: string }>) => [
        name,
        status,
        reason,
        server?.name ?? null,
      ],
    );
    assert.deepStrictEqual(brief, [
      ["My (Notes)", "installed", null, "my-notes"],
      ["wiki", "installed", null, "wiki"],
      ["other", "skipped", "notInCatalogue", null],
      ["empty", "skipped", "missingEnv", null],
      ["more", "skipped", "unknownEnv", null],
      ["files", "skipped", "forbiddenPath", null],
      ["broken", "skipped", "invalid", null],
      ["nothing", "skipped", "invalid", null],
    ]);
    for (const result of answer.body) {
      assert.deepStrictEqual(Object.keys(result), [
        "name",
        "status",
        "server",
        "reason",
        "details",
      ]);
    }
    assert.notInclude(answer.text, secret);
    const [{ server }] = answer.body;
    assert.deepStrictEqual(server, (await world.admin("GET", world.at(server.id))).body);
    assertFields(server, { catalogId: "test-notes", status: "disabled" });
    assert.deepStrictEqual(server.env, [
      { name: "NOTES_KEY", isSet: true },
      { name: "NOTES_PROJECT", isSet: false },
    ]);
    assert.deepStrictEqual(answer.body[1].server.env, [
      { name: "WIKI_TOKEN", isSet: true },
      { name: "SPACE", isSet: true },
    ]);
  });

  it("[mcp.import.vscode] an import also accepts servers and inputs; a value that is an input is missing", async () => {
    const { body } = await importing({
      inputs: [{ type: "promptString", id: "key", password: true }],
      servers: {
        asks: { ...notes, type: "stdio", env: { NOTES_KEY: "${input:key}" } },
        environment: {
          ...notes,
          env: { NOTES_KEY: secret, NOTES_PROJECT: "${env:PROJECT}" },
        },
      },
    });
    assertFields(body[0], { reason: "missingEnv", details: /KEY/ });
    assertFields(body[1], {
      status: "installed",
      details: /NOTES_PROJECT/,
    });
    assert.isFalse(body[1].server.env[1].isSet);
  });

  it("[mcp.import.names] a name in use gets a number, and a name without letters becomes the entry's id", async () => {
    const { body } = await importing({
      mcpServers: { taken: notes, Taken: notes, "  ": notes, [`${"x".repeat(31)} y`]: notes },
    });
    assert.deepStrictEqual(
      body.map(({ server }: { server: { name: string } }) => server.name),
      ["taken", "taken-2", "test-notes", "x".repeat(31)],
    );
  });

  it("[mcp.import.runtime] a server whose runtime is missing is skipped with that reason", async () => {
    const { runtimes } = world.scripted;
    const { report } = runtimes;
    runtimes.report = { ...report, node: { detected: false } };
    const { body } = await importing({ mcpServers: { late: notes } });
    runtimes.report = report;
    assertFields(body[0], { status: "skipped", reason: "runtimeMissing", server: null });
  });

  it("[mcp.import.400] a body that is not a configuration is refused", async () => {
    for (const body of [
      {},
      [],
      { mcpServers: null },
      { mcpServers: {}, servers: {} },
      { mcpServers: [] },
      { mcpServers: {}, nonsense: true },
      { inputs: [] },
    ]) {
      assertProblem(await importing(body), 400, "invalid-request", { errors: Array });
    }
    assert.deepStrictEqual((await importing({ mcpServers: {} })).body, []);
  });
});
