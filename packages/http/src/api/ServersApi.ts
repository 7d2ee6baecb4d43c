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
    description: "Returns every installed server, oldest first, without the values of variables.",
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
      "Installs the server disabled, without access for any agent. Values are stored encrypted. Requires HTTPS.",
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
    description: "Returns the server. `env` lists its variables without their values.",
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
      "An omitted field does not change. Values are merged with the stored ones; `null` removes an optional value. `version: catalog` updates the server to the catalog's version if the verification of that version succeeds. The next call uses the new values. Requires HTTPS.",
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
    description: "Stops the server's process and removes its secrets, tools and access.",
    access: management,
  }),
);

const started = InstalledServer.InstalledServer.pipe(HttpApiSchema.status(202));

/**
 * `true`, `false` or a digest, decoded from its text: a union would report one message for each
 * member.
 */
const acceptance = Schema.String.check(
  Schema.isPattern(/^(true|false|[0-9a-f]{64})$/, { expected: "true, false or a toolsDigest" }),
)
  // The OpenAPI document describes the encoded side.
  .annotate({
    description:
      "`true` accepts the tools that have not changed since the last recorded list. A `toolsDigest` accepts the tools of the list with that digest; if the list changed, the response is 412. Default: `false`.",
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
      "Starts a fresh process or connection and lists the tools. `details` has the response time or the reason of the failure. `capabilities` lists the tool names and is missing after a failure. Fetching a package can take minutes: the verification continues if the caller disconnects, and `lastVerification` gets the result. With `Prefer: respond-async` returns the installed server with 202, and the event `mcp.verified` reports the result.",
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
      "Agents with access get the server's tools with their next turn. The package is fetched in the background; the events `mcp.preparing` and `mcp.prepared` report the progress. With `Prefer: respond-async` returns the installed server with 202. Idempotent.",
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
    description: "Stops the server's process. Calls of its tools fail. Idempotent.",
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
      "Returns one entry per registered agent, by agent id; all of them, or paged with `limit` or `cursor`.",
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
      "Sets the access of the listed agents in one transaction; the access of other agents does not change. `tools: null` grants all tools, `[]` grants none, and an omitted `tools` does not change.",
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
      "Accepts the `mcpServers` or `servers` of Claude Desktop, Cursor or VS Code, or the text of Codex's `config.toml` as `toml`. Installs each server that matches a catalog entry, disabled, and reports why it skipped the others. With an Owner key it also takes a `server.json` of the official registry and creates a catalog entry from it. Requires HTTPS.",
    access: management,
    carriesSecrets: true,
  }),
);

/** Installed MCP servers, and access to them. */
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
      description: "Installed MCP servers, and the agents that may use them.",
    }),
  ) {}
