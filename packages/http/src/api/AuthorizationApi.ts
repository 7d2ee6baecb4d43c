import { Id } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, management } from "./Access.ts";
import * as Problem from "./Problem.ts";

/** The path to which authorization servers redirect the browser. */
export const callbackPath = "/oauth/callback";

/** The path of our Client ID Metadata Document, which authorization servers read. */
export const clientPath = "/oauth/client";

const begin = HttpApiEndpoint.post("begin", "/api/mcp/installed/:serverId/authorize", {
  params: { serverId: Id.ServiceId.annotateKey({ description: "The installed server's id." }) },
  success: Schema.Struct({
    url: Schema.String.annotateKey({
      description: "The URL to open in a browser within 10 minutes.",
    }),
  }),
  error: [Problem.NotFound, Problem.AuthorizationFailed],
}).annotateMerge(
  about({
    summary: "Authorize a server",
    description:
      "Starts OAuth for a remote server whose entry sends no `Authorization` header. Open the returned URL in a browser, sign in and consent; agents then act with that consent. The service encrypts the tokens and refreshes them.",
    access: management,
  }),
);

const callback = HttpApiEndpoint.get("callback", callbackPath, {
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })),
}).annotateMerge(
  about({
    summary: "Finish an authorization",
    description:
      "The authorization server sends the browser here with `state`, `code`, `iss` or `error`. The page reports whether the authorization succeeded (200) or failed (400). A state works once.",
    access: null,
  }),
);

const client = HttpApiEndpoint.get("client", clientPath, {
  success: Schema.Json,
}).annotateMerge(
  about({
    summary: "Get the OAuth client metadata",
    description:
      "Returns the Client ID Metadata Document of this server, for authorization servers that support such documents.",
    access: null,
  }),
);

/** Authorization of remote servers. */
export class AuthorizationApi extends HttpApiGroup.make("authorization")
  .add(begin)
  .middleware(Conventions)
  .middleware(Authorization)
  .add(callback, client)
  .annotateMerge(
    OpenApi.annotations({
      title: "Server authorization",
      description: "OAuth for remote MCP servers.",
    }),
  ) {}
