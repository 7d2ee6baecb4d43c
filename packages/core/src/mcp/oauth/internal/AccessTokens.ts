import { Clock, Context, Deferred, Effect, Layer, Option, Redacted, Schedule } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import * as Actor from "../../../Actor.ts";
import type { StorageError } from "../../../CommonErrors.ts";
import { EventLog } from "../../../events/EventLog.ts";
import * as Span from "../../../internal/Span.ts";
import { Transactor } from "../../../Transactor.ts";
import { type CatalogEntry, isStdio, variablesIn } from "../../CatalogEntry.ts";
import { ConnectorError, type Target } from "../../McpConnector.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import { OAuthClient, type TokenAnswer } from "../../OAuthClient.ts";
import type { Values } from "../../values/internal/Scrubber.ts";
import * as OAuthSecrets from "./OAuthSecrets.ts";

type Tokens = OAuthSecrets.Tokens;
type Failure = ConnectorError | StorageError;

/** What a server that was authorized is sent. */
export interface AccessToken {
  readonly value: Redacted.Redacted<string>;
  /** In milliseconds: when it is to be exchanged for another one; null if never. */
  readonly renewAt: number | null;
}

/** How long a renewal of another node is waited for. It takes less, or its node is dead. */
const renewalMillis = 40_000;
/** Characters of rights that are noted: an address has to carry them. */
const mostScope = 2_000;

/** The access tokens of servers that were authorized, renewed when it is time. */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /** The token to send there; null for servers without one. */
    get(
      server: { readonly id: string; readonly entry: CatalogEntry },
      values: Values,
      target: Target,
    ): Effect.Effect<AccessToken | null, Failure>;
    /** Another token than this one, which the server did not take. */
    renew(serverId: string, refused: AccessToken): Effect.Effect<AccessToken, Failure>;
    /** Notes rights that a server wanted in vain: the next authorization asks for them, too. */
    want(serverId: string, scope: string): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/mcp/oauth/internal/AccessTokens") {
  static readonly layerNoDeps = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const secrets = yield* OAuthSecrets.make;
      const oauth = yield* OAuthClient;
      const store = yield* McpServerStore;
      const events = yield* EventLog;
      const { transact } = yield* Transactor;
      const random = yield* SecureRandom.SecureRandom;
      const scope = yield* Effect.scope;
      const self = Hex.encode(yield* random.randomBytes(8));
      const underWay = new Map<string, Deferred.Deferred<AccessToken, Failure>>();

      const read = (serverId: string) =>
        Effect.catchTag(secrets.tokens(serverId), "CannotOpen", (error) =>
          failure("badVariables", `Its tokens cannot be decrypted: ${error.message}`),
        );

      /** Whether it is this node's turn to exchange the tokens, or somebody did, or is about to. */
      const claim = Effect.fnUntraced(function* (serverId: string, stale: string) {
        const tokens = yield* read(serverId);
        if (tokens === null) return yield* unauthorized(serverId, "It is not authorized any more");
        if (tokens.accessToken !== stale) return { turn: false, tokens };
        if (tokens.refreshToken === null) return yield* unauthorized(serverId, "Its token is over");
        const now = yield* Clock.currentTimeMillis;
        if (tokens.renewing !== null && tokens.renewing.until > now) return null;
        const renewing = { by: self, until: now + renewalMillis };
        yield* secrets.putTokens(serverId, { ...tokens, renewing });
        return { turn: true, tokens: { ...tokens, renewing } };
      }, transact);

      /** Changes the tokens that were exchanged, unless there are others by now; answers what holds. */
      const settle = (
        serverId: string,
        { accessToken, renewing }: Tokens,
        change: (tokens: Tokens) => Effect.Effect<Tokens | null, StorageError>,
      ) =>
        Effect.gen(function* () {
          const tokens = yield* read(serverId);
          const same = tokens?.accessToken === accessToken && tokens.renewing?.by === renewing?.by;
          return tokens !== null && same ? yield* change(tokens) : tokens;
        }).pipe(
          transact,
          // A token that was used up must not be lost to a busy moment.
          Effect.retry({
            while: (error) => error._tag === "StorageError" && error.isRetryable,
            schedule: Schedule.spaced("200 millis"),
            times: 20,
          }),
        );

      const remove = Effect.fnUntraced(function* (serverId: string) {
        yield* secrets.removeTokens(serverId);
        const server = yield* store.get(serverId);
        if (server._tag === "Some") {
          yield* events.record([
            {
              kind: "mcp.updated",
              projectId: null,
              relatedProjectId: null,
              subjectId: serverId,
              actor: Actor.system,
              data: { name: server.value.name, authorized: false },
            },
          ]);
        }
        return null;
      });

      const exchange = Effect.fnUntraced(function* (serverId: string, tokens: Tokens) {
        const answer = yield* Effect.result(
          oauth.refresh({
            authority: tokens.authority,
            refreshToken: Redacted.make(tokens.refreshToken ?? ""),
          }),
        );
        const now = yield* Clock.currentTimeMillis;
        const keep = (next: Tokens) => Effect.as(secrets.putTokens(serverId, next), next);
        if (answer._tag === "Success") {
          return yield* settle(serverId, tokens, (old) => keep(renewed(old, answer.success, now)));
        }
        const { message, reason } = answer.failure;
        if (reason === "invalidGrant")
          return yield* settle(serverId, tokens, () => remove(serverId));
        const left = yield* settle(serverId, tokens, (old) => keep(postponed(old, now)));
        const good = left?.expiresAt != null && left.expiresAt > now;
        if (left === null || left.accessToken !== tokens.accessToken || good) return left;
        return yield* failure("unreachable", `Its token cannot be renewed now: ${message}`);
      }, Effect.uninterruptible);

      const exchanged = Span.fn("AccessTokens.exchange")(function* (
        serverId: string,
        stale: string,
      ) {
        let claimed = yield* claim(serverId, stale);
        while (claimed === null) {
          yield* Effect.sleep("200 millis");
          claimed = yield* claim(serverId, stale);
        }
        const { tokens, turn } = claimed;
        const left = turn ? yield* exchange(serverId, tokens) : tokens;
        if (left !== null) return tokenOf(left);
        return yield* unauthorized(serverId, "Its authorization is over");
      });

      /** One exchange for all who ask at the same time; it goes on if they do not wait. */
      const shared = (serverId: string, stale: string) =>
        Effect.uninterruptibleMask((restore) => {
          const known = underWay.get(serverId);
          if (known !== undefined) return restore(Deferred.await(known));
          const made = Deferred.makeUnsafe<AccessToken, Failure>();
          underWay.set(serverId, made);
          return Effect.interruptible(exchanged(serverId, stale)).pipe(
            Effect.exit,
            Effect.flatMap((exit) => {
              underWay.delete(serverId);
              return Deferred.done(made, exit);
            }),
            Effect.forkIn(scope),
            Effect.andThen(restore(Deferred.await(made))),
          );
        });

      const get = Span.fn("AccessTokens.get")(function* (
        server: { readonly id: string; readonly entry: CatalogEntry },
        values: Values,
        target: Target,
      ) {
        if (target.transport === "stdio" || !takesToken(server.entry, values)) return null;
        const tokens = yield* read(server.id);
        if (tokens === null || tokens.origin !== originOf(target)) return null;
        const now = yield* Clock.currentTimeMillis;
        return tokens.renewAt === null || tokens.renewAt > now
          ? tokenOf(tokens)
          : yield* shared(server.id, tokens.accessToken);
      });

      const renew = (serverId: string, refused: AccessToken) =>
        shared(serverId, Redacted.value(refused.value));

      const want = Effect.fnUntraced(function* (serverId: string, scope: string) {
        const known = yield* Effect.catchTag(secrets.scope(serverId), "CannotOpen", () =>
          Effect.succeed(null),
        );
        const all = [...new Set(`${known ?? ""} ${scope}`.split(" "))].filter(Boolean).join(" ");
        const isGone = Option.isNone(yield* store.get(serverId));
        if (all === known || all.length > mostScope || isGone) return;
        yield* secrets.putScope(serverId, all);
      }, transact);

      return AccessTokens.of({ get, renew, want });
    }),
  );
}

