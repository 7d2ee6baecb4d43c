import { Context, type Effect, type Redacted, Schema } from "effect";
import { OAuthFailureReason } from "./McpErrors.ts";

/**
 * The discovered authorization server of an MCP server, and our client there. Stored with the
 * tokens. Only the port reads `metadata` and `client`.
 */
export const Authority = Schema.Struct({
  issuer: Schema.String,
  /** Whether its callbacks always carry the issuer (RFC 9207). */
  namesIssuer: Schema.Boolean,
  /** The resource that tokens are for (RFC 8707). */
  resource: Schema.String,
  metadata: Schema.Unknown,
  client: Schema.Unknown,
});
export interface Authority extends Schema.Schema.Type<typeof Authority> {}

/** A client that a person registered with the authorization server. */
export interface RegisteredClient {
  readonly id: string;
  /** Null for a public client. */
  readonly secret: Redacted.Redacted<string> | null;
}

export interface TokenAnswer {
  readonly accessToken: Redacted.Redacted<string>;
  /** Null if the response has none. */
  readonly refreshToken: Redacted.Redacted<string> | null;
  /** Lifetime of the access token; null if the response does not state it. */
  readonly expiresInSeconds: number | null;
}

/** A request to an authorization server failed. It contains no token and no text of the server. */
export class OAuthFailure extends Schema.TaggedError<OAuthFailure>()("OAuthFailure", {
  reason: OAuthFailureReason,
  /** One sentence for people. */
  message: Schema.String,
}) {}

/** Port: the client of authorization servers. Each call has its own time limit. */
export class OAuthClient extends Context.Service<
  OAuthClient,
  {
    /**
     * Discovers the authorization server of an MCP server (RFC 9728, RFC 8414 or OpenID Connect),
     * registers a client if needed, and builds the URL for the browser, with PKCE by S256.
     */
    begin(request: {
      readonly transport: "http" | "sse";
      readonly url: Redacted.Redacted<string>;
      readonly redirectUri: string;
      /** URL of our Client ID Metadata Document; null if authorization servers cannot reach it. */
      readonly clientId: string | null;
      /** The client to use; null to register one. */
      readonly registered: RegisteredClient | null;
      /** Scopes to request in addition to the server's scopes, separated by spaces. */
      readonly scope: string | null;
      readonly state: Redacted.Redacted<string>;
    }): Effect.Effect<
      {
        readonly url: string;
        readonly authority: Authority;
        readonly verifier: Redacted.Redacted<string>;
      },
      OAuthFailure
    >;
    /** Exchanges the code of a callback for tokens. `issuer` is the issuer in the callback. */
    exchange(request: {
      readonly authority: Authority;
      readonly code: Redacted.Redacted<string>;
      readonly issuer: string | null;
      readonly verifier: Redacted.Redacted<string>;
      readonly redirectUri: string;
    }): Effect.Effect<TokenAnswer, OAuthFailure>;
    /** Refreshes tokens. `invalidGrant` means that the refresh token is no longer valid. */
    refresh(request: {
      readonly authority: Authority;
      readonly refreshToken: Redacted.Redacted<string>;
    }): Effect.Effect<TokenAnswer, OAuthFailure>;
  }
>()("@quartermaster/core/mcp/OAuthClient") {}
