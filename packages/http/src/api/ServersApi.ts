import { Id, Imports, InstalledServer, Tool } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, management } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey } from "./Query.ts";

const path = "/api/mcp/installed";
const params = { serverId: Id.ServiceId };
const environment = [
  Problem.UnknownReference,
  Problem.UnknownEnv,
  Problem.MissingEnv,
  Problem.ForbiddenPath,
] as const;

const list = HttpApiEndpoint.get("list", path, {
  success: Schema.Array(InstalledServer.InstalledServer),
}).annotateMerge(
  about({
    summary: "List installed servers",
    description: "All of them, oldest first. Values of variables are never shown.",
    access: management,
  }),
);

const install = HttpApiEndpoint.post("install", path, {
  headers: idempotencyKey,
  payload: InstalledServer.ServerInstall.pipe(
    Schema.annotateEncoded({
      examples: [
        { catalogId: "github", envValues: { GITHUB_TOKEN: "ghp_..." } },
        {
          catalogId: "filesystem",
          name: "reports",
          envValues: { ALLOWED_DIRECTORY: "/srv/reports" },
        },
      ],
    }),
  ),
  success: InstalledServer.InstalledServer.pipe(HttpApiSchema.status(201)),
  error: [
    Problem.HttpsRequired,
    Problem.NotFound,
    ...environment,
    Problem.RuntimeMissing,
    Problem.NameTaken,
    Problem.IdempotencyMismatch,
  ],
}).annotateMerge(
  about({
    summary: "Install a server",
    description:
      "It is disabled then, and granted to nobody. Values are encrypted before they are stored. Over HTTPS only.",
    access: management,
    idempotencyKey: "honoured",
    carriesSecrets: true,
  }),
);

const get = HttpApiEndpoint.get("get", `${path}/:serverId`, {
  params,
  success: InstalledServer.InstalledServer,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get an installed server",
    description: "`env` says which variables have a value, never which one.",
    access: management,
  }),
);

const update = HttpApiEndpoint.put("update", `${path}/:serverId`, {
  params,
  payload: InstalledServer.ServerUpdate.pipe(
    Schema.annotateEncoded({
      examples: [{ envValues: { GITHUB_TOKEN: "ghp_..." } }, { version: "catalog" }],
    }),
  ),
  success: InstalledServer.InstalledServer,
  error: [
    Problem.HttpsRequired,
    Problem.NotFound,
    ...environment,
    Problem.VerificationFailed,
    Problem.NameTaken,
  ],
}).annotateMerge(
  about({
    summary: "Update an installed server",
    description:
      "What is omitted stays; values are merged, and `null` removes an optional one. `version: catalog` moves to the catalogue's version if that verifies. The next use has the new values. Over HTTPS only.",
    access: management,
    carriesSecrets: true,
  }),
);

const remove = HttpApiEndpoint.delete("uninstall", `${path}/:serverId`, {
  params,
  success: HttpApiSchema.NoContent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Uninstall a server",
    description: "Its process is ended, and its secrets, tools and access are removed.",
    access: management,
  }),
);

const verify = HttpApiEndpoint.post("verify", `${path}/:serverId/verify`, {
  params,
  query: {
    accept: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "Accepts the tools as they are now." }),
    ),
  },
  success: InstalledServer.VerifyResult,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Verify a server",
    description:
      "Starts it afresh, once, and lists its tools. `details` has the response time or the reason; `capabilities` are the tools' names, and are missing if it failed.",
    access: management,
  }),
);

const enable = HttpApiEndpoint.post("enable", `${path}/:serverId/enable`, {
  params,
  success: HttpApiSchema.NoContent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Enable a server",
    description: "Agents that it is granted to have its tools on their next turn. Idempotent.",
    access: management,
  }),
);

const disable = HttpApiEndpoint.post("disable", `${path}/:serverId/disable`, {
  params,
  success: HttpApiSchema.NoContent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Disable a server",
    description: "Its process is ended, and calls of its tools fail. Idempotent.",
    access: management,
  }),
);

const tools = HttpApiEndpoint.get("tools", `${path}/:serverId/tools`, {
  params,
  success: Schema.Array(Tool.ServerTool),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List a server's tools",
    description:
      "Each with the definition that was accepted and the one last seen. A changed or new one is withheld until a verify accepts it.",
    access: management,
  }),
);

const access = HttpApiEndpoint.get("access", `${path}/:serverId/access`, {
  params,
  success: Schema.Array(InstalledServer.AccessEntry),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Who may use a server",
    description: "One entry for each registered agent, by agent id.",
    access: management,
  }),
);

const putAccess = HttpApiEndpoint.put("putAccess", `${path}/:serverId/access`, {
  params,
  payload: InstalledServer.AccessUpdate.annotate({
    examples: [{ entries: [{ agentId: "agent-ops", granted: true, tools: ["search"] }] }],
  }),
  success: Schema.Array(InstalledServer.AccessEntry),
  error: [Problem.NotFound, Problem.UnknownReference],
}).annotateMerge(
  about({
    summary: "Grant or revoke a server",
    description:
      "Agents that are not named keep their access. `tools` null is all, omitted stays, `[]` allows none. All of it happens, or nothing.",
    access: management,
  }),
);

const importServers = HttpApiEndpoint.post("import", "/api/mcp/import", {
  payload: Imports.ClientConfiguration.annotate({
    examples: [
      {
        mcpServers: {
          notes: {
            command: "npx",
            args: ["-y", "@notionhq/notion-mcp-server"],
            env: { NOTION_TOKEN: "ntn_..." },
          },
        },
      },
    ],
  }),
  success: Schema.Array(Imports.ImportResult),
  error: Problem.HttpsRequired,
}).annotateMerge(
  about({
    summary: "Import a client's configuration",
    description:
      "The `mcpServers` or `servers` of Claude Desktop, Cursor or VS Code, pasted. Each server that matches a catalogue entry is installed, disabled; of each other the reason is told. Over HTTPS only.",
    access: management,
    carriesSecrets: true,
  }),
);

/** Installed MCP servers, and who may use them. */
export class ServersApi extends HttpApiGroup.make("servers")
  .add(list, install, get, update, remove, verify, enable, disable)
  .add(tools, access, putAccess, importServers)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Installed servers",
      description: "MCP servers, from installing to uninstalling, and who may use them.",
    }),
  ) {}
