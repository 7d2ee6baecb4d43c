import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  type FetchLike,
  IssuerMismatchError,
  resourceUrlFromServerUrl,
} from "@modelcontextprotocol/client";
import { OAuthClient } from "@quartermaster/core";
import * as SafeFetch from "./SafeFetch.ts";

const { OAuthFailure } = OAuthClient;

/** The authorization server of an MCP server. */
export interface Discovered {
  readonly metadata: AuthorizationServerMetadata;
  /** The resource that tokens are for (RFC 8707). */
  readonly resource: string;
  /** The scopes to request, separated by spaces. */
  readonly scope: string | undefined;
}

type Challenge = ReturnType<typeof extractWWWAuthenticateParams>;

/** Requests a server without a token to get its metadata URL and required scopes. */
const challenge = async (
  transport: "http" | "sse",
  server: URL,
  fetch: FetchLike,
): Promise<Challenge> => {
  const response = await fetch(
    server,
    transport === "sse"
      ? { headers: { accept: "text/event-stream" } }
      : {
          method: "POST",
          headers: {
            accept: "application/json, text/event-stream",
            "content-type": "application/json",
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
        },
  );
  await response.body?.cancel().catch(() => undefined);
  return response.status === 401 ? extractWWWAuthenticateParams(response) : {};
};

/** The metadata of the resource (RFC 9728); null if the server predates it. */
const resourceMetadata = async (server: URL, location: URL | undefined, fetch: FetchLike) => {
  if (location !== undefined) SafeFetch.check(location, server);
  return discoverOAuthProtectedResourceMetadata(
    server,
    location && { resourceMetadataUrl: location },
    fetch,
  ).catch((error) => {
    if (error instanceof OAuthFailure) throw error;
    return null;
  });
};

/**
 * Discovers the authorization server (RFC 9728, then RFC 8414 or OpenID Connect). `wanted` are
 * scopes to request in addition to the scopes that the server requires now.
 *
 * Rejects with `OAuthFailure`.
 */
export const discover = async (
  transport: "http" | "sse",
  server: URL,
  wanted: string | null,
  fetch: FetchLike,
): Promise<Discovered> => {
  // An unreachable server also fails the next request, which reports the failure.
  const { resourceMetadataUrl, scope } = await challenge(transport, server, fetch).catch(
    (error): Challenge => {
      if (error instanceof OAuthFailure && error.reason === "insecure") throw error;
      return {};
    },
  );
  const advertised = await resourceMetadata(server, resourceMetadataUrl, fetch);
  const own = resourceUrlFromServerUrl(server);
  own.search = "";
  if (
    advertised !== null &&
    !checkResourceAllowed({ requestedResource: own, configuredResource: advertised.resource })
  ) {
    throw new OAuthFailure({
      reason: "badAnswer",
      message: "The server's metadata describes another resource.",
    });
  }
  const issuer = advertised?.authorization_servers?.[0] ?? `${server.origin}/`;
  SafeFetch.check(new URL(issuer), server);
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch }).catch(
    (error) => {
      if (error instanceof OAuthFailure) throw error;
      throw error instanceof IssuerMismatchError
        ? new OAuthFailure({
            reason: "issuerMismatch",
            message: `The metadata at ${new URL(issuer).origin} describes another authorization server.`,
          })
        : noMetadata(issuer);
    },
  );
  if (metadata === undefined) throw noMetadata(issuer);
  SafeFetch.check(new URL(metadata.authorization_endpoint), server);
  SafeFetch.check(new URL(metadata.token_endpoint), server);
  return {
    metadata,
    resource: advertised?.resource ?? own.href,
    scope: withOffline(
      computeScopeUnion(scope ?? advertised?.scopes_supported?.join(" "), wanted ?? undefined),
      metadata,
    ),
  };
};

/** Adds the scope for refresh tokens if the authorization server supports it. */
const withOffline = (
  scope: string | undefined,
  { scopes_supported }: AuthorizationServerMetadata,
) =>
  scope !== undefined &&
  scope !== "" &&
  scopes_supported?.includes("offline_access") === true &&
  !scope.split(" ").includes("offline_access")
    ? `${scope} offline_access`
    : scope || undefined;

const noMetadata = (issuer: string) =>
  new OAuthFailure({
    reason: "noMetadata",
    message: `The authorization server was not found: ${new URL(issuer).origin} has no authorization server metadata.`,
  });
