import { Import, AccessEntry, InstalledServer } from "@quartermaster/core";
import { Schema, SchemaTransformation } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, management } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, paging, prefer } from "./Query.ts";
import * as ServerTools from "./ServerTools.ts";

const { params, path } = ServerTools;

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
    description: "Returns all of them, oldest first, never with a value of a variable.",
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
      "Installs the server disabled and granted to no agent. The service encrypts values before it stores them. Over HTTPS only.",
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
    description: "`env` lists the variables that have a value, never the value.",
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
      "An omitted field is left alone; values are merged, and `null` removes an optional one. `version: catalog` moves to the version of the catalog, if that verifies. The next use has the new values. Over HTTPS only.",
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
    description: "Stops its process and removes its secrets, tools and access.",
    access: management,
  }),
);

const started = InstalledServer.InstalledServer.pipe(HttpApiSchema.status(202));

/** Decoded from its text, whose refusal is one sentence: a union has one for each member. */
const acceptance = Schema.String.check(
  Schema.isPattern(/^(true|false|[0-9a-f]{64})$/, { expected: "true, false or a toolsDigest" }),
)
  // The OpenAPI document describes the encoded side.
  .annotate({
    description:
      "`true` accepts the tools that are still as they were recorded before the request. A `toolsDigest` accepts the tools that it was shown with, or is 412. Default: `false`.",
    contentSchema: {
      anyOf: [
        { type: "boolean", default: false },
        { type: "string", pattern: "^[0-9a-f]{64}$" },
      ],
    },
  })
  .pipe(
    Schema.decodeTo(
      Schema.Union([Schema.Boolean, Schema.String]),
      SchemaTransformation.transform({
        decode: (text) => (text === "true" || text === "false" ? text === "true" : text),
        encode: String,
      }),
    ),
  );

const verify = HttpApiEndpoint.post("verify", `${path}/:serverId/verify`, {
  params,
  headers: prefer,
  query: {
    accept: Schema.optionalKey(acceptance),
  },
  success: [InstalledServer.VerifyResult, started],
  error: [Problem.NotFound, Problem.PreconditionFailed, Problem.SandboxMissing],
}).annotateMerge(
  about({
    summary: "Verify a server",
    description:
      "Starts the server once, afresh, and lists its tools. `details` has the response time or the reason of the failure; `capabilities` lists the tool names and is missing after a failure. A verify whose package has to be fetched takes minutes: it continues if the caller disconnects, and `lastVerification` of the server gets its result. With `Prefer: respond-async`, 202 has the installed server, and the event `mcp.verified` reports the result.",
    access: management,
  }),
);

const enable = HttpApiEndpoint.post("enable", `${path}/:serverId/enable`, {
  params,
  headers: prefer,
  success: [HttpApiSchema.NoContent, started],
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Enable a server",
    description:
      "Agents with access have its tools from their next turn. Its package is fetched in the background: the events `mcp.preparing` and `mcp.prepared` report it. With `Prefer: respond-async`, 202 has the installed server. Idempotent.",
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
    description: "Stops its process; calls of its tools fail. Idempotent.",
    access: management,
  }),
);

const access = HttpApiEndpoint.get("access", `${path}/:serverId/access`, {
  params,
  query: {
    ...paging,
    limit: paging.limit.annotateKey({
      description: "Items per page, 1 to 500. Default: all, if there is no `cursor` either.",
      contentSchema: { type: "integer", minimum: 1, maximum: 500 },
    }),
    order: paging.order.annotateKey({ description: "`asc` (default) or `desc`, by agent id." }),
  },
  success: Schema.Array(AccessEntry.AccessEntry),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List a server's access",
    description:
      "Returns one entry for each registered agent, by agent id; all of them, or paged with `limit` or `cursor`.",
    access: management,
  }),
);

const putAccess = HttpApiEndpoint.put("putAccess", `${path}/:serverId/access`, {
  params,
  payload: AccessEntry.AccessUpdate.annotate({
    examples: [{ entries: [{ agentId: "agent-ops", granted: true, tools: ["search"] }] }],
  }),
  success: Schema.Array(AccessEntry.AccessEntry),
  error: [Problem.NotFound, Problem.UnknownReference, Problem.LimitExceeded],
}).annotateMerge(
  about({
    summary: "Grant or revoke a server",
    description:
      "Agents that are not listed keep their access. `tools: null` grants all tools, `[]` none; omitted, it is left alone. Changes every entry or nothing.",
    access: management,
  }),
);

const importServers = HttpApiEndpoint.post("import", "/api/mcp/import", {
  payload: Import.ImportDocument.annotate({
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
  success: Schema.Array(Import.ImportResult),
  error: Problem.HttpsRequired,
}).annotateMerge(
  about({
    summary: "Import a client's configuration or a server.json",
    description:
      "Takes the `mcpServers` or `servers` of Claude Desktop, Cursor or VS Code, or Codex's `config.toml` as `toml`. Installs each server that matches a catalog entry, disabled, and reports why each other server was skipped. With an Owner key it also takes a `server.json` of the official registry and creates a catalog entry from it. Requires HTTPS.",
    access: management,
    carriesSecrets: true,
  }),
);

/** Installed MCP servers, and who may use them. */
export class ServersApi extends HttpApiGroup.make("servers")
  .add(list, install, get, update, remove, verify, enable, disable)
  .add(ServerTools.tools, ServerTools.acceptTools)
  .add(ServerTools.blockTools, ServerTools.unblockTools)
  .add(access, putAccess, importServers)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Installed servers",
      description: "MCP servers that are installed, and the agents that may use them.",
    }),
  ) {}
