import { assert, describe, it } from "@effect/vitest";
import { Fixtures } from "@quartermaster/testing";
import { Option } from "effect";
import { entries } from "../../src/mcp/catalog/entries/index.ts";
import type { CatalogEntry } from "../../src/mcp/CatalogEntry.ts";
import * as ClientServer from "../../src/mcp/servers/internal/ClientServer.ts";
import { valuesFor } from "../../src/mcp/servers/internal/ClientValues.ts";

const manifest = {
  package: null,
  version: null,
  integrity: null,
  lockedAt: null,
  command: "/opt/tool",
  args: [],
  env: {},
  isolation: "shared" as const,
  state: false,
  sandbox: null,
};
const envVars = ["A", "B"].map((name) => ({
  name,
  description: "",
  required: false,
  secret: true,
  default: null,
}));

const all: ReadonlyArray<CatalogEntry> = [
  ...entries,
  Fixtures.entry({ id: "local", manifest }),
  Fixtures.entry({
    id: "options",
    manifest: {
      ...manifest,
      package: "options",
      version: "1.0.0",
      command: "options-mcp",
      args: ["serve", "--token", "${A}", "--level=${B}"],
      env: { FIXED: "1" },
    },
    envVars,
  }),
  Fixtures.entry({
    id: "templated",
    transport: "http",
    runtime: "none",
    manifest: { url: "https://api.example/${A}/mcp?key=${B}", headers: {} },
    envVars,
  }),
];

const read = (input: unknown) => {
  const server = Option.getOrNull(ClientServer.read(input));
  if (server === null) return null;
  const entry = all.find((one) => ClientServer.isOf(server, one));
  return entry === undefined ? "none" : { id: entry.id, ...valuesFor(server, entry) };
};

const command = (line: string, env?: Record<string, unknown>) => {
  const [program = "", ...args] = line.split(" ");
  return { command: program, args, ...(env === undefined ? {} : { env }) };
};

const filesystem = "@modelcontextprotocol/server-filesystem";

const found: ReadonlyArray<readonly [line: string, id: string]> = [
  [`npx ${filesystem} /srv`, "filesystem"],
  [`npx -y ${filesystem} /srv`, "filesystem"],
  [`npx --yes ${filesystem}@latest /srv`, "filesystem"],
  [`npx -y -- ${filesystem}@2026.8.31 /srv`, "filesystem"],
  [`npx -y -p ${filesystem} mcp-server-filesystem /srv`, "filesystem"],
  [`npx --package=${filesystem}@1 mcp-server-filesystem /srv`, "filesystem"],
  [`npm exec --yes ${filesystem} -- /srv`, "filesystem"],
  [`pnpm dlx ${filesystem} /srv`, "filesystem"],
  [`bunx ${filesystem} /srv`, "filesystem"],
  [`cmd /c npx -y ${filesystem} /srv`, "filesystem"],
  [`C:\\Windows\\System32\\cmd.exe /C npx.cmd -y ${filesystem} /srv`, "filesystem"],
  [`/usr/local/bin/npx -y ${filesystem} /srv`, "filesystem"],
  [`node /usr/lib/node_modules/${filesystem}/dist/index.js /srv`, "filesystem"],
  [
    `node --no-warnings C:\\x\\node_modules\\@modelcontextprotocol\\server-filesystem\\i.js /srv`,
    "filesystem",
  ],
  ["mcp-server-filesystem /srv", "filesystem"],
  ["/usr/bin/mcp-server-filesystem /srv", "filesystem"],
  ["uvx mcp-server-git --repository /srv", "git"],
  ["uvx mcp-server-git@latest --repository /srv", "git"],
  ["uvx --python 3.12 mcp_server_git==2026.10.19 --repository /srv", "git"],
  ["uvx --from mcp-server-git[extra]>=1 mcp-server-git --repository=/srv", "git"],
  ["uv tool run mcp-server-git --repository /srv", "git"],
  ["python3 -m mcp_server_git --repository /srv", "git"],
  ["pipx run postgres-mcp --access-mode=restricted", "postgres"],
  ["pipx run --spec postgres-mcp==0.3.0 postgres-mcp", "postgres"],
  ["npx -y mcp-remote https://mcp.linear.app/mcp/", "linear"],
  ["/opt/tool", "local"],
];

const foreign = [
  "npx -y @example/filesystem /srv",
  "npx -y server-filesystem /srv",
  "uvx server-filesystem",
  `uvx ${filesystem}`,
  "docker run -i --rm mcp/filesystem /srv",
  "node /srv/mine.js",
  "node",
  "npx",
  "npx -y",
  "python3 -m",
  "bash -c npx",
  "/opt/tool2",
  "tool",
  "npx -y mcp-remote",
];

