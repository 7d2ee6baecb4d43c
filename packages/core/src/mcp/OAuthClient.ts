import { Context, type Effect, type Redacted, Schema } from "effect";
import { OAuthFailureReason } from "./McpErrors.ts";

/**
 * The authorization server of an MCP server, as it was discovered, and what it knows us by. It is
 * plain JSON and is kept with the tokens; `metadata` and `client` are the port's own.
 */
export interface Authority {
  readonly issuer: string;
  /** Whether it says in every answer who it is (RFC 9207). */
  readonly namesIssuer: boolean;
  /** What the tokens are for (RFC 8707). */
  readonly resource: string;
  readonly metadata: unknown;
  readonly client: unknown;
}

/** A client that somebody registered at the authorization server by hand. */
export interface RegisteredClient {
  readonly id: string;
  /** Null for a public client. */
  readonly secret: Redacted.Redacted<string> | null;
}

export interface TokenAnswer {
  readonly accessToken: Redacted.Redacted<string>;
  /** Null if the answer has none. */
  readonly refreshToken: Redacted.Redacted<string> | null;
  /** How long the access token is good for; null if that is not said. */
  readonly expiresInSeconds: number | null;
}

/** An authorization server is of no use. Neither a token nor a text of the server's is in it. */
export class OAuthFailure extends Schema.TaggedError<OAuthFailure>()("OAuthFailure", {
  reason: OAuthFailureReason,
  /** One sentence for people. */
  message: Schema.String,
}) {}

/** Port: how authorization servers are spoken to. Each call has a time limit of its own. */
export class OAuthClient extends Context.Service<
  OAuthClient,
  {
    /**
     * Finds out who authorizes for an MCP server (RFC 9728, RFC 8414 or OpenID Connect), becomes
     * known to it unless it is, and makes the address for the browser, with PKCE by S256.
     */
    begin(request: {
      readonly transport: "http" | "sse";
      readonly url: Redacted.Redacted<string>;
      readonly redirectUri: string;
      /** Where our metadata document is; null where no authorization server could read it. */
      readonly clientId: string | null;
      /** As whom it is authorized; null to become known there. */
      readonly registered: RegisteredClient | null;
      /** Rights to ask for besides those that the server names, separated by spaces. */
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
    /** The code that the browser brought, and the issuer that it named, if any, for tokens. */
    exchange(request: {
      readonly authority: Authority;
      readonly code: Redacted.Redacted<string>;
      readonly issuer: string | null;
      readonly verifier: Redacted.Redacted<string>;
      readonly redirectUri: string;
    }): Effect.Effect<TokenAnswer, OAuthFailure>;
    /** `invalidGrant` says that the refresh token is good no longer. */
    refresh(request: {
      readonly authority: Authority;
      readonly refreshToken: Redacted.Redacted<string>;
    }): Effect.Effect<TokenAnswer, OAuthFailure>;
  }
>()("@quartermaster/core/mcp/OAuthClient") {}
