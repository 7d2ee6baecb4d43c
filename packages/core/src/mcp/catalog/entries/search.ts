import type { BuiltIn } from "../../CatalogEntry.ts";
import { defaults } from "../../Sandbox.ts";

export const search: ReadonlyArray<BuiltIn> = [
  {
    id: "brave-search",
    name: "Brave Search",
    description:
      "Searches the web, news, images, videos and places with Brave's independent index, and summarizes results. Brave's own server.",
    category: "search",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. Sign up for the Brave Search API, choose a plan and create a key in its dashboard.\n2. Set BRAVE_API_KEY.\nPlaces and summaries need a plan that has them. The tools' schemas are large (over 100 kB): if agents need only web search, name its tool in BRAVE_MCP_ENABLED_TOOLS.",
    homepage: "https://github.com/brave/brave-search-mcp-server",
    manifest: {
      package: "@brave/brave-search-mcp-server",
      version: "2.1.4",
      integrity:
        "sha512-a34HBs6os4Ilp0yHPV/j3UrgBQH1uTDLsNA9y5IlO30RCYUFm9QPfC0coh2c7WEDxKcHuWjVsrfuXIJNheu9YA==",
      lockedAt: "2026-11-22",
      command: "brave-search-mcp-server",
      args: ["--transport", "stdio"],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "BRAVE_API_KEY",
        description: "Key of the Brave Search API",
        required: true,
        secret: true,
        default: null,
      },
      {
        name: "BRAVE_MCP_ENABLED_TOOLS",
        description:
          "The only tools to offer, separated by spaces: brave_web_search brave_news_search",
        required: false,
        secret: false,
        default: null,
      },
      {
        name: "BRAVE_MCP_DISABLED_TOOLS",
        description: "Tools not to offer, separated by spaces",
        required: false,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "tavily",
    name: "Tavily",
    description:
      "Searches the web for agents, extracts the text of pages, maps and crawls sites. Tavily's own server.",
    category: "search",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. Create a key in Tavily's dashboard.\n2. Set TAVILY_API_KEY.\nCrawls and deep searches cost more credits than simple ones; DEFAULT_PARAMETERS can set cheaper defaults for searches.",
    homepage: "https://github.com/tavily-ai/tavily-mcp",
    manifest: {
      package: "tavily-mcp",
      version: "0.2.22",
      integrity:
        "sha512-w2pmmmn/JKcNavylDoiNtNPflWt6SK2G1SVUvg0VvdvFJQUaOzEdanAm1VUWBOhUCqmVoBYVPstGcOoWvh8RQQ==",
      lockedAt: "2026-11-22",
      command: "tavily-mcp",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "TAVILY_API_KEY",
        description: "API key (tvly-...)",
        required: true,
        secret: true,
        default: null,
      },
      {
        name: "DEFAULT_PARAMETERS",
        description: 'Defaults of a search, as a JSON object: {"max_results": 5}',
        required: false,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "exa",
    name: "Exa",
    description: "Searches the web by meaning and fetches the text of pages. Exa's own server.",
    category: "search",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. Create a key in Exa's dashboard.\n2. Set EXA_API_KEY.\nThe server reports which tools are used, without what goes in or comes out, to an analytics service (api.agnost.ai), and has no switch for it; block that address where this matters.",
    homepage: "https://github.com/exa-labs/exa-mcp-server",
    manifest: {
      package: "exa-mcp-server",
      version: "3.4.1",
      integrity:
        "sha512-X6g4J9LXLJZ0uK52G8KE/KCaxpaD+wkEHzjkoDTYkC+afxfm5xqWgih3i0hgTfyufl6PggkLeR0L6rDAxW6ETg==",
      lockedAt: "2026-11-22",
      command: "exa-mcp-server",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "EXA_API_KEY",
        description: "API key",
        required: true,
        secret: true,
        default: null,
      },
    ],
  },
  {
    id: "perplexity",
    name: "Perplexity",
    description:
      "Asks Perplexity's models, which answer from the live web with sources, do research or reason; and searches. Perplexity's own server.",
    category: "search",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. In Perplexity's API console, set up billing and create a key.\n2. Set PERPLEXITY_API_KEY.\nResearch can take minutes: the server waits five minutes (default of PERPLEXITY_TIMEOUT_MS), and each call is billed.",
    homepage: "https://docs.perplexity.ai/guides/mcp-server",
    manifest: {
      package: "@perplexity-ai/mcp-server",
      version: "1.2.1",
      integrity:
        "sha512-nhqGnbTAdb+BblDAG59vD0u4T3/QzDA7h6pYbBP1djH7RGjJcTg8uLVAJ7jNkbKF90NkQ/fF9K8u8SkKUQZEyQ==",
      lockedAt: "2026-11-22",
      command: "perplexity-mcp",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "PERPLEXITY_API_KEY",
        description: "API key (pplx-...)",
        required: true,
        secret: true,
        default: null,
      },
      {
        name: "PERPLEXITY_TIMEOUT_MS",
        description: "Milliseconds that a request may take",
        required: false,
        secret: false,
        default: "300000",
      },
      {
        name: "PERPLEXITY_BASE_URL",
        description: "Address of the API, if it is another",
        required: false,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "firecrawl",
    name: "Firecrawl",
    description:
      "Scrapes, crawls, maps and searches the web, and extracts structured data from pages and documents. Firecrawl's own server.",
    category: "search",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. Create a key in Firecrawl's dashboard.\n2. Set FIRECRAWL_API_KEY. For a Firecrawl of your own set FIRECRAWL_API_URL to its address too, and any text as the key if it asks for none.\nNeeds Node 22 or newer. Crawls spend credits per page: agents should be given limits in their instructions.",
    homepage: "https://github.com/firecrawl/firecrawl-mcp-server",
    manifest: {
      package: "firecrawl-mcp",
      version: "3.26.0",
      integrity:
        "sha512-aJPkPDSeQAIvA1RthFsLStXf5GHWE6hZa8MC36fk3JXC9etj0kUwBF1CFl3th0DmaFTZ0gZ9+eSvauyEDdPDwA==",
      lockedAt: "2026-11-22",
      command: "firecrawl-mcp",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "FIRECRAWL_API_KEY",
        description: "API key (fc-...)",
        required: true,
        secret: true,
        default: null,
      },
      {
        name: "FIRECRAWL_API_URL",
        description: "Address of a Firecrawl of your own",
        required: false,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "duckduckgo",
    name: "DuckDuckGo",
    description:
      "Searches the web through DuckDuckGo and fetches the text of pages, without any account. By the community.",
    category: "search",
    transport: "stdio",
    runtime: "pipx",
    verified: false,
    installInstructions:
      "1. Install pipx on the host.\n2. Nothing is to be configured.\nIt reads DuckDuckGo's result pages, which is slow and refused when asked too often: for steady use choose a search service with a key. Its fetching tool can reach any address that the host reaches, internal ones too; allow it only where that is fine.",
    homepage: "https://github.com/nickclyde/duckduckgo-mcp-server",
    manifest: {
      package: "duckduckgo-mcp-server",
      version: "0.7.0",
      integrity: null,
      lockedAt: "2026-11-22",
      command: "duckduckgo-mcp-server",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [],
  },
];