describe("a client's server", () => {
  for (const [line, id] of found) {
    it("[mcp.import.match] an import recognizes packages by every launcher, with and without a version", () => {
      const answer = read(command(line));
      assert.strictEqual(typeof answer === "object" ? answer?.id : answer, id);
      if (id !== "filesystem" && id !== "git") return;
      const name = id === "git" ? "REPOSITORY" : "ALLOWED_DIRECTORY";
      assert.deepStrictEqual(answer, { id, values: { [name]: "/srv" }, ignored: 0 });
    });
  }

  for (const line of foreign) {
    it("[mcp.import.foreign] an import does not mistake anything else for a package", () => {
      assert.strictEqual(read(command(line)), "none");
    });
  }

  it("[mcp.import.url] an import compares URLs without a trailing slash", () => {
    const linear = (url: string) => read({ url });
    const expected = { id: "linear", values: {}, ignored: 0 };
    assert.deepStrictEqual(linear("https://mcp.linear.app/mcp"), expected);
    assert.deepStrictEqual(linear("https://mcp.linear.app/mcp/"), expected);
    assert.deepStrictEqual(linear("HTTPS://MCP.Linear.app:443/mcp"), expected);
    for (const url of [
      "https://mcp.linear.app/MCP",
      "https://mcp.linear.app/mcp/other",
      "http://mcp.linear.app/mcp",
      "https://mcp.linear.app.evil.example/mcp",
      "https://mcp.linear.app@evil.example/mcp",
      "https://mcpxlinear.app/mcp",
      "mcp.linear.app",
    ]) {
      assert.strictEqual(linear(url), "none", url);
    }
  });

  it("[mcp.import.values] an import extracts variables from headers, URLs and arguments", () => {
    const github = (headers: Record<string, unknown>) =>
      read({ type: "http", url: "https://api.githubcopilot.com/mcp/", headers });
    assert.deepStrictEqual(github({ authorization: "Bearer ghp_1" }), {
      id: "github",
      values: { GITHUB_TOKEN: "ghp_1" },
      ignored: 0,
    });
    assert.deepStrictEqual(github({ Authorization: "Basic eA==", "X-Other": "1", none: null }), {
      id: "github",
      values: {},
      ignored: 2,
    });
    assert.deepStrictEqual(
      read(
        command(
          "npx -y mcp-remote https://api.githubcopilot.com/mcp/ --header Authorization:Bearer%20x",
        ),
      ),
      { id: "github", values: {}, ignored: 1 },
    );
    assert.deepStrictEqual(
      read({
        command: "npx",
        args: [
          "mcp-remote",
          "https://api.githubcopilot.com/mcp/",
          "--header",
          "Authorization: Bearer ghp_2",
        ],
      }),
      { id: "github", values: { GITHUB_TOKEN: "ghp_2" }, ignored: 0 },
    );
    assert.deepStrictEqual(read({ url: "https://api.example/a%2Fb/mcp?key=c%20d" }), {
      id: "templated",
      values: { A: "a/b", B: "c d" },
      ignored: 0,
    });
  });

  it("[mcp.import.codex] an import reads headers and variables as Codex names them", () => {
    const github = (more: Record<string, unknown>) =>
      read({ url: "https://api.githubcopilot.com/mcp/", ...more });
    const values = (GITHUB_TOKEN: string) => ({
      id: "github",
      values: { GITHUB_TOKEN },
      ignored: 0,
    });
    assert.deepStrictEqual(
      github({ http_headers: { Authorization: "Bearer ghp_3" } }),
      values("ghp_3"),
    );
    assert.deepStrictEqual(github({ bearer_token_env_var: "MINE" }), values("${MINE}"));
    assert.deepStrictEqual(
      read({ url: "https://api.githubcopilot.com/mcp/", env_http_headers: { "X-Other": "OTHER" } }),
      { id: "github", values: {}, ignored: 1 },
    );
    assert.deepStrictEqual(
      read({
        ...command("npx options", { B: "3" }),
        env_vars: ["A", { name: "B", source: "remote" }],
        startup_timeout_sec: 20,
        enabled_tools: ["add"],
      }),
      { id: "options", values: { A: "${A}", B: "3" }, ignored: 0 },
    );
  });

  it("[mcp.import.options] an import finds options by name at any position", () => {
    const expected = { id: "options", values: { A: "t", B: "3" }, ignored: 0 };
    for (const line of [
      "npx options serve --token t --level=3",
      "npx options --level=3 serve --token t",
      "npx options --token=t --level=3",
    ]) {
      assert.deepStrictEqual(read(command(line)), expected, line);
    }
    assert.deepStrictEqual(read(command("npx options --other 1 --token t")), {
      id: "options",
      values: { A: "t" },
      ignored: 2,
    });
    assert.deepStrictEqual(
      read(command("npx options", { A: 1, B: true, FIXED: "2", C: "x", D: null })),
      { id: "options", values: { A: "1", B: "true", C: "x" }, ignored: 0 },
    );
  });

  it("[mcp.import.invalid] A server with neither a command nor a URL is not installed", () => {
    for (const input of [null, 1, "npx", [], {}, { command: "" }, { command: 1 }, { url: null }]) {
      assert.isNull(read(input), JSON.stringify(input));
    }
    assert.isNull(read({ command: "npx", args: "x" }));
    assert.isNull(read({ command: "npx", env: { A: {} } }));
  });
});
