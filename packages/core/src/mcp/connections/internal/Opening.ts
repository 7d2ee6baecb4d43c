import { Effect, type Scope } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import * as Span from "../../../internal/Span.ts";
import type { CatalogEntry } from "../../CatalogEntry.ts";
import { ConnectorError, McpConnector } from "../../McpConnector.ts";
import { McpOptions } from "../../McpOptions.ts";
import { type AccessToken, AccessTokens } from "../../oauth/AccessTokens.ts";
import { advice, takesToken, withToken } from "../../oauth/Bearer.ts";
import * as Scrubber from "../../values/Scrubber.ts";
import { type Overrides, type Server, Targets } from "../../values/Targets.ts";
import type { Values } from "../../values/Values.ts";
import * as GuardedConnection from "./GuardedConnection.ts";

/** A fresh connection. */
export interface Opened extends GuardedConnection.GuardedConnection {
  /** The time at which its token is due, in milliseconds since the epoch; null if never. */
  readonly staleAt: number | null;
}

/** Removes the values of an entry's variables. */
export const scrubberOf = ({ envVars }: CatalogEntry, values: Values) =>
  Scrubber.make(
    values,
    new Set([...envVars.filter(({ secret }) => secret).map(({ name }) => name), tokenName]),
  );

/** The name that replaces a token in messages of the server. */
const tokenName = "authorization";

const isUnauthorized = (failure: GuardedConnection.Refused): boolean =>
  failure._tag === "ConnectorError" && failure.reason === "unauthorized";

/** The failure, with advice where an authorization would help. */
const withAdvice = <E extends GuardedConnection.Refused>(failure: E): E => {
  if (failure._tag === "RpcError") return failure;
  const { message, reason, scope, sent, status } = failure;
  const helps = reason === "unauthorized" || reason === "insufficientScope";
  if (!helps || message.includes(advice)) return failure;
  return new ConnectorError({ reason, message: `${message} ${advice}`, sent, status, scope }) as E;
};

/**
 * Opens connections. Only this module turns stored values into a target and a token into a request, so
 * secrets are in the clear only within the scope of the connection. If the server rejects the
 * token, it refreshes the token and tries once more.
 */
export const make = Effect.gen(function* () {
  const connector = yield* McpConnector;
  const targets = yield* Targets;
  const tokens = yield* AccessTokens;
  const { verifySeconds } = yield* McpOptions;

  return Span.fn("Connections.open")(function* (
    server: Server,
    overrides: Overrides = {},
  ): Effect.fn.Return<Opened, ConnectorError | StorageError, Scope.Scope> {
    const resolved = yield* targets.resolve(server, overrides);
    const mayAuthorize = takesToken(server.entry, resolved.values);

    const recordScopes = (failure: GuardedConnection.Refused) =>
      mayAuthorize && failure._tag === "ConnectorError" && failure.scope !== undefined
        ? Effect.catch(tokens.recordScopes(server.id, failure.scope), (cause) =>
            Effect.logError("Cannot store the scopes that an MCP server requires", cause),
          )
        : Effect.void;

    const connect = Effect.fnUntraced(function* (token: AccessToken | null) {
      const scrubber = scrubberOf(
        server.entry,
        token === null ? resolved.values : new Map(resolved.values).set(tokenName, token.value),
      );
      const connection = yield* Effect.mapError(
        connector.connect(withToken(resolved.target, token?.value ?? null), {
          timeoutMillis: verifySeconds * 1_000,
        }),
        (failure) => GuardedConnection.scrubbed(scrubber, failure),
      );
      const guarded = GuardedConnection.make(connection, {
        scrubber,
        explain: mayAuthorize ? withAdvice : (failure) => failure,
        onFailure: (failure) => {
          if (!mayAuthorize || !isUnauthorized(failure)) {
            return Effect.as(recordScopes(failure), false);
          }
          // Makes the next connection use another token.
          return token === null
            ? Effect.succeed(true)
            : Effect.as(Effect.exit(tokens.refresh(server.id, token)), true);
        },
      });
      return { ...guarded, staleAt: token?.refreshAt ?? null };
    });

    const token = yield* tokens.get(server, resolved);
    return yield* connect(token).pipe(
      Effect.catch((failure) =>
        token !== null && isUnauthorized(failure)
          ? Effect.flatMap(tokens.refresh(server.id, token), connect)
          : Effect.fail(failure),
      ),
      Effect.catchTag("ConnectorError", (failure) =>
        Effect.andThen(
          recordScopes(failure),
          Effect.fail(mayAuthorize ? withAdvice(failure) : failure),
        ),
      ),
    );
  });
});
