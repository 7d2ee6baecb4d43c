import { Clock, Deferred, Effect, Redacted, Schedule } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import * as Actor from "../../../Actor.ts";
import type { StorageError } from "../../../CommonErrors.ts";
import { EventLog } from "../../../events/EventLog.ts";
import * as Span from "../../../internal/Span.ts";
import { Transactor } from "../../../Transactor.ts";
import { ConnectorError } from "../../McpConnector.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import { OAuthClient, type TokenAnswer } from "../../OAuthClient.ts";
import { advice } from "../Bearer.ts";
import * as OAuthSecrets from "./OAuthSecrets.ts";

/**
 * Refreshes the tokens of authorized servers. Storage holds the state of a server's tokens, because
 * several nodes share them.
 *
 * States
 * - **none**: no tokens are stored. The server must be authorized.
 * - **fresh**: `refreshAt` is null or in the future.
 * - **due**: `refreshAt` has passed, or the server rejected the access token.
 * - **refreshing**: one node holds a claim (`refreshing.by`) until `refreshing.until`.
 *
 * Transitions
 * - none → fresh: an authorization completes (`Authorizations`).
 * - fresh → due: by time, or by a 401.
 * - due → refreshing: `claim`, in one transaction.
 * - refreshing → fresh: the authorization server returns tokens.
 * - refreshing → due: any failure except `invalidGrant`, or the claim expires because its node
 *   died. While the access token is still valid, the next attempt is a minute later.
 * - refreshing → none: `invalidGrant`. An event reports it.
 *
 * Invariants
 * 1. A refresh token is sent once, because authorization servers revoke tokens that are sent twice.
 *    The claim ensures it across nodes, `inFlight` within a node.
 * 2. A refresh that was sent always finishes: callers that leave do not interrupt it, and a busy
 *    storage is retried for 4 seconds.
 * 3. The result is stored only if the claim is still valid, so a newer authorization wins.
 */

type Tokens = OAuthSecrets.Tokens;
export type Failure = ConnectorError | StorageError;

/** The duration of a claim. A refresh takes less, unless its node died. */
const claimMillis = 40_000;
/** Tokens are refreshed this long before they expire, or at three quarters of a short lifetime. */
const marginMillis = 60_000;

export interface TokenRefresh {
  /** Reads the stored tokens; null without any. */
  read(serverId: string): Effect.Effect<Tokens | null, Failure>;
  /**
   * Returns tokens other than `stale`: refreshes them, or waits for the refresh of another caller
   * or node. Returns the same tokens if the refresh failed and they are still valid.
   */
  refresh(serverId: string, stale: Redacted.Redacted<string>): Effect.Effect<Tokens, Failure>;
}

export const make = Effect.gen(function* () {
  const secrets = yield* OAuthSecrets.make;
  const claims = yield* makeClaims(secrets);
  const oauth = yield* OAuthClient;
  const scope = yield* Effect.scope;
  const inFlight = new Map<string, Deferred.Deferred<Tokens, Failure>>();

  /** Sends the refresh token of a claim, and stores the result. Null: the server has no tokens now. */
  const send = Effect.fnUntraced(function* (serverId: string, claimed: Tokens) {
    const { authority, refreshToken } = claimed;
    const answer = yield* Effect.result(
      oauth.refresh({ authority, refreshToken: refreshToken ?? Redacted.make("") }),
    );
    const now = yield* Clock.currentTimeMillis;
    if (answer._tag === "Success") {
      return yield* claims.store(serverId, claimed, (old) => refreshed(old, answer.success, now));
    }
    const { message, reason } = answer.failure;
    if (reason === "invalidGrant") return yield* claims.store(serverId, claimed, () => null);
    const current = yield* claims.store(serverId, claimed, (old) => postponed(old, now));
    const isOther = current === null || !isSame(current.accessToken, claimed.accessToken);
    const isValid = current?.expiresAt != null && current.expiresAt > now;
    if (isOther || isValid) return current;
    return yield* failure("unreachable", `Its token cannot be refreshed now: ${message}`);
  }, Effect.uninterruptible);

  const claimAndSend = Span.fn("TokenRefresh.refresh")(function* (
    serverId: string,
    stale: Redacted.Redacted<string>,
  ) {
    let claim = yield* claims.claim(serverId, stale);
    while (claim._tag === "OtherNode") {
      yield* Effect.sleep("200 millis");
      claim = yield* claims.claim(serverId, stale);
    }
    const tokens = claim._tag === "Claimed" ? yield* send(serverId, claim.tokens) : claim.tokens;
    return tokens ?? (yield* unauthorized("Its authorization has expired"));
  });

  const refresh = (serverId: string, stale: Redacted.Redacted<string>) =>
    Effect.uninterruptibleMask((restore) => {
      const pending = inFlight.get(serverId);
      if (pending !== undefined) return restore(Deferred.await(pending));
      const result = Deferred.makeUnsafe<Tokens, Failure>();
      inFlight.set(serverId, result);
      return Effect.interruptible(claimAndSend(serverId, stale)).pipe(
        Effect.exit,
        Effect.flatMap((exit) => {
          inFlight.delete(serverId);
          return Deferred.done(result, exit);
        }),
        Effect.forkIn(scope),
        Effect.andThen(restore(Deferred.await(result))),
      );
    });

  const service: TokenRefresh = { read: claims.read, refresh };
  return service;
});

