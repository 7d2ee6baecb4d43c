import {
  type AuthorizationServerMetadata,
  exchangeAuthorization,
  type FetchLike,
  IssuerMismatchError,
  OAuthError,
  type OAuthTokens,
  refreshAuthorization,
  startAuthorization,
} from "@modelcontextprotocol/client";
import { OAuthClient, SettingNames } from "@quartermaster/core";
import { Effect, Layer, Redacted } from "effect";
import { RemoteFetch } from "../network/RemoteFetch.ts";
import * as Discovery from "./Discovery.ts";
import * as Registration from "./Registration.ts";
import * as SafeFetch from "./SafeFetch.ts";

const { OAuthFailure } = OAuthClient;
type OAuthFailure = OAuthClient.OAuthFailure;
type Authority = OAuthClient.Authority;

/** The decoded form of an `Authority`, and the `fetch` for requests to it. */
interface AuthorizationServer {
  readonly metadata: AuthorizationServerMetadata;
  readonly client: Registration.Client;
  readonly fetch: FetchLike;
}

/** The client side of OAuth 2.1, by the official SDK's functions over `SafeFetch`. */
export const layer: Layer.Layer<OAuthClient.OAuthClient> = Layer.effect(
  OAuthClient.OAuthClient,
  Effect.gen(function* () {
    const { fetch } = yield* RemoteFetch;
    const { publicUrl } = yield* SettingNames.SettingNames;

    const serverOf = ({ client, metadata, resource }: Authority): AuthorizationServer => ({
      client: client as Registration.Client,
      metadata: metadata as AuthorizationServerMetadata,
      fetch: SafeFetch.make(fetch, new URL(resource)),
    });

    const begin: OAuthClient.OAuthClient["Service"]["begin"] = (request) =>
      attempt(async (signal) => {
        const server = new URL(Redacted.value(request.url));
        const safe = SafeFetch.make(fetch, server, signal);
        const { metadata, resource, scope } = await Discovery.discover(
          request.transport,
          server,
          request.scope,
          safe,
        );
        if (metadata.code_challenge_methods_supported?.includes("S256") !== true) {
          throw unsupported("does not support PKCE with S256");
        }
        if (!metadata.response_types_supported.includes("code")) {
          throw unsupported("does not support authorization codes");
        }
        const client = await Registration.register(metadata, request, scope, safe, publicUrl);
        const { authorizationUrl, codeVerifier } = await startAuthorization(metadata.issuer, {
          metadata,
          clientInformation: client,
          state: Redacted.value(request.state),
          redirectUrl: request.redirectUri,
          resource,
          ...(scope !== undefined && { scope }),
        });
        return {
          url: authorizationUrl.href,
          verifier: Redacted.make(codeVerifier),
          authority: {
            issuer: metadata.issuer,
            namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
            resource,
            metadata,
            client,
          },
        };
      });

    const exchange: OAuthClient.OAuthClient["Service"]["exchange"] = (request) =>
      attempt(async () => {
        const { client, fetch, metadata } = serverOf(request.authority);
        const tokens = await exchangeAuthorization(metadata.issuer, {
          metadata,
          clientInformation: client,
          authorizationCode: Redacted.value(request.code),
          codeVerifier: Redacted.value(request.verifier),
          redirectUri: request.redirectUri,
          resource: request.authority.resource,
          fetchFn: fetch,
          ...(request.issuer !== null && { iss: request.issuer }),
        });
        return answerOf(tokens);
      });

    const refresh: OAuthClient.OAuthClient["Service"]["refresh"] = ({ authority, refreshToken }) =>
      attempt(async () => {
        const { client, fetch, metadata } = serverOf(authority);
        const tokens = await refreshAuthorization(metadata.issuer, {
          metadata,
          clientInformation: client,
          refreshToken: Redacted.value(refreshToken),
          resource: authority.resource,
          fetchFn: fetch,
        });
        return answerOf(tokens);
      });

    return OAuthClient.OAuthClient.of({ begin, exchange, refresh });
  }),
).pipe(Layer.provide(RemoteFetch.layer));

const attempt = <A>(f: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, OAuthFailure> =>
  Effect.tryPromise({ try: f, catch: failureOf });

const unsupported = (what: string) =>
  new OAuthFailure({ reason: "unsupported", message: `The authorization server ${what}.` });

/**
 * Describes failures in our own words, because the text of an authorization server is not trusted.
 */
const failureOf = (error: unknown): OAuthFailure => {
  if (error instanceof OAuthFailure) return error;
  if (error instanceof OAuthError) {
    const code = /^[a-z_]{1,64}$/.test(error.code) ? error.code : "an unknown error";
    return new OAuthFailure({
      reason: error.code === "invalid_grant" ? "invalidGrant" : "refused",
      message: `The authorization server responded with the error ${code}.`,
    });
  }
  if (error instanceof IssuerMismatchError) {
    return new OAuthFailure({
      reason: "issuerMismatch",
      message: "The response names another issuer than the authorization server.",
    });
  }
  return badAnswer("is not a valid OAuth response");
};

const badAnswer = (what: string) =>
  new OAuthFailure({
    reason: "badAnswer",
    message: `The authorization server's response ${what}.`,
  });

/** Matches a token that a header can carry and a database can store. */
const isToken = /^[\x21-\x7e]{1,16384}$/;

const answerOf = (tokens: OAuthTokens): OAuthClient.TokenAnswer => {
  const { access_token, expires_in, refresh_token, token_type } = tokens;
  if (token_type.toLowerCase() !== "bearer") throw badAnswer("is not a bearer token");
  if (
    !isToken.test(access_token) ||
    (refresh_token !== undefined && !isToken.test(refresh_token))
  ) {
    throw badAnswer("has a token that is not allowed in a header");
  }
  const isTime = expires_in !== undefined && Number.isFinite(expires_in) && expires_in >= 0;
  return {
    accessToken: Redacted.make(access_token),
    refreshToken: refresh_token === undefined ? null : Redacted.make(refresh_token),
    expiresInSeconds: isTime ? Math.min(expires_in, 10 * 366 * 86_400) : null,
  };
};
