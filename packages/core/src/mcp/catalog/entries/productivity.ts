import type { BuiltIn } from "../../CatalogEntry.ts";
import { defaults } from "../../Sandbox.ts";

export const productivity: ReadonlyArray<BuiltIn> = [
  {
    id: "notion",
    name: "Notion",
    description:
      "Searches, reads and writes pages, data sources and comments of a Notion workspace. Notion's own server.",
    category: "productivity",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. As a workspace owner, create an internal integration in Notion's integration settings; take away the capabilities to insert and update if agents shall only read.\n2. Connect the integration to the pages that the agents may use, in each page's menu under Connections; what lies below them is included.\n3. Set NOTION_TOKEN to the integration's secret.",
    homepage: "https://github.com/makenotion/notion-mcp-server",
    manifest: {
      package: "@notionhq/notion-mcp-server",
      version: "2.5.2",
      integrity:
        "sha512-5nPSwHMnugSGAhSJS5vVIlMao+iTJO9HoWGpCnT8lJNrPy3rZMqs1V/CPiN4MuxF+5EBgRE/f/Tirl6Wfi75Mg==",
      lockedAt: "2026-11-22",
      command: "notion-mcp-server",
      args: ["--transport", "stdio"],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "NOTION_TOKEN",
        description: "Secret of an internal integration (ntn_...)",
        required: true,
        secret: true,
        default: null,
      },
    ],
  },
  {
    id: "linear",
    name: "Linear",
    description:
      "Finds, creates and updates issues, projects and comments of Linear. Linear's own server, hosted by Linear.",
    category: "productivity",
    transport: "http",
    runtime: "none",
    verified: true,
    installInstructions:
      "Nothing runs on the host. After installing, authorize the server: open the URL of its authorization in a browser, where a Linear user signs in and consents. Agents then act as that user: best an account of their own, in the teams that they work for.",
    homepage: "https://linear.app",
    manifest: { url: "https://mcp.linear.app/mcp", headers: {} },
    envVars: [],
  },
  {
    id: "slack",
    name: "Slack",
    description:
      "Reads channels, threads and users of a Slack workspace. By the community; it works as a bot, in the channels that the bot was invited to.",
    category: "productivity",
    transport: "stdio",
    runtime: "node",
    verified: false,
    installInstructions:
      "1. Create a Slack app with the bot scopes channels:read, channels:history and users:read, and the same scopes of groups, im and mpim where agents shall see private conversations.\n2. Install it in the workspace and invite the bot to the channels that the agents may read.\n3. Set SLACK_MCP_XOXB_TOKEN to the bot's token.\nThe server checks the token when it starts, and exits if Slack refuses it. A bot cannot search messages. The program is native, made for Linux, macOS and Windows on x64 and arm64.",
    homepage: "https://github.com/korotovsky/slack-mcp-server",
    manifest: {
      package: "slack-mcp-server",
      version: "1.3.0",
      integrity:
        "sha512-YoRGvadhHkN4jwr1uYAxcNidmRPuzDXDM7j8dmnuvclF8zeqzBHefm1IiZE/xGr23Ka0ljNysdDTDUC7PWj21Q==",
      lockedAt: "2026-11-22",
      command: "slack-mcp-server",
      args: ["--transport", "stdio"],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: { ...defaults, childProcesses: true },
    },
    envVars: [
      {
        name: "SLACK_MCP_XOXB_TOKEN",
        description: "Bot token (xoxb-...)",
        required: true,
        secret: true,
        default: null,
      },
    ],
  },
  {
    id: "memory",
    name: "Memory",
    description:
      "Remembers entities, relations and observations as a knowledge graph in a file. All agents that it is granted to share the graph. Reference server of the Model Context Protocol.",
    category: "productivity",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "Nothing is to be configured: the graph is the file memory.jsonl in the server's own folder below the data directory, goes into its backup, and is removed with the server. To keep it elsewhere set MEMORY_FILE_PATH to an absolute path: with several nodes on one database, one that all of them share, since any of them may run the server. Every agent can read, change and delete all of it: install the entry once per group of agents that shall share a memory.",
    homepage: "https://github.com/modelcontextprotocol/servers",
    manifest: {
      package: "@modelcontextprotocol/server-memory",
      version: "2026.8.31",
      integrity:
        "sha512-ljj/3S4aGjxdNSQWw6gucKKGnTLdBPWxzapyY/MT2tOVyZwvxChvevXSLPwx59nKJAlVpUVW+cOlnVRXRwiqMQ==",
      lockedAt: "2026-11-22",
      command: "mcp-server-memory",
      args: [],
      // The server resolves a relative path, including its default, inside the package, which an
      // update replaces.
      env: { MEMORY_FILE_PATH: "${HOME}/memory.jsonl" },
      isolation: "shared",
      // Each process reads and replaces the whole file, and its graph is the agents' common memory.
      state: true,
      sandbox: { ...defaults, write: ["${MEMORY_FILE_PATH}"] },
    },
    envVars: [
      {
        name: "MEMORY_FILE_PATH",
        description: "Absolute path of the graph's file, if it shall lie elsewhere",
        required: false,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "sequential-thinking",
    name: "Sequential thinking",
    description:
      "Takes an agent's thoughts step by step, with revisions and branches. Reference server of the Model Context Protocol; each agent has a process of its own, since it keeps the thoughts.",
    category: "productivity",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "Nothing is to be configured. It reaches nothing outside. The thoughts stay in memory while its process runs.",
    homepage: "https://github.com/modelcontextprotocol/servers",
    manifest: {
      package: "@modelcontextprotocol/server-sequential-thinking",
      version: "2026.8.31",
      integrity:
        "sha512-/EMH++1j2e+VmHwpibw1IUPHxA0tcQY09Yo5/OIPwW/8irEKLAufJNGSZQhCK18n8TUvV6WwZyQOuaDKxe/CeQ==",
      lockedAt: "2026-11-22",
      command: "mcp-server-sequential-thinking",
      args: [],
      // Without this, it writes every thought to stderr, which the log retains.
      env: { DISABLE_THOUGHT_LOGGING: "true" },
      isolation: "agent",
      state: false,
      sandbox: { ...defaults, network: false },
    },
    envVars: [],
  },
  {
    id: "time",
    name: "Time",
    description:
      "Tells the time in any time zone and converts between zones. Reference server of the Model Context Protocol.",
    category: "productivity",
    transport: "stdio",
    runtime: "python",
    verified: true,
    installInstructions:
      "Install Python 3.10 or newer, with venv, on the host. Nothing is to be configured.",
    homepage: "https://github.com/modelcontextprotocol/servers",
    manifest: {
      package: "mcp-server-time",
      version: "2026.10.19",
      integrity: null,
      lockedAt: "2026-11-22",
      command: "mcp-server-time",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: { ...defaults, network: false },
    },
    envVars: [],
  },
];
