import { HttpServerResponse } from "effect/http";

/**
 * OAuth errors for agent hosts. After a 401 these hosts look for OAuth, but this server accepts API
 * keys only. They show `error_description` to their users and ignore the members of a problem.
 */

const description =
  "This server does not support signing in with OAuth. Configure the header `Authorization: Bearer <key>` with the API key of an agent, which an Admin creates with POST /api/keys and agentId.";

/** The `WWW-Authenticate` header of a 401 at the agents' endpoint. */
export const challenge = `Bearer error="invalid_token", error_description="${description}"`;

const error = (status: number, code: string) =>
  HttpServerResponse.jsonUnsafe(
    { error: code, error_description: description },
    { status, headers: { "cache-control": "no-store" } },
  );

const notFound = error(404, "not_found");

/** The paths where clients look for OAuth endpoints if a server has no metadata. */
const endpoints: Readonly<Record<string, HttpServerResponse.HttpServerResponse>> = {
  "/register": error(400, "access_denied"),
  "/authorize": error(400, "unsupported_response_type"),
  "/token": error(400, "unsupported_grant_type"),
};

/** The metadata paths of RFC 9728, RFC 8414 and OpenID Connect, for the server and for `/mcp`. */
const metadata =
  /^(\/mcp)?\/\.well-known\/(oauth-protected-resource|oauth-authorization-server|openid-configuration)(\/|$)/;

/** The response at an OAuth path, for any method; undefined for every other path. */
export const at = (url: string): HttpServerResponse.HttpServerResponse | undefined => {
  const [path = ""] = url.split("?", 1);
  return endpoints[path] ?? (metadata.test(path) ? notFound : undefined);
};
