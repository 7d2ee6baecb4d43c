import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as AgentWorld from "./AgentWorld.ts";

const plugins = fileURLToPath(new URL("../../../../plugins", import.meta.url));
const read = (path: string) => readFileSync(join(plugins, path), "utf8");
const json = (path: string) => JSON.parse(read(path));

const bearer = expect.stringMatching(/^Bearer \$\{[^}]*(QM_KEY|quartermaster-key)\}$/);
const endpoint = expect.stringMatching(/\/mcp$/);

describe("plugins", () => {
  it("[agents.plugins.parse] each configuration parses and leads to the endpoint with a key", () => {
    expect(json("claude-code/.claude-plugin/plugin.json")).toMatchObject({
      name: expect.stringMatching(/^[a-z-]+$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    const server = { url: endpoint, headers: { Authorization: bearer } };
    expect(json("claude-code/.mcp.json").mcpServers).toEqual({
      quartermaster: { type: "http", ...server },
    });
    expect(json("cursor/mcp.json").mcpServers).toEqual({ quartermaster: server });
    const { inputs, servers } = json("vscode/mcp.json");
    expect(servers).toEqual({ quartermaster: { type: "http", ...server } });
    expect(inputs).toMatchObject([{ id: "quartermaster-key", password: true }]);
    const lines = read("codex/config.toml")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines[0]).toBe("[mcp_servers.quartermaster]");
    for (const line of lines.slice(1)) expect(line).toMatch(/^[a-z_]+ = ("[^"]*"|\d+)$/);
    expect(lines).toContain('bearer_token_env_var = "QM_KEY"');
  });

  it("[agents.plugins.names] the plugins name existing tools and commands", () => {
    const skill = read("claude-code/skills/quartermaster/SKILL.md");
    expect(skill).toMatch(/^---\nname: quartermaster\ndescription: .{20,1000}\n---\n/);
    const named = new Set(skill.match(/\bissues?_[a-z]+/g));
    expect([...named].filter((name) => !AgentWorld.issueTools.includes(name))).toEqual([]);
    for (const name of AgentWorld.issueTools) expect(named).toContain(name);
    const [, bridge = ""] = /```json\n(.*?)```/s.exec(read("README.md")) ?? [];
    expect(JSON.parse(bridge).mcpServers.quartermaster).toEqual({
      command: Object.keys(json("../packages/http/package.json").bin)[0],
      args: ["mcp"],
      env: { QM_URL: expect.any(String), QM_KEY: expect.any(String) },
    });
  });

  it("[agents.mcp.names] the endpoint has the issue tools of the contract", async () => {
    const world = await AgentWorld.start();
    const { names } = await world.connect("2026-07-28");
    expect(await names()).toEqual(AgentWorld.issueTools);
  });
});
