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

interface Entry {
  readonly hooks: ReadonlyArray<{ readonly command: string }>;
}

const bearer = /^Bearer \$?\{[^}]*(QM_KEY|quartermaster-key)\}$/;
/** The run of `quartermaster work`; empty without it. */
const run = /^\$?\{(QM_RUN_ID:-|env:QM_RUN_ID)\}$/;
const endpoint = /\/mcp$/;

describe("plugins", () => {
  it("[agents.plugins.parse] each configuration can be parsed and points to the endpoint with a key", () => {
    assertFields(json("claude-code/.claude-plugin/plugin.json"), {
      name: /^[a-z-]+$/,
      version: /^\d+\.\d+\.\d+$/,
    });
    const headers = { Authorization: bearer };
    const ofRun = { ...headers, "Quartermaster-Run": run };
    assertShape(json("claude-code/.mcp.json").mcpServers, {
      quartermaster: {
        type: "http",
        url: endpoint,
        headers: ofRun,
        headersHelper: String,
        timeout: 600_000,
      },
    });
    assertShape(json("cursor/mcp.json"), {
      mcpServers: { quartermaster: { url: endpoint, headers } },
    });
    assertShape(json("vscode/mcp.json"), {
      inputs: [
        { type: "promptString", id: "quartermaster-key", description: String, password: true },
      ],
      servers: { quartermaster: { type: "http", url: endpoint, headers } },
    });
    assertFields(json("gemini/gemini-extension.json"), {
      contextFileName: "GEMINI.md",
      mcpServers: { quartermaster: { httpUrl: endpoint, headers: ofRun, timeout: 600_000 } },
    });
    assertFields(json("opencode/opencode.json"), {
      mcp: { quartermaster: { type: "remote", url: endpoint, headers: ofRun, timeout: 600_000 } },
    });
    const lines = read("codex/config.toml")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    assert.deepStrictEqual(lines, [
      "[mcp_servers.quartermaster]",
      'url = "http://127.0.0.1:7420/mcp"',
      'bearer_token_env_var = "QM_KEY"',
      "tool_timeout_sec = 600",
      'env_http_headers = { "Quartermaster-Run" = "QM_RUN_ID" }',
    ]);
  });

  it("[agents.plugins.parse] each host runs the same hooks, by its own names of the events", () => {
    const files = {
      "claude-code/hooks/hooks.json": {
        after: ["PostToolUse", "PostToolUseFailure"],
        before: ["PreToolUse"],
        end: ["SessionEnd"],
        session: ["SessionStart"],
        stop: ["Stop"],
      },
      "codex/hooks.json": {
        after: ["PostToolUse"],
        before: ["PreToolUse"],
        end: ["SessionEnd"],
        session: ["SessionStart"],
        stop: ["Stop"],
      },
      "gemini/hooks/hooks.json": {
        after: ["AfterTool"],
        before: ["BeforeTool"],
        end: ["SessionEnd"],
        session: ["SessionStart"],
        stop: ["AfterAgent"],
      },
    };
    for (const [file, expected] of Object.entries(files)) {
      const found: Record<string, Array<string>> = {};
      for (const [event, [entry]] of Object.entries<ReadonlyArray<Entry>>(json(file).hooks)) {
        const [, hook = "", host] =
          /hook\.sh" (\w+) ([\w-]+)$/.exec(entry?.hooks[0]?.command ?? "") ?? [];
        assert.strictEqual(host, file.split("/")[0]);
        (found[hook] ??= []).push(event);
      }
      assert.deepStrictEqual(found, expected, file);
    }
    for (const hook of ["session", "before", "after", "stop", "end"]) {
      assert.include(read("opencode/quartermaster.js"), `hook("${hook}"`);
    }
  });

  it("[agents.plugins.names] the plugins name existing tools and commands", () => {
    const skill = read("claude-code/skills/quartermaster/SKILL.md");
    assert.match(skill, /^---\nname: quartermaster\ndescription: .{20,1000}\n---\n/);
    const namedIn = (text: string) => [
      ...new Set(
        text.match(
          /\b(?:agents|attachment|comments|effect|issues?|plan|projects|questions?|work)_[a-z]+|\bwhoami\b|(?<=`)ask(?=`)/g,
        ),
      ),
    ];
    assert.sameMembers(namedIn(skill), [...Agent.serviceTools]);
    for (const file of [
      "gemini/GEMINI.md",
      ...["after.mjs", "before.sh", "brief.mjs", "stop.mjs"].map(
        (hook) => `claude-code/hooks/${hook}`,
      ),
    ]) {
      const unknown = namedIn(read(file)).filter((name) => !Agent.serviceTools.includes(name));
      assert.deepStrictEqual(unknown, [], file);
    }
    const [, bridge = ""] = /```json\n(.*?)```/s.exec(read("README.md")) ?? [];
    assertShape(JSON.parse(bridge).mcpServers.quartermaster, {
      command: Object.keys(json("../packages/server/package.json").bin)[0],
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
