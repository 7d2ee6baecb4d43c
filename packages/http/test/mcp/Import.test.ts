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

  it("[mcp.import.toml] an import reads Codex's configuration", async () => {
    const toml = `
model = "gpt-5-codex"
approval_policy = "on-request" # Ignored, as is everything but mcp_servers.

[projects."/home/ada/garden"]
trust_level = "trusted"

[mcp_servers.notes]
command = "npx"
args = ["-y", "@example/notes@1"]
startup_timeout_sec = 20

[mcp_servers.notes.env]
NOTES_KEY = "${secret}"

[mcp_servers.wiki]
url = "https://wiki.example/spaces/garden"
http_headers = { Authorization = 'Bearer ${secret}' }

[mcp_servers.waiting]
url = "https://wiki.example/spaces/garden"
bearer_token_env_var = "WIKI_BEARER"

[mcp_servers."passed on"]
command = "npx"
args = [
  "-y",
  "@example/notes",
]
env = { NOTES_KEY = "${secret}" }
env_vars = ["NOTES_PROJECT"]
enabled = false
`;
    const answer = await importing({ toml });
    assert.strictEqual(answer.status, 200);
    assert.notInclude(answer.text, secret);
    const [notes, wiki, waiting, passed] = answer.body;
    assert.lengthOf(answer.body, 4);
    assertFields(notes, { name: "notes", status: "installed", details: null });
    assertFields(wiki, { name: "wiki", server: { catalogId: "test-wiki" } });
    assert.deepStrictEqual(wiki.server.env, [
      { name: "WIKI_TOKEN", isSet: true },
      { name: "SPACE", isSet: true },
    ]);
    assertFields(waiting, { reason: "missingEnv", details: /WIKI_TOKEN/ });
    assertFields(passed, { name: "passed on", server: { name: "passed-on", status: "disabled" } });
    assert.match(passed.details, /NOTES_PROJECT/);
  });

  it("[mcp.import.toml] TOML that is not Codex's configuration is refused, and the refusal contains no value of it", async () => {
    for (const [toml, message] of [
      [`[mcp_servers.notes]\nenv = { KEY = "${secret}\\q" }`, /line 2/],
      [`[mcp_servers.notes\nKEY = "${secret}"`, /line 1/],
      [`[mcp_servers.notes.env]\nTOKEN = ${secret}`, /^is not TOML: look at line 2, column \d+$/],
      [`"${secret}" = 1\n"${secret}" = 2`, /line 2/],
      [JSON.stringify({ mcpServers: { notes } }), /not TOML/],
      [`key = "${secret}"`, /\[mcp_servers\.NAME\]/],
      ['mcp_servers = ["notes"]', /\[mcp_servers\.NAME\]/],
      ["a = " + "[".repeat(60_000), /not TOML/],
      ["", /characters/],
      ["#".repeat(65_537), /characters/],
    ] as const) {
      const refused = await importing({ toml });
      assertProblem(refused, 400, "invalid-request", { errors: Array });
      assertFields(refused.body.errors[0], { path: "toml", message });
      assert.notInclude(refused.text, secret);
    }
    assert.deepStrictEqual((await importing({ toml: "[mcp_servers]" })).body, []);
  });

  it("[mcp.import.registry] an Owner imports a server.json, which becomes an entry to install", async () => {
    const owner = world.as(world.keys.owner.key);
    const document = {
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: "io.github.ada/weather",
      description: "Forecasts.",
      version: "1.2.3",
      websiteUrl: "https://weather.example",
      packages: [
        {
          registryType: "oci",
          identifier: "docker.io/ada/weather:1",
          transport: { type: "stdio" },
        },
        {
          registryType: "npm",
          identifier: "@ada/weather-mcp",
          version: "1.2.3",
          transport: { type: "stdio" },
          environmentVariables: [{ name: "WEATHER_KEY", isRequired: true, isSecret: true }],
        },
      ],
      _meta: { "com.example/build": { at: "2026-11-22" } },
    };
    const send = () => owner("POST", "/api/mcp/import", { body: document });
    const { body, status } = await send();
    assert.strictEqual(status, 200);
    assert.deepStrictEqual(Object.keys(body[0]), [
      "name",
      "status",
      "server",
      "reason",
      "details",
      "catalogId",
    ]);
    assertFields(body, [
      { name: "io.github.ada/weather", status: "created", server: null, catalogId: "weather" },
    ]);
    assert.match(body[0].details, /not verified.*packages\.0.*oci/);
    assertFields((await owner("GET", "/api/mcp/catalog/weather")).body, {
      source: "own",
      verified: false,
      homepage: "https://weather.example",
      manifest: { package: "@ada/weather-mcp", version: "1.2.3", integrity: null },
    });
    const envValues = { WEATHER_KEY: secret };
    const installed = await world.admin("POST", "/api/mcp/installed", {
      body: { catalogId: "weather", envValues },
    });
    assert.strictEqual(installed.status, 201);
    assert.strictEqual((await send()).body[0].catalogId, "weather-2");
  });

  it("[mcp.import.registry.owner] a role other than Owner is refused, and nothing is created", async () => {
    const document = {
      name: "com.example/secretive",
      version: "1.0.0",
      remotes: [{ type: "sse", url: "https://x.example/sse" }],
    };
    const refused = await importing(document);
    assertProblem(refused, 403, "forbidden", { requiredRole: "Owner" });
    assert.match(refused.body.detail, /role Owner/);
    assert.strictEqual((await world.admin("GET", "/api/mcp/catalog/secretive")).status, 404);
  });

  it("[mcp.import.registry.refused] an unusable server.json is a 400 with the reasons", async () => {
    const owner = world.as(world.keys.owner.key);
    const send = (more: object) =>
      owner("POST", "/api/mcp/import", { body: { name: "a/b", version: "1.0.0", ...more } });
    const image = {
      registryType: "oci",
      identifier: "ada/weather:1",
      transport: { type: "stdio" },
    };
    const refused = await send({ packages: [image] });
    assertProblem(refused, 400, "invalid-request", {
      errors: [{ path: "packages.0", message: /only npm and pypi packages.*oci/ }],
    });
    assert.include(refused.body.detail, "oci");
    assertProblem(await send({}), 400, "invalid-request", {
      errors: [{ path: "", message: /neither packages nor remotes/ }],
    });
    assertProblem(await send({ packages: [{ ...image, identifier: 7 }] }), 400, "invalid-request", {
      errors: [{ path: "packages.0.identifier", message: String }],
    });
    const variables = [{ name: "not a name", isRequired: true }];
    const npm = { ...image, registryType: "npm", identifier: "b", version: "1.0.0" };
    assertProblem(
      await send({ packages: [{ ...npm, environmentVariables: variables }] }),
      400,
      "invalid-request",
      { errors: Array },
    );
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
      { mcpServers: {}, toml: "[mcp_servers]" },
      { mcpServers: [] },
      { mcpServers: {}, nonsense: true },
      { inputs: [] },
    ]) {
      assertProblem(await importing(body), 400, "invalid-request", { errors: Array });
    }
    assert.deepStrictEqual((await importing({ mcpServers: {} })).body, []);
  });
});
