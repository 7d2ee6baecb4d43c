import { Errors, Sessions } from "@quartermaster/core";
import { Duration, Effect, Redacted } from "effect";
import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import * as Problem from "../api/Problem.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Caller from "../request/Caller.ts";
import * as Connection from "../request/Connection.ts";
import * as Refused from "../request/Refused.ts";
import { Validity } from "../request/Validity.ts";
import * as Reply from "../runner/Reply.ts";
import * as Handlers from "./Handlers.ts";

/** The longest that a session lasts; the server ends it sooner. */
const maxAge = Duration.days(7);

const wrong = Refused.from(
  new Problem.Unauthenticated({
    detail:
      "The API key or the link is not valid. Use a valid API key, or an unused link that is at most 5 minutes old.",
  }),
);

/** A 401 in the words of a sign-in, whose credentials are in the body. */
const worded = (refused: Refused.Refused): Refused.Refused =>
  refused.status === 401 ? wrong : refused;

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const sessions = yield* Sessions.Sessions;
    const callers = yield* Caller.Callers;
    const validity = yield* Validity;
    const { prefix, publicUrl, trustedProxies } = yield* HttpOptions;
    // Under a prefix, browsers do not send the cookie to the other routes of the host.
    const path = prefix || "/";
    const isHttps = publicUrl?.startsWith("https:") === true;
    const connection = Connection.make(trustedProxies);

    const started = (
      request: HttpServerRequest.HttpServerRequest,
      { credential: { principal }, expiresAt, secret }: Caller.SignedIn,
    ) =>
      HttpServerResponse.setCookieUnsafe(
        HttpServerResponse.jsonUnsafe(
          { principal, expiresAt },
          { status: 201, headers: { location: "/api/session" } },
        ),
        Caller.cookieName,
        Redacted.value(secret),
        {
          httpOnly: true,
          sameSite: "strict",
          // Browsers speak HTTPS to a public URL of it, whatever the proxy speaks to us.
          secure: isHttps || connection.isSecure(request),
          path,
          maxAge,
        },
      );

    return Handlers.of("session", {
      create: ({ payload, request }) =>
        "apiKey" in payload
          ? Effect.matchEffect(callers.byKey(request, Redacted.make(payload.apiKey)), {
              onFailure: (refused) => Effect.succeed(worded(refused)),
              onSuccess: (caller) =>
                Effect.map(sessions.create(caller), (issued) =>
                  started(request, { ...issued, credential: caller }),
                ),
            })
          : Effect.match(callers.signIn(request, Redacted.make(payload.signInToken)), {
              onFailure: worded,
              onSuccess: (signedIn) => started(request, signedIn),
            }),
      get: ({ caller: { expiresAt, principal } }) =>
        Reply.ok(Effect.succeed({ principal, expiresAt })),
      list: ({ caller, query }) => Reply.page(query, (page) => sessions.list(caller, page)),
      endOther: ({ caller, params }) =>
        Reply.noContent(Effect.flatMap(sessions.end(caller, params.sessionId), validity.recheck)),
      end: ({ caller: { keyId, sessionHash } }) =>
        Effect.as(
          sessionHash === null
            ? Effect.void
            : Effect.andThen(sessions.remove(sessionHash), validity.recheck(keyId)),
          HttpServerResponse.expireCookieUnsafe(
            HttpServerResponse.empty({ status: 204 }),
            Caller.cookieName,
            { path },
          ),
        ),
      token: ({ caller: { by, sessionHash } }) =>
        by !== "cookie" || sessionHash === null
          ? Effect.fail(new Errors.Forbidden({ requiredRole: null }))
          : Reply.created(
              Effect.map(sessions.token(sessionHash), ({ expiresAt, secret }) => ({
                token: Redacted.value(secret),
                expiresAt,
              })),
            ),
    });
  }),
);
