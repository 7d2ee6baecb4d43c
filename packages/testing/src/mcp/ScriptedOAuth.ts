import { OAuthClient } from "@quartermaster/core";
import { Context, Effect, Layer, Redacted } from "effect";

const { OAuthFailure } = OAuthClient;

/** The script of an authorization server, and a record of the requests it received. */
export interface Script {
  /** Runs on each refresh. Its failure fails the refresh. */
  onRefresh: Effect.Effect<void, OAuthClient.OAuthFailure>;
  /** Runs on each exchange of a code. Its failure fails the exchange. */
  onExchange: Effect.Effect<void, OAuthClient.OAuthFailure>;
  /** Whether callbacks contain the issuer. */
  namesIssuer: boolean;
  /** The lifetime of access tokens; null omits it. */
  expiresInSeconds: number | null;
  /** Whether responses contain refresh tokens. */
  refreshes: boolean;
  /** The received states. */
  readonly states: Array<string>;
  /** The additional scopes of each request; null for none. */
  readonly scopes: Array<string | null>;
  /** The received codes and refresh tokens, in order. */
  readonly asked: Array<string>;
}

/**
 * `OAuthClient` without a network. The n-th tokens are `access-canary-n` and `refresh-canary-n`,
 * each refresh token is valid once, and an exchange must return the verifier of its state.
 */
export class ScriptedOAuth extends Context.Service<ScriptedOAuth, Script>()(
  "@quartermaster/testing/mcp/ScriptedOAuth",
) {
  static readonly issuer = "https://issuer.example";

  static readonly layer: Layer.Layer<ScriptedOAuth | OAuthClient.OAuthClient> = Layer.effectContext(
    Effect.sync(() => {
      const script: Script = {
        onRefresh: Effect.void,
        onExchange: Effect.void,
        namesIssuer: false,
        expiresInSeconds: 3_600,
        refreshes: true,
        states: [],
        scopes: [],
        asked: [],
      };
      let count = 0;
      const verifiers = new Set<string>();
      const good = new Set<string>();
      const tokens = (): OAuthClient.TokenAnswer => {
        count++;
        good.add(`refresh-canary-${count}`);
        return {
          accessToken: Redacted.make(`access-canary-${count}`),
          refreshToken: script.refreshes ? Redacted.make(`refresh-canary-${count}`) : null,
          expiresInSeconds: script.expiresInSeconds,
        };
      };
      const client = OAuthClient.OAuthClient.of({
        begin: ({ redirectUri, scope, state, url }) =>
          Effect.sync(() => {
            script.scopes.push(scope);
            const plain = Redacted.value(state);
            const verifier = `verifier-canary-${script.states.push(plain)}`;
            verifiers.add(verifier);
            const query = new URLSearchParams({ state: plain, redirect_uri: redirectUri });
            return {
              url: `${ScriptedOAuth.issuer}/authorize?${query}`,
              verifier: Redacted.make(verifier),
              authority: {
                issuer: ScriptedOAuth.issuer,
                namesIssuer: script.namesIssuer,
                resource: Redacted.value(url),
                metadata: {},
                client: {},
              },
            };
          }),
        exchange: ({ code, verifier }) =>
          Effect.suspend(() => {
            script.asked.push(Redacted.value(code));
            return verifiers.delete(Redacted.value(verifier))
              ? Effect.map(script.onExchange, tokens)
              : invalidGrant;
          }),
        refresh: ({ refreshToken }) =>
          Effect.suspend(() => {
            script.asked.push(Redacted.value(refreshToken));
            return Effect.flatMap(script.onRefresh, () =>
              good.delete(Redacted.value(refreshToken)) ? Effect.sync(tokens) : invalidGrant,
            );
          }),
      });
      return Context.make(ScriptedOAuth, script).pipe(Context.add(OAuthClient.OAuthClient, client));
    }),
  );
}

const invalidGrant = Effect.fail(
  new OAuthFailure({
    reason: "invalidGrant",
    message: "The authorization server answered invalid_grant.",
  }),
);
