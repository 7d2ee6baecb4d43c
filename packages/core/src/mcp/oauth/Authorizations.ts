import { Clock, Context, Effect, Layer, Option, Redacted } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import { CurrentKey } from "../../access/CurrentKey.ts";
import * as Principal from "../../access/Principal.ts";
import { AuditLog } from "../../audit/AuditLog.ts";
import { type NotFound, type StorageError, getOrNotFound } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { isStdio } from "../CatalogEntry.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import { AuthorizationFailed } from "../McpErrors.ts";
import { McpServerStore } from "../McpServerStore.ts";
import {
  OAuthClient,
  type OAuthFailure,
  type RegisteredClient,
  type TokenAnswer,
} from "../OAuthClient.ts";
import * as Outage from "../Outage.ts";
import { Targets } from "../values/Targets.ts";
import type { Values } from "../values/Values.ts";
import { originOf, takesToken } from "./Bearer.ts";
import * as OAuthSecrets from "./internal/OAuthSecrets.ts";
import * as PendingAuthorizations from "./internal/PendingAuthorizations.ts";
import { refreshed } from "./internal/TokenRefresh.ts";

/** The query of a callback, in the form of the authorization server. */
export interface Callback {
  readonly state: string | null;
  readonly code: string | null;
  /** The issuer of the response (RFC 9207). */
  readonly issuer: string | null;
  readonly error: string | null;
}

/** The host's URLs that an authorization server needs. */
export interface ClientUrls {
  /** URL of the callback. */
  readonly redirectUri: string;
  /** URL of the Client ID Metadata Document; null if authorization servers cannot reach it. */
  readonly clientId: string | null;
}

/** Authorizes remote servers, by OAuth in a browser. */
export class Authorizations extends Context.Service<
  Authorizations,
  {
    /**
     * Starts an authorization and returns the URL to open in a browser within 10 minutes. Uses the
     * client of the variables `OAUTH_CLIENT_ID` and `OAUTH_CLIENT_SECRET` if the entry has them,
     * otherwise registers one.
     */
    begin(
      serverId: string,
      urls: ClientUrls,
    ): Effect.Effect<
      { readonly url: string },
      Forbidden | NotFound | AuthorizationFailed | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * Handles the callback of a browser, which has no key. The state is the proof, and is valid
     * once. The next call of the server uses the new token, on every node.
     */
    complete(
      callback: Callback,
    ): Effect.Effect<{ readonly name: string }, AuthorizationFailed | StorageError>;
  }
