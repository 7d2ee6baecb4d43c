import type { BuiltIn } from "../../CatalogEntry.ts";
import { defaults } from "../../Sandbox.ts";

export const dev: ReadonlyArray<BuiltIn> = [
  {
    id: "filesystem",
    name: "Filesystem",
    description:
      "Reads, writes, moves and searches files below one directory of the host. Reference server of the Model Context Protocol.",
    category: "dev",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. Make a directory for the agents that the service's user can read, and write if they shall write.\n2. Set ALLOWED_DIRECTORY to its absolute path; it must exist.\nThe server refuses paths outside of it, symbolic links included. To allow only reads, make the directory read-only for the service's user, or grant agents the reading tools only. For several directories install the entry several times.",
    homepage: "https://github.com/modelcontextprotocol/servers",
    manifest: {
      package: "@modelcontextprotocol/server-filesystem",
      version: "2026.8.31",
      integrity:
        "sha512-kKaFkyAh6oipvc9+EAbJ552JafnMnOq5nzmzWkp1jJdBhTAAGpmIpWihUG1+rfNhmEFM98gUZDdCHCDD4v6a7Q==",
      lockedAt: "2026-11-22",
      command: "mcp-server-filesystem",
      args: ["${ALLOWED_DIRECTORY}"],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: { ...defaults, write: ["${ALLOWED_DIRECTORY}"] },
    },
    envVars: [
      {
        name: "ALLOWED_DIRECTORY",
        description: "Absolute path of an existing directory",
        required: true,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "git",
    name: "Git",
    description:
      "Shows status, differences, history and branches of a Git repository on the host, and stages and commits in it. Reference server of the Model Context Protocol.",
    category: "dev",
    transport: "stdio",
    runtime: "python",
    verified: true,
    installInstructions:
      "1. Install Python 3.10 or newer, with venv, and git on the host.\n2. Set REPOSITORY to the absolute path of a repository that the service's user owns; git refuses one of another owner.\n3. For commits, set user.name and user.email in the repository's own configuration: the server does not see the service user's home directory.\nAgents that share it share one working tree; grant the tools that change it to one agent at most.",
    homepage: "https://github.com/modelcontextprotocol/servers",
    manifest: {
      package: "mcp-server-git",
      version: "2026.10.19",
      integrity: null,
      lockedAt: "2026-11-22",
      command: "mcp-server-git",
      args: ["--repository", "${REPOSITORY}"],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: { ...defaults, write: ["${REPOSITORY}"], childProcesses: true },
    },
    envVars: [
      {
        name: "REPOSITORY",
        description: "Absolute path of a repository's working tree",
        required: true,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "playwright",
    name: "Playwright",
    description:
      "Drives a browser without a window: opens pages, clicks, types, reads and takes screenshots. Microsoft's own server; each agent has a browser and a profile of its own.",
    category: "dev",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. Install Google Chrome on the host for all users, with the package of its vendor; or another Chromium, with PLAYWRIGHT_MCP_EXECUTABLE_PATH set to its program. Browsers in the service user's home directory are not found.\n2. Run the service as an ordinary user: Chrome's sandbox does not start for root.\nThe browser reaches whatever the host reaches, internal addresses too, and a page can carry instructions meant for the agent. Plan 300 MB of memory and more for each agent that uses it.",
    homepage: "https://playwright.dev",
    manifest: {
      package: "@playwright/mcp",
      version: "0.0.83",
      integrity:
        "sha512-oNcl+Ae2/IAjhfPeP46BfIkSakfmprY+aOtkv5MjrQ4lPav4/yNtPhL0iq8SlIM90oApWgBDUxaNKvktazUKOg==",
      lockedAt: "2026-11-22",
      command: "playwright-mcp",
      args: ["--headless"],
      env: {},
      isolation: "agent",
      state: false,
      sandbox: {
        ...defaults,
        read: ["/opt", "${PLAYWRIGHT_MCP_EXECUTABLE_PATH}"],
        childProcesses: true,
      },
    },
    envVars: [
      {
        name: "PLAYWRIGHT_MCP_EXECUTABLE_PATH",
        description: "Absolute path of the browser's program, if it is not Google Chrome",
        required: false,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "context7",
    name: "Context7",
    description:
      "Finds current documentation and examples of programming libraries, by version. Upstash's own server.",
    category: "dev",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "It works without an account, with a low limit of requests. For more, create a key in Context7's dashboard and set CONTEXT7_API_KEY. Agents' questions go to Upstash: they should hold nothing confidential.",
    homepage: "https://github.com/upstash/context7",
    manifest: {
      package: "@upstash/context7-mcp",
      version: "4.1.1",
      integrity:
        "sha512-fUARTIZGVKzlzQKDhKUg4aIQ3yEU/12STdfxJDDnLMSN7yyHiPvNHI05iFwxkv3vC8G76Wp27MwK6Jucl/C5pA==",
      lockedAt: "2026-11-22",
      command: "context7-mcp",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "CONTEXT7_API_KEY",
        description: "API key (ctx7sk-...), for higher limits",
        required: false,
        secret: true,
        default: null,
      },
    ],
  },
  {
    id: "deepwiki",
    name: "DeepWiki",
    description:
      "This server answers questions about public GitHub repositories from generated documentation. Cognition's own server, hosted by Cognition.",
    category: "dev",
    transport: "http",
    runtime: "none",
    verified: true,
    installInstructions:
      "Nothing runs on the host, and no account is needed. It knows public repositories only. Its answers are written by a language model: they can be wrong or out of date.",
    homepage: "https://github.com/CognitionAI/deepwiki",
    manifest: { url: "https://mcp.deepwiki.com/mcp", headers: {} },
    envVars: [],
  },
];
