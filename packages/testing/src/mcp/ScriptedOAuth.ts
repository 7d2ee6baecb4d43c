import { OAuthClient } from "@quartermaster/core";
import { Context, Effect, Layer, Redacted } from "effect";

const { OAuthFailure } = OAuthClient;

/** The script of an authorization server, and the record of its requests. */
export interface Script {
  /** Runs on each refresh, and fails it if it fails. */
  onRefresh: Effect.Effect<void, OAuthClient.OAuthFailure>;
  /** Runs on each exchange of a code, and fails it if it fails. */
  onExchange: Effect.Effect<void, OAuthClient.OAuthFailure>;
  /** Whether its callbacks carry the issuer. */
  namesIssuer: boolean;
  /** The lifetime of its tokens; null to omit it. */
  expiresInSeconds: number | null;
  /** Whether it returns refresh tokens. */
  refreshes: boolean;
  /** The states that it received. */
  readonly states: Array<string>;
  /** The additional scopes of each request; null for none. */
  readonly scopes: Array<string | null>;
  /** The codes and refresh tokens that it received, in order. */
  readonly asked: Array<string>;
}

/**
 * `OAuthClient` without a network: the n-th tokens are `access-canary-n` and `refresh-canary-n`,
 * each refresh token is good once, and the verifier of the state has to come back.
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
