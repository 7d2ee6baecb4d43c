import { Clock, Context, Effect, Layer, Option, Redacted } from "effect";
import { Digest, SecureRandom } from "effect/crypto";
import { Base64Url, Hex } from "effect/encoding";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { type NotFound, type StorageError, getOrNotFound } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { AuthorizationFailed } from "../McpErrors.ts";
import { McpServerStore } from "../McpServerStore.ts";
import { OAuthClient, type OAuthFailure, type RegisteredClient } from "../OAuthClient.ts";
import type { Values } from "../values/internal/Scrubber.ts";
import { Targets } from "../values/internal/Targets.ts";
import { originOf, renewed, takesToken } from "./internal/AccessTokens.ts";
import * as OAuthSecrets from "./internal/OAuthSecrets.ts";

/** How long an authorization that was begun waits for its callback. */
const pendingMillis = 10 * 60_000;
/** How many may wait for one server. */
const mostPending = 16;

/** What the browser brings to the callback, as the authorization server wrote it. */
export interface Callback {
  readonly state: string | null;
  readonly code: string | null;
  /** Who answers (RFC 9207). */
  readonly issuer: string | null;
  readonly error: string | null;
}

/** Authorization of servers elsewhere, by OAuth in a browser. */
export class Authorizations extends Context.Service<
  Authorizations,
  {
    /**
     * The address for the browser. The client is the one of the server's variables
     * `OAUTH_CLIENT_ID` and `OAUTH_CLIENT_SECRET`, if its entry has them. `redirectUri` is where the callback is; `clientId` is where our
     * metadata document is, null where no authorization server could read it.
     */
    begin(
      serverId: string,
      where: { readonly redirectUri: string; readonly clientId: string | null },
    ): Effect.Effect<
      { readonly url: string },
      Forbidden | NotFound | AuthorizationFailed | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * What the callback does, for whoever holds a state that was given out: each is good once. The
     * next use of the server has the new token, on every node.
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
      const events = yield* EventLog;
      const { transact } = yield* Transactor;
      const random = yield* SecureRandom.SecureRandom;
      const digest = yield* Digest.Digest;

      /** What a state is kept under, so that the store tells none. */
      const keyOf = (state: string) =>
        Effect.map(digest.digest(Digest.sha256, new TextEncoder().encode(state)), Hex.encode);

      /** Removes what waits too long, and the oldest if there are too many. */
      const tidy = Effect.fnUntraced(function* (serverId: string, now: number, room: number) {
        const all = yield* secrets.allPending(serverId);
        const over = all.filter(([, one]) => one === null || one.expiresAt <= now);
        const waiting = all
          .flatMap(([key, one]) => (one !== null && one.expiresAt > now ? [{ key, one }] : []))
          .toSorted((a, b) => b.one.expiresAt - a.one.expiresAt);
        const gone = [...over.map(([key]) => key), ...waiting.slice(room).map(({ key }) => key)];
        yield* secrets.removePending(serverId, gone);
      });

      const begin = Span.fn("Authorizations.begin")(function* (
        serverId: string,
        {
          clientId,
          redirectUri,
        }: { readonly redirectUri: string; readonly clientId: string | null },
      ) {
        const principal = yield* Principal.requireUnbound("Admin");
        const server = yield* getOrNotFound("installedServer", serverId, store.get(serverId));
        const { target, values } = yield* Effect.gen(function* () {
          const values = yield* targets.values(serverId, server.entry);
          if (!takesToken(server.entry, values)) return { target: null, values };
          return { target: yield* targets.make(server, values, null), values };
        }).pipe(
          Effect.catchTag("ConnectorError", (error) =>
            refuse("badVariables", error.message.replace(/\.$/, "")),
          ),
        );
        if (target === null || target.transport === "stdio") {
          return yield* refuse(
            "notAuthorizable",
            "Only a server elsewhere whose entry has no Authorization header with a value is authorized",
          );
        }
        const secret = Base64Url.encode(yield* random.randomBytes(32));
        const state = `${serverId}.${secret}`;
        const begun = yield* Effect.mapError(
          oauth.begin({
            transport: target.transport,
            url: target.url,
            redirectUri,
            clientId,
            registered: registeredClient(values),
            scope: yield* Effect.catchTag(secrets.scope(serverId), "CannotOpen", () =>
              Effect.succeed(null),
            ),
            state: Redacted.make(state),
          }),
          failed,
        );
        const key = yield* keyOf(state);
        return yield* Effect.gen(function* () {
          yield* getOrNotFound("installedServer", serverId, store.get(serverId));
          const now = yield* Clock.currentTimeMillis;
          yield* tidy(serverId, now, mostPending - 1);
          yield* secrets.putPending(serverId, key, {
            principal,
            authority: begun.authority,
            origin: originOf(target),
            redirectUri,
            verifier: Redacted.value(begun.verifier),
            expiresAt: now + pendingMillis,
          });
          return { url: begun.url };
        }).pipe(transact);
      });

      /** What was begun under the state, which is thereby used up. */
      const take = Effect.fnUntraced(function* (state: string | null) {
        const [, serverId] = /^(mcp_\w{1,64})\.[\w-]{43}$/.exec(state ?? "") ?? [];
        if (state === null || serverId === undefined) return yield* badState;
        const key = yield* keyOf(state);
        const now = yield* Clock.currentTimeMillis;
        const pending = yield* transact(
          Effect.gen(function* () {
            const one = yield* secrets.pending(serverId, key);
            if (one !== null) yield* secrets.removePending(serverId, [key]);
            return one;
          }),
        ).pipe(Effect.catchTag("CannotOpen", () => Effect.succeed(null)));
        if (pending === null || pending.expiresAt <= now) return yield* badState;
        return { serverId, pending };
      });

      const complete = Span.fn("Authorizations.complete")(function* (callback: Callback) {
        const { pending, serverId } = yield* take(callback.state);
        const { authority } = pending;
        const isFromIt =
          callback.issuer === null ? !authority.namesIssuer : callback.issuer === authority.issuer;
        if (!isFromIt) {
          return yield* refuse(
            "issuerMismatch",
            "The answer is not from the authorization server that was asked",
          );
        }
        if (callback.error !== null) {
          // A server may want what its authorization server has never heard of.
          if (callback.error === "invalid_scope") yield* transact(secrets.removeScope(serverId));
          const word = /^[\w.-]{1,64}$/.test(callback.error) ? callback.error : "an error";
          return yield* refuse("refused", `The authorization server answered ${word}`);
        }
        if (callback.code === null) return yield* refuse("refused", "The answer has no code");
        const answer = yield* Effect.mapError(
          oauth.exchange({
            authority,
            code: Redacted.make(callback.code),
            issuer: callback.issuer,
            verifier: Redacted.make(pending.verifier),
            redirectUri: pending.redirectUri,
          }),
          failed,
        );
        return yield* Effect.gen(function* () {
          const server = Option.getOrNull(yield* store.get(serverId));
          if (server === null) return yield* refuse("badState", "The server is uninstalled");
          const now = yield* Clock.currentTimeMillis;
          const { origin } = pending;
          yield* secrets.putTokens(
            serverId,
            renewed({ authority, origin, refreshToken: null }, answer, now),
          );
          yield* store.update({
            ...server,
            generation: server.generation + 1,
            updatedAt: yield* Timestamp.now,
          });
          // It drops the live connections, on every node.
          yield* events.record([
            {
              kind: "mcp.updated",
              projectId: null,
              relatedProjectId: null,
              subjectId: serverId,
              actor: Principal.actorOf(pending.principal),
              data: { name: server.name, authorized: true },
            },
          ]);
          return { name: server.name };
        }).pipe(transact);
      });

      return Authorizations.of({ begin, complete });
    }),
  );
}

/** The client that the variables name: of authorization servers where nobody registers by program. */
const registeredClient = (values: Values): RegisteredClient | null => {
  const filled = (name: string) => {
    const value = values.get(name);
    return value === undefined || Redacted.value(value) === "" ? null : value;
  };
  const id = filled("OAUTH_CLIENT_ID");
  return id === null ? null : { id: Redacted.value(id), secret: filled("OAUTH_CLIENT_SECRET") };
};

const refuse = (reason: AuthorizationFailed["reason"], explanation: string) =>
  Effect.fail(new AuthorizationFailed({ reason, explanation: `${explanation}.` }));

const failed = ({ message, reason }: OAuthFailure) =>
  new AuthorizationFailed({ reason, explanation: message });

const badState = refuse(
  "badState",
  "This authorization is not known: it was used, or is older than 10 minutes; begin again",
);