>()("@quartermaster/core/mcp/oauth/Authorizations") {
  static readonly layerNoDeps = Layer.effect(
    Authorizations,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const targets = yield* Targets;
      const oauth = yield* OAuthClient;
      const secrets = yield* OAuthSecrets.make;
      const pendings = yield* PendingAuthorizations.make;
      const events = yield* EventLog;
      const audit = yield* AuditLog;
      const { transact } = yield* Transactor;

      /** The values and the target of a server that can be authorized. */
      const resolve = Effect.fnUntraced(function* (server: InstalledServerRow) {
        if (isStdio(server.entry.manifest)) return yield* notAuthorizable;
        const { target, values } = yield* Effect.catchTag(
          targets.resolve(server),
          "ConnectorError",
          (error) => refuse("badVariables", error.message.replace(/\.$/, "")),
        );
        if (target.transport === "stdio" || !takesToken(server.entry, values)) {
          return yield* notAuthorizable;
        }
        return { target, values };
      });

      const begin = Span.fn("Authorizations.begin")(function* (
        serverId: string,
        { clientId, redirectUri }: ClientUrls,
      ) {
        const principal = yield* Principal.requireUnbound("Admin");
        const server = yield* getOrNotFound("installedServer", serverId, store.get(serverId));
        const { target, values } = yield* resolve(server);
        const state = yield* pendings.newState(serverId);
        const { authority, url, verifier } = yield* Effect.mapError(
          oauth.begin({
            transport: target.transport,
            url: target.url,
            redirectUri,
            clientId,
            registered: registeredClient(values),
            scope: yield* Effect.catchTag(secrets.scopes(serverId), "CannotOpen", () =>
              Effect.succeed(null),
            ),
            state: Redacted.make(state),
          }),
          failed,
        );
        const origin = originOf(target);
        yield* pendings.put(serverId, state, {
          principal,
          keyId: yield* CurrentKey,
          authority,
          origin,
          redirectUri,
          verifier,
        });
        return { url };
      });

      const saveTokens = (
        serverId: string,
        { authority, keyId = null, origin, principal }: OAuthSecrets.Pending,
        answer: TokenAnswer,
      ) =>
        transact(
          Effect.gen(function* () {
            const server = Option.getOrNull(yield* store.get(serverId));
            if (server === null) return yield* refuse("badState", "The server was uninstalled");
            const now = yield* Clock.currentTimeMillis;
            const tokens = refreshed({ authority, origin, refreshToken: null }, answer, now);
            yield* secrets.putTokens(serverId, tokens);
            // A new generation and this event close live connections on every node.
            const updatedAt = yield* Timestamp.now;
            yield* store.update({
              ...server,
              outage: Outage.changed(server.outage, updatedAt),
              generation: server.generation + 1,
              updatedAt,
            });
            const actor = Principal.actorOf(principal);
            yield* events.record([
              {
                kind: "mcp.updated",
                projectId: null,
                relatedProjectId: null,
                subjectId: serverId,
                actor,
                data: { name: server.name, authorized: true },
              },
            ]);
            const subject = { type: "server", id: serverId, name: server.name } as const;
            yield* audit.record([{ action: "server.authorized", actor, keyId, subject }]);
            return { name: server.name };
          }),
        );

      const complete = Span.fn("Authorizations.complete")(function* (callback: Callback) {
        const taken = yield* pendings.take(callback.state);
        if (taken === null) return yield* badState;
        const { pending, serverId } = taken;
        yield* requireIssuer(pending, callback);
        // A server may require scopes that its authorization server does not know.
        if (callback.error === "invalid_scope") yield* transact(secrets.removeScopes(serverId));
        const code = yield* codeOf(callback);
        const answer = yield* Effect.mapError(
          oauth.exchange({
            authority: pending.authority,
            code,
            issuer: callback.issuer,
            verifier: pending.verifier,
            redirectUri: pending.redirectUri,
          }),
          failed,
        );
        return yield* saveTokens(serverId, pending, answer);
      });

      return Authorizations.of({ begin, complete });
    }),
  );
}

/** The client from the variables, for authorization servers without dynamic registration. */
const registeredClient = (values: Values): RegisteredClient | null => {
  const nonEmpty = (name: string) => {
    const value = values.get(name);
    return value === undefined || Redacted.value(value) === "" ? null : value;
  };
  const id = nonEmpty("OAUTH_CLIENT_ID");
  return id === null ? null : { id: Redacted.value(id), secret: nonEmpty("OAUTH_CLIENT_SECRET") };
};

const refuse = (reason: AuthorizationFailed["reason"], explanation: string) =>
  Effect.fail(new AuthorizationFailed({ reason, explanation: `${explanation}.` }));

const failed = ({ message, reason }: OAuthFailure) =>
  new AuthorizationFailed({ reason, explanation: message });

/** Rejects a callback of another authorization server (RFC 9207). */
const requireIssuer = ({ authority }: OAuthSecrets.Pending, { issuer }: Callback) =>
  (issuer === null ? !authority.namesIssuer : issuer === authority.issuer)
    ? Effect.void
    : refuse("issuerMismatch", "The callback is not from the authorization server that was asked");

/** The code of a callback. Fails if the authorization server denied the authorization. */
const codeOf = ({ code, error }: Callback) => {
  if (error !== null) {
    const shown = /^[\w.-]{1,64}$/.test(error) ? error : "an error";
    return refuse("refused", `The authorization server answered ${shown}`);
  }
  return code === null
    ? refuse("refused", "The callback has no code")
    : Effect.succeed(Redacted.make(code));
};

const notAuthorizable = refuse(
  "notAuthorizable",
  "Only remote servers whose entry sends no Authorization header can be authorized",
);

const badState = refuse(
  "badState",
  "This authorization was used already or is older than 10 minutes. Start again",
);
