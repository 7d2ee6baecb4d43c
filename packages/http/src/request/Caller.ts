import { Errors, Keys, type Principal, Sessions } from "@quartermaster/core";
import { Context, Effect, Layer, Redacted } from "effect";
import type { HttpServerRequest } from "effect/http";
import * as Problem from "../api/Problem.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Connection from "./Connection.ts";
import * as RateLimits from "./RateLimits.ts";
import * as Refused from "./Refused.ts";
import * as SessionCookie from "./SessionCookie.ts";

/** The caller of the current request, with its credentials. */
export interface Caller extends Keys.Credential {
  readonly principal: Principal.Principal;
  readonly by: "key" | "cookie" | "token";
  /** The stored hash of the session's secret; null for a key. */
  readonly sessionHash: string | null;
  /** Whether the request proves more than a cookie: it has the session's secret, a key or a token. */
  readonly hasSecret: boolean;
}

/** A session that a sign-in token started. */
export type SignedIn = Effect.Success<ReturnType<Sessions.Sessions["Service"]["signIn"]>>;

/** The header that carries the session's secret. */
export const secretHeader = "quartermaster-session";

/** The form of a session's token, in full: a key of the host's own choice may start like one. */
const sessionToken = /^qms_[0-9a-f]{64}$/;

const utf8 = new TextDecoder();

/**
 * The characters of a bearer token. Node reads headers as Latin-1, while most clients send UTF-8. Only a
 * key of the host's own choice has characters outside ASCII.
 */
const asSent = (secret: string) => {
  if (!/[\u0080-\u00ff]/.test(secret)) return secret;
  const text = utf8.decode(Uint8Array.from(secret, (character) => character.charCodeAt(0)));
  return text.includes("\ufffd") ? secret : text;
};

/** Authenticates requests. Fails with the response that refuses the request. */
export class Callers extends Context.Service<
  Callers,
  {
    /** Authenticates by bearer key or token; without one, by session cookie if `cookie` allows it. */
    identify(
      request: HttpServerRequest.HttpServerRequest,
      cookie: boolean,
    ): Effect.Effect<Caller, Refused.Refused>;
    /** Authenticates by an API key that the request carries outside the `Authorization` header. */
    byKey(
      request: HttpServerRequest.HttpServerRequest,
      key: Redacted.Redacted<string>,
    ): Effect.Effect<Caller, Refused.Refused>;
    /** Starts a session with a sign-in token. A wrong token counts as a failed authentication. */
    signIn(
      request: HttpServerRequest.HttpServerRequest,
      secret: Redacted.Redacted<string>,
    ): Effect.Effect<SignedIn, Refused.Refused>;
  }
>()("@quartermaster/http/request/Callers") {
  static readonly layer = Layer.effect(
    Callers,
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const sessions = yield* Sessions.Sessions;
      const limits = yield* RateLimits.RateLimits;
      const settings = yield* HttpOptions;
      const connection = Connection.make(settings.trustedProxies);
      const sessionCookie = SessionCookie.make(settings);

      const failed = (request: HttpServerRequest.HttpServerRequest) =>
        Effect.withFiber<never, Refused.Refused>((fiber) => {
          const now = RateLimits.now(fiber);
          const seconds = limits.failed(connection.clientAddress(request), now);
          return Effect.fail(seconds === 0 ? refusedKey : tooManyFailures(seconds));
        });

      /** Counts a wrong secret as a failed authentication of the address. */
      const counted =
        (request: HttpServerRequest.HttpServerRequest) =>
        <A>(authenticated: Effect.Effect<A, Parameters<typeof Refused.because>[0]>) =>
          Effect.catch(authenticated, (error) =>
            error._tag === "Unauthenticated"
              ? failed(request)
              : Effect.fail(Refused.because(error)),
          );

      const byKey = (
        request: HttpServerRequest.HttpServerRequest,
        key: Redacted.Redacted<string>,
      ): Effect.Effect<Caller, Refused.Refused> =>
        Effect.map(counted(request)(keys.authenticate(key)), (credential) => ({
          ...credential,
          by: "key" as const,
          sessionHash: null,
          hasSecret: true,
        }));

      const signIn = (
        request: HttpServerRequest.HttpServerRequest,
        secret: Redacted.Redacted<string>,
      ) => counted(request)(sessions.signIn(secret));

      const byToken = (request: HttpServerRequest.HttpServerRequest, token: string) =>
        Effect.map(
          counted(request)(sessions.authenticate("token", Redacted.make(token))),
          ({ hash, ...credential }): Caller => ({
            ...credential,
            by: "token",
            sessionHash: hash,
            hasSecret: true,
          }),
        );

      const byBearer = (request: HttpServerRequest.HttpServerRequest, secret: string) =>
        sessionToken.test(secret)
          ? byToken(request, secret)
          : byKey(request, Redacted.make(secret));

      const byCookie = (
        request: HttpServerRequest.HttpServerRequest,
      ): Effect.Effect<Caller, Refused.Refused> => {
        const [cookie, ...others] = sessionCookie.read(request);
        if (cookie === undefined) return Effect.fail(refusedKey);
        if (others.length > 0) return Effect.fail(severalCookies(sessionCookie.nameFor(request)));
        const sent = request.headers[secretHeader];
        const secret = sent === undefined ? undefined : Redacted.make(sent);
        // An expired session is not an attempt to guess a key, so it is not counted.
        return Effect.mapBoth(sessions.authenticate("cookie", Redacted.make(cookie), secret), {
          onFailure: Refused.because,
          onSuccess: ({ hash, ...credential }) => ({
            ...credential,
            by: "cookie" as const,
            sessionHash: hash,
          }),
        });
      };

      const identify = (request: HttpServerRequest.HttpServerRequest, cookie: boolean) => {
        const { authorization } = request.headers;
        if (authorization !== undefined) {
          const secret = /^Bearer +(.+)$/i.exec(authorization)?.[1]?.trim();
          return secret === undefined || secret === ""
            ? Effect.fail(refusedKey)
            : byBearer(request, asSent(secret));
        }
        return cookie ? byCookie(request) : Effect.fail(refusedKey);
      };

      return Callers.of({ identify, byKey, signIn });
    }),
  );
}

const refusedKey = Refused.because(new Errors.Unauthenticated());

/**
 * The refusal of duplicate cookies: one may come from a sibling domain or from another program on
 * the host.
 */
const severalCookies = (name: string) =>
  Refused.from(
    new Problem.Unauthenticated({
      detail: `The browser sent several cookies named ${name}. Delete this site's cookies, and sign in again.`,
    }),
  );

const tooManyFailures = (seconds: number) =>
  Refused.from(
    new Problem.RateLimited({
      detail:
        "This network address sent too many wrong keys. Retry after the delay in `Retry-After`.",
    }),
    { "retry-after": String(seconds) },
  );
