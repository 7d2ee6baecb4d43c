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

/** Who authorizes for a server, for what, and with which rights. */
export interface Discovered {
  readonly metadata: AuthorizationServerMetadata;
  readonly resource: string;
  readonly scope: string | undefined;
}

/** What a server says to a request without a token: where its metadata is, and which rights it wants. */
const challenge = async (transport: "http" | "sse", server: URL, fetch: FetchLike) => {
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

/** The metadata of the resource (RFC 9728); null from servers of before there was such. */
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

/** `wanted` are rights besides those that the server names now. */
export const discover = async (
  transport: "http" | "sse",
  server: URL,
  wanted: string | null,
  fetch: FetchLike,
): Promise<Discovered> => {
  // A server that is gone is found out by what comes next.
  const asked = await challenge(transport, server, fetch).catch(() => ({}) as const);
  const { resourceMetadataUrl, scope } = asked as ReturnType<typeof extractWWWAuthenticateParams>;
  const said = await resourceMetadata(server, resourceMetadataUrl, fetch);
  const own = resourceUrlFromServerUrl(server);
  own.search = "";
  if (
    said !== null &&
    !checkResourceAllowed({ requestedResource: own, configuredResource: said.resource })
  ) {
    throw new OAuthFailure({
      reason: "badAnswer",
      message: "The metadata that the server names is about another resource.",
    });
  }
  const issuer = said?.authorization_servers?.[0] ?? `${server.origin}/`;
  SafeFetch.check(new URL(issuer), server);
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch }).catch(
    (error) => {
      if (error instanceof OAuthFailure) throw error;
      throw error instanceof IssuerMismatchError
        ? new OAuthFailure({
            reason: "issuerMismatch",
            message: `The metadata at ${new URL(issuer).origin} is of another authorization server.`,
          })
        : noMetadata(issuer);
    },
  );
  if (metadata === undefined) throw noMetadata(issuer);
  SafeFetch.check(new URL(metadata.authorization_endpoint), server);
  SafeFetch.check(new URL(metadata.token_endpoint), server);
  return {
    metadata,
    resource: said?.resource ?? own.href,
    scope: withOffline(
      computeScopeUnion(scope ?? said?.scopes_supported?.join(" "), wanted ?? undefined),
      metadata,
    ),
  };
};

/** Where refresh tokens are a right of their own, it is asked for. */
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
    message: `The server does not say who authorizes for it: ${new URL(issuer).origin} has no metadata of an authorization server.`,
  });
