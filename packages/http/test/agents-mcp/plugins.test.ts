import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertShape } from "../support/Assert.ts";
import * as World from "../support/World.ts";

const plugins = fileURLToPath(new URL("../../../../plugins", import.meta.url));
const read = (path: string) => readFileSync(join(plugins, path), "utf8");
const json = (path: string) => JSON.parse(read(path));

const bearer = /^Bearer \$\{[^}]*(QM_KEY|quartermaster-key)\}$/;
const endpoint = /\/mcp$/;

describe("plugins", () => {
  it("[agents.plugins.parse] each configuration parses and leads to the endpoint with a key", () => {
    assertFields(json("claude-code/.claude-plugin/plugin.json"), {
      name: /^[a-z-]+$/,
      version: /^\d+\.\d+\.\d+$/,
    });
    const server = { url: endpoint, headers: { Authorization: bearer } };
    assertShape(json("claude-code/.mcp.json").mcpServers, {
      quartermaster: { type: "http", ...server },
    });
    assertShape(json("cursor/mcp.json").mcpServers, { quartermaster: server });
    const { inputs, servers } = json("vscode/mcp.json");
    assertShape(servers, { quartermaster: { type: "http", ...server } });
    assertFields(inputs, [{ id: "quartermaster-key", password: true }]);
    const lines = read("codex/config.toml")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    assert.strictEqual(lines[0], "[mcp_servers.quartermaster]");
    for (const line of lines.slice(1)) assert.match(line, /^[a-z_]+ = ("[^"]*"|\d+)$/);
    assert.include(lines, 'bearer_token_env_var = "QM_KEY"');
  });

  it("[agents.plugins.names] the plugins name existing tools and commands", () => {
    const skill = read("claude-code/skills/quartermaster/SKILL.md");
    assert.match(skill, /^---\nname: quartermaster\ndescription: .{20,1000}\n---\n/);
    const named = new Set(
      skill.match(/\b(?:issues?|work|comments)_[a-z]+|\bwhoami\b|(?<=`)ask(?=`)/g),
    );
    assert.deepStrictEqual(
      [...named].filter((name) => !Agent.serviceTools.includes(name)),
      [],
    );
    for (const name of Agent.serviceTools) assert.include(named, name);
    const [, bridge = ""] = /```json\n(.*?)```/s.exec(read("README.md")) ?? [];
    assertShape(JSON.parse(bridge).mcpServers.quartermaster, {
      command: Object.keys(json("../packages/http/package.json").bin)[0],
      args: ["mcp"],
      env: { QM_URL: String, QM_KEY: String },
    });
  });

  it("[agents.mcp.names] the endpoint has the issue tools of the contract", async () => {
    const world = await World.forTest();
    const { names } = await world.connect("2026-07-28");
    assert.deepStrictEqual(await names(), Agent.serviceTools);
  });
});
