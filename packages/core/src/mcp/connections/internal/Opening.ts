import { Deferred, Effect, type Scope } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import * as Span from "../../../internal/Span.ts";
import type { CatalogEntry } from "../../CatalogEntry.ts";
import {
  type Connection,
  ConnectorError,
  McpConnector,
  type RpcError,
} from "../../McpConnector.ts";
import { McpOptions } from "../../McpOptions.ts";
import {
  type AccessToken,
  AccessTokens,
  advice,
  takesToken,
  withToken,
} from "../../oauth/internal/AccessTokens.ts";
import * as Scrubber from "../../values/internal/Scrubber.ts";
import { Targets } from "../../values/internal/Targets.ts";
import * as Nesting from "./Nesting.ts";

/** A fresh connection. */
export interface Opened extends Connection {
  /** In milliseconds: when another one is to take its place, since its token ends; null if never. */
  readonly staleAt: number | null;
}

/** Under what a token is replaced in what a server says. */
const tokenName = "authorization";

type Failed = ConnectorError | RpcError;

const wantsAuthorization = (error: Failed): boolean =>
  error._tag === "ConnectorError" && error.reason === "unauthorized";

/** Opens connections: secrets are in the clear within their scope alone, and in nothing they say. */
export const make = Effect.gen(function* () {
  const connector = yield* McpConnector;
  const targets = yield* Targets;
  const tokens = yield* AccessTokens;
  const { verifySeconds } = yield* McpOptions;

  return Span.fn("Connections.open")(function* (
    server: { readonly id: string; readonly entry: CatalogEntry },
    values: Scrubber.Values,
    agentId: string | null,
  ): Effect.fn.Return<Opened, ConnectorError | StorageError, Scope.Scope> {
    const target = yield* targets.make(server, values, agentId);
    const secret = server.entry.envVars.filter((one) => one.secret).map(({ name }) => name);

    const mayBeAuthorized = takesToken(server.entry, values);

    /** With what to do about it, where an authorization helps. */
    const explained = <E extends Failed>(error: E): E => {
      if (!mayBeAuthorized || error._tag === "RpcError") return error;
      const { message, reason, scope, sent } = error;
      const told = advice(server.id);
      const helps = reason === "unauthorized" || reason === "insufficientScope";
      if (!helps || message.includes(told)) return error;
      return new ConnectorError({ reason, message: `${message} ${told}`, sent, scope }) as E;
    };

    /** Rights that are missing are asked for by the next authorization. */
    const note = (error: Failed) =>
      mayBeAuthorized && error._tag === "ConnectorError" && error.scope !== undefined
        ? Effect.catch(tokens.want(server.id, error.scope), (cause) =>
            Effect.logError("The rights that a server wants could not be kept", cause),
          )
        : Effect.void;

    const attempt = (token: AccessToken | null) => {
      const scrubber = Scrubber.make(
        token === null ? values : new Map(values).set(tokenName, token.value),
        new Set([...secret, tokenName]),
      );
      return connector
        .connect(withToken(target, token), { timeoutMillis: verifySeconds * 1_000 })
        .pipe(
          Effect.map((connection) => Scrubber.connection(scrubber, Nesting.connection(connection))),
          Effect.mapError((error) => Scrubber.error(scrubber, error)),
        );
    };

    /** The same connection, which is over when the server takes its token no longer. */
    const watched = (connection: Connection, token: AccessToken | null): Opened => {
      const over = Deferred.makeUnsafe<ConnectorError>();
      const end = (told: ConnectorError) =>
        Effect.andThen(
          token === null ? Effect.void : Effect.exit(tokens.renew(server.id, token)),
          Deferred.succeed(over, told),
        );
      const look = <A, E extends Failed>(effect: Effect.Effect<A, E>) =>
        Effect.catch(effect, (error) => {
          const told = explained(error);
          const isOver = mayBeAuthorized && wantsAuthorization(told);
          return Effect.andThen(
            isOver ? end(told as ConnectorError) : note(error),
            Effect.fail(told),
          );
        });
      return {
        ...connection,
        staleAt: token?.renewAt ?? null,
        listTools: look(connection.listTools),
        callTool: (name, args, options) => look(connection.callTool(name, args, options)),
        closed: Effect.raceFirst(Effect.map(connection.closed, explained), Deferred.await(over)),
      };
    };

    const token = yield* tokens.get(server, values, target);
    return yield* attempt(token).pipe(
      Effect.map((connection) => watched(connection, token)),
      Effect.catch((error) =>
        wantsAuthorization(error) && token !== null
          ? Effect.flatMap(tokens.renew(server.id, token), (other) =>
              Effect.map(attempt(other), (connection) => watched(connection, other)),
            )
          : Effect.fail(error),
      ),
      Effect.catchTag("ConnectorError", (error) =>
        Effect.andThen(note(error), Effect.fail(explained(error))),
      ),
    );
  });
});
