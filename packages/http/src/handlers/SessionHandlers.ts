import { Errors, Sessions } from "@quartermaster/core";
import { Duration, Effect, Redacted } from "effect";
import { HttpServerResponse } from "effect/http";
import { HttpOptions } from "../HttpOptions.ts";
import * as Caller from "../request/Caller.ts";
import * as Connection from "../request/Connection.ts";
import { Validity } from "../request/Validity.ts";
import * as Reply from "../runner/Reply.ts";
import * as Handlers from "./Handlers.ts";

/** The longest that a session lasts; the server ends it sooner. */
const maxAge = Duration.days(7);

const info = ({ expiresAt, principal }: Caller.Caller) => ({ principal, expiresAt });

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

    return Handlers.of("session", {
      create: ({ payload, request }) =>
        Effect.matchEffect(callers.byKey(request, Redacted.make(payload.apiKey)), {
          onFailure: Effect.succeed,
          onSuccess: (caller) =>
            Effect.map(sessions.create(caller), ({ expiresAt, secret }) =>
              HttpServerResponse.setCookieUnsafe(
                HttpServerResponse.jsonUnsafe(info({ ...caller, expiresAt }), {
                  status: 201,
                  headers: { location: "/api/session" },
                }),
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
              ),
            ),
        }),
      get: ({ caller }) => Reply.ok(Effect.succeed(info(caller))),
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
