import { Id } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, management } from "./Access.ts";
import * as Problem from "./Problem.ts";

/** Where authorization servers send the browser back to. */
export const callbackPath = "/oauth/callback";

/** Where authorization servers find out what we are. */
export const clientPath = "/oauth/client";

const begin = HttpApiEndpoint.post("begin", "/api/mcp/installed/:serverId/authorize", {
  params: { serverId: Id.ServiceId },
  success: Schema.Struct({
    url: Schema.String.annotate({ description: "To be opened in a browser, within 10 minutes." }),
  }),
  error: [Problem.NotFound, Problem.AuthorizationFailed],
}).annotateMerge(
  about({
    summary: "Authorize a server",
    description:
      "Begins OAuth for a server elsewhere whose entry has no `Authorization` header with a value. Whoever opens the address signs in and consents; agents then act as that user. The tokens are kept encrypted and renewed by themselves.",
    access: management,
  }),
);

const callback = HttpApiEndpoint.get("callback", callbackPath, {
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })),
}).annotateMerge(
  about({
    summary: "The end of an authorization",
    description:
      "Where the authorization server sends the browser, with `state`, `code`, `iss` or `error`. A page says how it went: 200, or 400. A state is good once.",
    access: null,
  }),
);

const client = HttpApiEndpoint.get("client", clientPath, {
  success: Schema.Json,
}).annotateMerge(
  about({
    summary: "This server as an OAuth client",
    description: "The metadata document, for authorization servers that read one.",
    access: null,
  }),
);

/** Authorization of servers elsewhere. */
export class AuthorizationApi extends HttpApiGroup.make("authorization")
  .add(begin)
  .middleware(Conventions)
  .middleware(Authorization)
  .add(callback, client)
  .annotateMerge(
    OpenApi.annotations({
      title: "Authorization of servers",
      description: "OAuth for MCP servers that want it.",
    }),
  ) {}
