import type { BuiltIn } from "../../CatalogEntry.ts";
import { defaults } from "../../Sandbox.ts";

export const saas: ReadonlyArray<BuiltIn> = [
  {
    id: "github",
    name: "GitHub",
    description:
      "Works with repositories, issues, pull requests, actions and security alerts on GitHub. GitHub's own server, hosted by GitHub.",
    category: "saas",
    transport: "http",
    runtime: "none",
    verified: true,
    installInstructions:
      "1. On GitHub, under Settings > Developer settings > Personal access tokens, create a fine-grained token for the repositories that the agents may use, with the permissions that they need (for example Contents, Issues and Pull requests).\n2. Set GITHUB_TOKEN to it. An organization may have to approve the token first.\nAgents act as the token's owner. Tokens expire: note the date.",
    homepage: "https://github.com/github/github-mcp-server",
    manifest: {
      url: "https://api.githubcopilot.com/mcp/",
      headers: { Authorization: "Bearer ${GITHUB_TOKEN}" },
    },
    envVars: [
      {
        name: "GITHUB_TOKEN",
        description: "Personal access token, best a fine-grained one",
        required: true,
        secret: true,
        default: null,
      },
    ],
  },
  {
    id: "gitlab",
    name: "GitLab",
    description:
      "Works with projects, merge requests, issues, pipelines, wikis and releases of GitLab, hosted or self-managed. By the community; it reads only, unless another mode is set.",
    category: "saas",
    transport: "stdio",
    runtime: "node",
    verified: false,
    installInstructions:
      "1. In GitLab, under Preferences > Access tokens (or in a project's or group's settings), create a token with the scope read_api, or api where agents shall write.\n2. Set GITLAB_PERSONAL_ACCESS_TOKEN, and GITLAB_API_URL for a self-managed GitLab.\nGITLAB_PERMISSION_MODE is readonly here; modify allows creating and updating, full deleting too. The server has more than a hundred tools: choose groups of them with GITLAB_TOOLSETS, or grant agents single ones.",
    homepage: "https://github.com/zereight/gitlab-mcp",
    manifest: {
      package: "@zereight/mcp-gitlab",
      version: "2.1.64",
      integrity:
        "sha512-t2s7VDHuuQXCQFA7vfPrBPpMpvPEObk0gNiDd1y57uN+wJS8XkCgkJCdvL1j3dx6WNuyxHCh0HdG7CoXNaegKw==",
      lockedAt: "2026-11-22",
      command: "mcp-gitlab",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: {
        ...defaults,
        // The path where the server looks for Windows under WSL.
        read: ["/proc/sys/fs/binfmt_misc/WSLInterop", "/run/WSL"],
        workers: true,
      },
    },
    envVars: [
      {
        name: "GITLAB_PERSONAL_ACCESS_TOKEN",
        description: "Access token of a user, group or project",
        required: true,
        secret: true,
        default: null,
      },
      {
        name: "GITLAB_API_URL",
        description: "Address of the API: https://gitlab.example.com/api/v4",
        required: false,
        secret: false,
        default: "https://gitlab.com/api/v4",
      },
      {
        name: "GITLAB_PERMISSION_MODE",
        description: "readonly, modify (no deleting) or full",
        required: false,
        secret: false,
        default: "readonly",
      },
      {
        name: "GITLAB_TOOLSETS",
        description: "Groups of tools, comma-separated; the server's own choice if not set",
        required: false,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "stripe",
    name: "Stripe",
    description:
      "Works with customers, products, prices, invoices, payment links, refunds and the documentation of Stripe. Stripe's own server, hosted by Stripe.",
    category: "saas",
    transport: "http",
    runtime: "none",
    verified: true,
    installInstructions:
      "1. In the Stripe dashboard, under Developers > API keys, create a restricted key with only the permissions that the agents need; start in a sandbox.\n2. Set STRIPE_SECRET_KEY to it.\nDo not use the account's unrestricted secret key: with it an agent can move money.",
    homepage: "https://docs.stripe.com/mcp",
    manifest: {
      url: "https://mcp.stripe.com",
      headers: { Authorization: "Bearer ${STRIPE_SECRET_KEY}" },
    },
    envVars: [
      {
        name: "STRIPE_SECRET_KEY",
        description: "Restricted API key (rk_...)",
        required: true,
        secret: true,
        default: null,
      },
    ],
  },
  {
    id: "sentry",
    name: "Sentry",
    description:
      "Looks into issues, events, traces and releases of Sentry, and triages issues. Sentry's own server.",
    category: "saas",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. In Sentry, under Settings > Account > Personal tokens, create a token with the scopes org:read, project:read, team:read and event:read; add event:write for triage and project:write for changes of projects.\n2. Set SENTRY_ACCESS_TOKEN, and SENTRY_HOST for a self-hosted Sentry.\nNeeds Node 22.13 or newer. Searches in plain language need a language model's key of their own and are not offered here.",
    homepage: "https://github.com/getsentry/sentry-mcp",
    manifest: {
      package: "@sentry/mcp-server",
      version: "0.39.0",
      integrity:
        "sha512-sJzFkzka+1wkrCk+v/uWvl3lB0Kcu6Mb/jxlnOZyifJKhTpWv1gF6pJEmAGmf19s2f0ARAw6CsDaYuhGN+I4bw==",
      lockedAt: "2026-11-22",
      command: "sentry-mcp",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "SENTRY_ACCESS_TOKEN",
        description: "User token",
        required: true,
        secret: true,
        default: null,
      },
      {
        name: "SENTRY_HOST",
        description: "Host name of a self-hosted Sentry, without scheme: sentry.example.com",
        required: false,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "hubspot",
    name: "HubSpot",
    description:
      "Reads and writes CRM objects, associations, properties and engagements of HubSpot. HubSpot's own server.",
    category: "saas",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. In HubSpot, as a super admin, create a private app under Settings > Integrations, with read scopes first (for example crm.objects.contacts.read) and write scopes where agents shall write.\n2. Set PRIVATE_APP_ACCESS_TOKEN to the app's access token.\nThe scopes are the limit of what agents can do.",
    homepage: "https://www.npmjs.com/package/@hubspot/mcp-server",
    manifest: {
      package: "@hubspot/mcp-server",
      version: "0.4.0",
      integrity:
        "sha512-nNNrqysJrCkPb8XWl3wd2d61nTLf8IAnfWOHag4FCSRKRjSXuIE/2h4GVUcPmVhJVaN7RsIq8C43BMFV+EI9GA==",
      lockedAt: "2026-11-22",
      command: "mcp-hubspot",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "PRIVATE_APP_ACCESS_TOKEN",
        description: "Access token of a private app (pat-...)",
        required: true,
        secret: true,
        default: null,
      },
    ],
  },
  {
    id: "airtable",
    name: "Airtable",
    description:
      "Lists bases and tables of Airtable, and reads and writes records, fields and comments. By the community.",
    category: "saas",
    transport: "stdio",
    runtime: "node",
    verified: false,
    installInstructions:
      "1. In Airtable's Builder Hub, create a personal access token with the scopes schema.bases:read and data.records:read (and schema.bases:write, data.records:write, data.recordComments:read and data.recordComments:write where agents shall write), limited to the bases that they may use.\n2. Set AIRTABLE_API_KEY to the token.",
    homepage: "https://github.com/domdomegg/airtable-mcp-server",
    manifest: {
      package: "airtable-mcp-server",
      version: "1.14.0",
      integrity:
        "sha512-OYUwkrIhXsYRqx39wQ5R7OAM5R0RdDWJRb8CBMLFU8OGPAB1Jmm4oOrLtaH3Qmtd+UG2IAT+nFlFrqfs//2klA==",
      lockedAt: "2026-11-22",
      command: "airtable-mcp-server",
      args: [],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "AIRTABLE_API_KEY",
        description: "Personal access token (pat...)",
        required: true,
        secret: true,
        default: null,
      },
    ],
  },
  {
    id: "atlassian",
    name: "Jira and Confluence",
    description:
      "Searches, reads and writes Jira issues and Confluence pages of an Atlassian cloud site. Atlassian's own server, hosted by Atlassian.",
    category: "saas",
    transport: "http",
    runtime: "none",
    verified: true,
    installInstructions:
      "Nothing runs on the host. A site administrator may have to allow this service's address first, under the site's Rovo MCP server settings. After installing, authorize the server: open the URL of its authorization in a browser, where an Atlassian user signs in and consents. Agents then see and change what that user can: best an account of their own.",
    homepage: "https://support.atlassian.com/atlassian-rovo-mcp-server",
    manifest: { url: "https://mcp.atlassian.com/v1/mcp", headers: {} },
    envVars: [],
  },
];
