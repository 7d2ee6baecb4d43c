import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import { Transactor } from "../../Transactor.ts";
import { McpServerStore } from "../McpServerStore.ts";
import type { Resolved, Server } from "../values/Targets.ts";
import { originOf, takesToken } from "./Bearer.ts";
import * as OAuthSecrets from "./internal/OAuthSecrets.ts";
import * as TokenRefresh from "./internal/TokenRefresh.ts";

/** The access token for a server. */
export interface AccessToken {
  readonly value: Redacted.Redacted<string>;
  /** The time at which it is refreshed, in milliseconds since the epoch; null if never. */
  readonly refreshAt: number | null;
}

/**
 * The largest number of characters of scopes stored per server, because an authorization URL
 * carries them.
 */
const maxScopes = 2_000;

/** The access tokens of authorized servers, refreshed when they are due. */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /** The token to send to this target; null if the server takes none or is not authorized. */
    get(
      server: Server,
      resolved: Resolved,
    ): Effect.Effect<AccessToken | null, TokenRefresh.Failure>;
    /** Replaces a token that the server rejected. */
    refresh(
      serverId: string,
      rejected: AccessToken,
    ): Effect.Effect<AccessToken, TokenRefresh.Failure>;
    /** Records scopes that the server required but did not get. The next authorization requests them. */
    recordScopes(serverId: string, scopes: string): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/mcp/oauth/AccessTokens") {
  static readonly layerNoDeps = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const secrets = yield* OAuthSecrets.make;
      const tokens = yield* TokenRefresh.make;
      const store = yield* McpServerStore;
      const { transact } = yield* Transactor;

      const get = Span.fn("AccessTokens.get")(function* (
        { entry, id }: Server,
        { target, values }: Resolved,
      ) {
        if (target.transport === "stdio" || !takesToken(entry, values)) return null;
        const stored = yield* tokens.read(id);
        if (stored === null || stored.origin !== originOf(target)) return null;
        const now = yield* Clock.currentTimeMillis;
        const isFresh = stored.refreshAt === null || stored.refreshAt > now;
        return tokenOf(isFresh ? stored : yield* tokens.refresh(id, stored.accessToken));
      });

      const refresh = (serverId: string, rejected: AccessToken) =>
        Effect.map(tokens.refresh(serverId, rejected.value), tokenOf);

      const recordScopes = (serverId: string, scopes: string) =>
        transact(
          Effect.gen(function* () {
            const stored = yield* Effect.catchTag(secrets.scopes(serverId), "CannotOpen", () =>
              Effect.succeed(null),
            );
            const all = [...new Set(`${stored ?? ""} ${scopes}`.split(" "))]
              .filter(Boolean)
              .join(" ");
            const isUninstalled = Option.isNone(yield* store.get(serverId));
            if (all === stored || all.length > maxScopes || isUninstalled) return;
            yield* secrets.putScopes(serverId, all);
          }),
        );

      return AccessTokens.of({ get, refresh, recordScopes });
    }),
  );
}

const tokenOf = ({ accessToken, refreshAt }: OAuthSecrets.Tokens): AccessToken => ({
  value: accessToken,
  refreshAt,
});
