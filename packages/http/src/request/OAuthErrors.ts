import { HttpServerResponse } from "effect/http";

/**
 * Agents' hosts that get a 401 look for OAuth at this server, which takes API keys only. Their requests get
 * OAuth's own errors, because hosts show `error_description` to their users and nothing of a problem.
 */

const description =
  "This server does not support signing in with OAuth. Configure the header `Authorization: Bearer <key>` with the API key of an agent, which an Admin creates with POST /api/keys and agentId.";

/** `WWW-Authenticate` of a 401 at the agents' endpoint. */
export const challenge = `Bearer error="invalid_token", error_description="${description}"`;

const error = (status: number, code: string) =>
  HttpServerResponse.jsonUnsafe(
    { error: code, error_description: description },
    { status, headers: { "cache-control": "no-store" } },
  );

const notFound = error(404, "not_found");

/** The paths where clients expect the endpoints of an authorization server without metadata. */
const endpoints: Readonly<Record<string, HttpServerResponse.HttpServerResponse>> = {
  "/register": error(400, "access_denied"),
  "/authorize": error(400, "unsupported_response_type"),
  "/token": error(400, "unsupported_grant_type"),
};

/** The metadata of RFC 9728, RFC 8414 and OpenID Connect, for the server and for its path `/mcp`. */
const metadata =
  /^(\/mcp)?\/\.well-known\/(oauth-protected-resource|oauth-authorization-server|openid-configuration)(\/|$)/;

/** The response at a path of OAuth, by any method; undefined for every other path. */
export const at = (url: string): HttpServerResponse.HttpServerResponse | undefined => {
  const [path = ""] = url.split("?", 1);
  return endpoints[path] ?? (metadata.test(path) ? notFound : undefined);
};
