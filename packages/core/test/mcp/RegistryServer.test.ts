import { assert, describe, it } from "@effect/vitest";
import { Schema } from "effect";
import * as RegistryServer from "../../src/mcp/servers/internal/RegistryServer.ts";

const decode = Schema.decodeUnknownSync(RegistryServer.RegistryServer);

const draft = (document: Record<string, unknown>) =>
  RegistryServer.draft(decode({ name: "io.github.ada/weather", version: "1.0.0", ...document }));

const entryOf = (document: Record<string, unknown>) => {
  const drafted = draft(document);
  return "entry" in drafted ? drafted : assert.fail(JSON.stringify(drafted));
};

const stdio = { type: "stdio" };
const npm = {
  registryType: "npm",
  identifier: "@ada/weather-mcp",
  version: "1.2.3",
  transport: stdio,
};
const variable = (name: string, more: object = {}) => ({
  name,
  description: "",
  required: true,
  secret: false,
  default: null,
  ...more,
});

/** The manifest and the variables that result from a package with these fields. */
const packageOf = (more: object) => {
  const { entry, notes } = entryOf({ packages: [{ ...npm, ...more }] });
  return { manifest: entry.manifest, envVars: entry.envVars, notes };
};

describe("A server.json", () => {
  it("[mcp.import.registry.package] a package of npm or PyPI becomes a program", () => {
    const { entry, notes } = entryOf({
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      title: "Weather",
      description: "Forecasts.",
      repository: { url: "https://github.com/ada/weather", source: "github" },
      icons: [{ src: "https://example.com/icon.png" }],
      packages: [{ ...npm, registryBaseUrl: "https://registry.npmjs.org/", runtimeHint: "npx" }],
    });
    assert.deepStrictEqual(notes, []);
    assert.deepStrictEqual(entry, {
      transport: "stdio",
      runtime: "node",
      manifest: {
        package: "@ada/weather-mcp",
        version: "1.2.3",
        command: "weather-mcp",
        args: [],
        env: {},
      },
      envVars: [],
      name: "Weather",
      description: "Forecasts.",
      category: "dev",
      homepage: "https://github.com/ada/weather",
      installInstructions:
        "Imported from the server.json of io.github.ada/weather, version 1.0.0; not vetted. Read https://github.com/ada/weather before you install it.",
    });
    const python = entryOf({
      packages: [{ ...npm, registryType: "pypi", identifier: "weather-mcp", version: "0.5.0" }],
    });
    assert.strictEqual(python.entry.runtime, "python");
    assert.strictEqual(python.entry.name, "io.github.ada/weather");
  });

  it("[mcp.import.registry.inputs] arguments and variables keep their values, and missing values become variables", () => {
    const { envVars, manifest, notes } = packageOf({
      packageArguments: [
        { type: "positional", value: "serve" },
        { type: "named", name: "--mode", value: "mode-{kind}-{other}", variables: { kind: {} } },
        { type: "named", name: "-p", default: "8080", description: "The port" },
        { type: "positional", valueHint: "target_dir", isRequired: true, format: "filepath" },
        { type: "named", name: "--verbose" },
      ],
      environmentVariables: [
        { name: "API_KEY", description: "The key", isRequired: true, isSecret: true },
        { name: "LEVEL", choices: ["low", "high"], default: "low" },
        { name: "TELEMETRY", value: "off" },
        {
          name: "DSN",
          value: "pg://{password}@db",
          isRequired: true,
          variables: { password: { isSecret: true } },
        },
        { name: "REGION" },
      ],
    });
    assert.deepInclude(manifest, {
      args: ["serve", "--mode=mode-${KIND}-{other}", "-p", "${P}", "${TARGET_DIR}"],
      env: { TELEMETRY: "off" },
    });
    assert.deepStrictEqual(envVars, [
      variable("KIND"),
      variable("P", { description: "The port", required: false, default: "8080" }),
      variable("TARGET_DIR"),
      variable("API_KEY", { description: "The key", secret: true }),
      variable("LEVEL", { description: "One of: low, high.", required: false, default: "low" }),
      variable("DSN", { description: "In the form pg://{password}@db", secret: true }),
      variable("REGION", { required: false }),
    ]);
    assert.deepStrictEqual(notes, ["Omitted, because they are optional: --verbose."]);
  });

  it("[mcp.import.registry.inputs] inputs of the same name are one variable", () => {
    const { envVars } = packageOf({
      packageArguments: [{ type: "named", name: "--api-key", default: "none" }],
      environmentVariables: [{ name: "API_KEY", isRequired: true, isSecret: true }],
    });
    assert.deepStrictEqual(envVars, [variable("API_KEY", { secret: true, default: "none" })]);
  });

  it("[mcp.import.registry.remote] a remote becomes a remote server with its headers", () => {
    const { entry } = entryOf({
      remotes: [
        {
          type: "streamable-http",
          url: "https://weather.example/{tenant}/mcp",
          variables: { tenant: { description: "The tenant", default: "main" } },
          headers: [
            {
              name: "Authorization",
              value: "Bearer {token}",
              isRequired: true,
              variables: { token: { description: "A token", isSecret: true } },
            },
            { name: "X-Region", isRequired: true },
            { name: "X-Trace" },
          ],
        },
      ],
    });
    assert.deepInclude(entry, { transport: "http", runtime: "none" });
    assert.deepStrictEqual<unknown>(entry.manifest, {
      url: "https://weather.example/${TENANT}/mcp",
      headers: { Authorization: "Bearer ${TOKEN}", "X-Region": "${X_REGION}" },
    });
    assert.deepStrictEqual(entry.envVars, [
      variable("TENANT", { description: "The tenant", required: false, default: "main" }),
      variable("TOKEN", { description: "A token", secret: true }),
      variable("X_REGION"),
    ]);
    const { entry: sse } = entryOf({ remotes: [{ type: "sse", url: "https://x.example/sse" }] });
    assert.strictEqual(sse.transport, "sse");
  });

  it("[mcp.import.registry.choice] the first package that can be used, else the first remote, is used", () => {
    const remote = { type: "sse", url: "https://x.example/sse" };
    const oci = { ...npm, registryType: "oci", identifier: "docker.io/ada/weather:1" };
    const { entry, notes } = entryOf({ packages: [oci, npm], remotes: [remote] });
    assert.strictEqual(entry.runtime, "node");
    assert.match(notes.join(), /uses packages\.1 instead of packages\.0 \(.*oci\), remotes\.0/);
    assert.strictEqual(entryOf({ packages: [oci], remotes: [remote] }).entry.transport, "sse");
    const withOptions = packageOf({
      runtimeArguments: [
        { type: "positional", value: "-y" },
        { type: "named", name: "--node-options", value: "--inspect" },
      ],
    });
    assert.deepStrictEqual(withOptions.notes, ["Its runtimeArguments are not used."]);
    const consent = packageOf({ runtimeArguments: [{ type: "named", name: "--yes" }] });
    assert.deepStrictEqual(consent.notes, []);
  });

  it("[mcp.import.registry.refused] an unusable server.json is refused with a sentence for each part", () => {
    const unusable: ReadonlyArray<readonly [object, RegExp]> = [
      [{ registryType: "oci", identifier: "docker.io/ada/weather:1" }, /only npm and pypi.*oci/],
      [{ registryType: "nuget" }, /only npm and pypi.*nuget/],
      [
        { registryType: "mcpb", identifier: "https://example.com/a.mcpb" },
        /only npm and pypi.*mcpb/,
      ],
      [{ registryType: "constructor" }, /only npm and pypi/],
      [{ registryBaseUrl: "https://npm.evil.example" }, /registry\.npmjs\.org/],
      [{ identifier: "--global" }, /not the name of a package/],
      [{ identifier: "https://evil.example/x.tgz" }, /not the name of a package/],
      [{ version: "latest" }, /no exact version/],
      [{ version: "^1.2.3" }, /no exact version/],
      [{ version: undefined }, /no exact version/],
      [{ transport: { type: "streamable-http", url: "http://localhost:1/mcp" } }, /stdio/],
      [{ fileSha256: "0".repeat(64) }, /fileSha256/],
      [{ environmentVariables: [{ name: "LD_PRELOAD", value: "./evil.so" }] }, /LD_PRELOAD/],
      [{ environmentVariables: [{ name: "NODE_OPTIONS" }] }, /NODE_OPTIONS/],
    ];
    const packages = unusable.map(([more]) =>
      Object.fromEntries(
        Object.entries({ ...npm, ...more }).filter(([, value]) => value !== undefined),
      ),
    );
    const remotes = [
      { type: "websocket", url: "wss://x.example" },
      { type: "sse" },
      { type: "sse", url: "https://{host}.example/sse", variables: { host: {} } },
      ...[
        "http://169.254.169.254/latest",
        "http://127.0.0.1:7420/mcp",
        "http://2130706433/mcp",
        "http://[::1]/mcp",
        "http://[::ffff:10.0.0.7]/mcp",
        "http://localhost:7420/mcp",
        "https://user:password@x.example/mcp",
      ].map((url) => ({ type: "sse", url })),
      { type: "sse", url: "https://x.example/mcp", headers: [{ name: "A: b\r\nC", value: "d" }] },
    ];
    const refused = draft({ packages, remotes });
    if ("entry" in refused) assert.fail("It is not refused");
    const expected = [
      ...unusable.map(([, message]) => message),
      /types/,
      /no url/,
      /variable in the host/,
      ...Array.from({ length: 6 }, () => /an address of this host or of a private network/),
      /a name or a password/,
      /the name of its header 1/,
    ];
    assert.lengthOf(refused, expected.length);
    for (const [at, { message, path }] of refused.entries()) {
      const isPackage = at < packages.length;
      assert.strictEqual(path, isPackage ? `packages.${at}` : `remotes.${at - packages.length}`);
      assert.match(message, expected[at]!);
    }
    assert.deepStrictEqual(draft({}), [{ path: "", message: "has neither packages nor remotes" }]);
  });
});