/** What a new answer makes of tokens. They are renewed a minute early, or sooner if they are short. */
export const renewed = (
  old: Pick<Tokens, "authority" | "origin" | "refreshToken">,
  answer: TokenAnswer,
  now: number,
): Tokens => {
  const refreshToken =
    answer.refreshToken === null ? old.refreshToken : Redacted.value(answer.refreshToken);
  const millis = answer.expiresInSeconds === null ? null : answer.expiresInSeconds * 1_000;
  const early = millis === null ? 0 : Math.min(60_000, millis / 4);
  return {
    authority: old.authority,
    origin: old.origin,
    accessToken: Redacted.value(answer.accessToken),
    refreshToken,
    expiresAt: millis === null ? null : now + millis,
    renewAt: millis === null || refreshToken === null ? null : now + millis - early,
    renewing: null,
  };
};

/** Tokens that cannot be renewed now: as long as they are good, it is tried again in a minute. */
const postponed = (tokens: Tokens, now: number): Tokens => {
  const { expiresAt, renewAt } = tokens;
  const isGood = renewAt !== null && expiresAt !== null && expiresAt > now;
  const later = isGood ? Math.max(renewAt, Math.min(expiresAt, now + 60_000)) : renewAt;
  return { ...tokens, renewAt: later, renewing: null };
};

/** Whether the server is elsewhere, and its entry gives it no credentials of another kind. */
export const takesToken = ({ manifest }: CatalogEntry, values: Values): boolean => {
  if (isStdio(manifest) || /^https?:\/\/[^/?#]*@/.test(manifest.url)) return false;
  const header = Object.entries(manifest.headers).find(([name]) => isAuthorization(name))?.[1];
  const isEmpty = (name: string) => {
    const value = values.get(name);
    return value === undefined || Redacted.value(value) === "";
  };
  return header === undefined || variablesIn(header).some(isEmpty);
};

const isAuthorization = (name: string): boolean => name.toLowerCase() === "authorization";

type Remote = Exclude<Target, { readonly transport: "stdio" }>;

/** Where a token may be sent. */
export const originOf = ({ url }: Remote): string =>
  URL.parse(Redacted.value(url))?.origin ?? "null";

/** The target with the token in the place of what its entry says. */
export const withToken = (target: Target, token: AccessToken | null): Target => {
  if (target.transport === "stdio" || token === null) return target;
  const headers = Object.entries(target.headers).filter(([name]) => !isAuthorization(name));
  const authorization = Redacted.make(`Bearer ${Redacted.value(token.value)}`);
  return { ...target, headers: { ...Object.fromEntries(headers), authorization } };
};

const tokenOf = ({ accessToken, renewAt }: Tokens): AccessToken => ({
  value: Redacted.make(accessToken),
  renewAt,
});

const failure = (reason: ConnectorError["reason"], message: string) =>
  Effect.fail(new ConnectorError({ reason, message, sent: false }));

const unauthorized = (serverId: string, why: string) =>
  failure("unauthorized", `${why}. ${advice(serverId)}`);

/** What to do about a server that wants to be authorized. */
export const advice = (serverId: string): string =>
  `It must be authorized: POST /api/mcp/installed/${serverId}/authorize answers the address for a browser.`;