/** The result of `claim`. */
type Claim =
  | { readonly _tag: "Claimed"; readonly tokens: Tokens }
  /** Another caller has already refreshed them. */
  | { readonly _tag: "Refreshed"; readonly tokens: Tokens }
  | { readonly _tag: "OtherNode" };

/** The transactions on stored tokens. */
const makeClaims = Effect.fnUntraced(function* (secrets: OAuthSecrets.OAuthSecrets) {
  const store = yield* McpServerStore;
  const events = yield* EventLog;
  const { transact } = yield* Transactor;
  const random = yield* SecureRandom.SecureRandom;
  const node = Hex.encode(yield* random.randomBytes(8));

  const read = (serverId: string) =>
    Effect.catchTag(secrets.tokens(serverId), "CannotOpen", (error) =>
      failure("badVariables", `Its tokens cannot be decrypted: ${error.message}`),
    );

  const claim = (serverId: string, stale: Redacted.Redacted<string>) =>
    transact(
      Effect.gen(function* (): Effect.fn.Return<Claim, Failure> {
        const tokens = yield* read(serverId);
        if (tokens === null) return yield* unauthorized("It is no longer authorized");
        if (!isSame(tokens.accessToken, stale)) return { _tag: "Refreshed", tokens };
        if (tokens.refreshToken === null) return yield* unauthorized("Its token has expired");
        const now = yield* Clock.currentTimeMillis;
        if (tokens.refreshing !== null && tokens.refreshing.until > now) {
          return { _tag: "OtherNode" };
        }
        const claimed = { ...tokens, refreshing: { by: node, until: now + claimMillis } };
        yield* secrets.putTokens(serverId, claimed);
        return { _tag: "Claimed", tokens: claimed };
      }),
    );

  const remove = Effect.fnUntraced(function* (serverId: string) {
    yield* secrets.removeTokens(serverId);
    const server = yield* store.get(serverId);
    if (server._tag === "None") return;
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
  });

  /**
   * Ends a claim: stores the tokens that `next` returns, or removes the tokens if `next` returns
   * null. If the claim is no longer valid, changes nothing. Returns the stored tokens.
   */
  const end = (serverId: string, claimed: Tokens, next: (tokens: Tokens) => Tokens | null) =>
    transact(
      Effect.gen(function* () {
        const tokens = yield* read(serverId);
        const stands =
          tokens !== null &&
          isSame(tokens.accessToken, claimed.accessToken) &&
          tokens.refreshing?.by === claimed.refreshing?.by;
        if (!stands) return tokens;
        const changed = next(tokens);
        yield* changed === null ? remove(serverId) : secrets.putTokens(serverId, changed);
        return changed;
      }),
    ).pipe(
      Effect.retry({
        while: (error) => error._tag === "StorageError" && error.isRetryable,
        schedule: Schedule.spaced("200 millis"),
        times: 20,
      }),
    );

  return { read, claim, store: end };
});

/** The tokens after the authorization server returned new ones. */
export const refreshed = (
  old: Pick<Tokens, "authority" | "origin" | "refreshToken">,
  answer: TokenAnswer,
  now: number,
): Tokens => {
  const refreshToken = answer.refreshToken ?? old.refreshToken;
  const lifetime = answer.expiresInSeconds === null ? null : answer.expiresInSeconds * 1_000;
  const margin = lifetime === null ? 0 : Math.min(marginMillis, lifetime / 4);
  return {
    authority: old.authority,
    origin: old.origin,
    accessToken: answer.accessToken,
    refreshToken,
    expiresAt: lifetime === null ? null : now + lifetime,
    refreshAt: lifetime === null || refreshToken === null ? null : now + lifetime - margin,
    refreshing: null,
  };
};

/** The tokens after a failed refresh. While they are valid, the next attempt is a minute later. */
const postponed = (tokens: Tokens, now: number): Tokens => {
  const { expiresAt, refreshAt } = tokens;
  const isValid = refreshAt !== null && expiresAt !== null && expiresAt > now;
  const later = isValid ? Math.max(refreshAt, Math.min(expiresAt, now + 60_000)) : refreshAt;
  return { ...tokens, refreshAt: later, refreshing: null };
};

const isSame = (a: Redacted.Redacted<string>, b: Redacted.Redacted<string>): boolean =>
  Redacted.value(a) === Redacted.value(b);

const failure = (reason: ConnectorError["reason"], message: string) =>
  Effect.fail(new ConnectorError({ reason, message, sent: false }));

const unauthorized = (why: string) => failure("unauthorized", `${why}. ${advice}`);
