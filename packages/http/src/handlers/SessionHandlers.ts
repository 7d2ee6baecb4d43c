import { Errors, Sessions } from "@quartermaster/core";
import { Duration, Effect, Redacted } from "effect";
import { HttpServerResponse } from "effect/http";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Caller from "../middleware/Caller.ts";
import * as Connection from "../middleware/Connection.ts";
import * as Answer from "./Answer.ts";

/** The longest that a session lasts; the server ends it sooner. */
const maxAge = Duration.days(7);

const info = ({ expiresAt, principal }: Caller.Caller) => ({ principal, expiresAt });

export const layer = Group.group(
  Api,
  "session",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions.Sessions;
    const callers = yield* Caller.Callers;
    const { trustedProxies } = yield* HttpOptions;
    const connection = Connection.make(trustedProxies);

    return handlers.handleAll({
      create: ({ payload, request }) =>
        Effect.matchEffect(callers.byKey(request, Redacted.make(payload.apiKey)), {
          onFailure: Effect.succeed,
          onSuccess: (caller) =>
            Answer.respond(sessions.create(caller), ({ expiresAt, secret }) =>
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
                  secure: connection.isSecure(request),
                  path: "/",
                  maxAge,
                },
              ),
            ),
        }),
      get: () => Answer.ok(Effect.map(Caller.current, info)),
      end: () =>
        Answer.respond(
          Effect.flatMap(Caller.current, ({ sessionHash }) =>
            sessionHash === null ? Effect.void : sessions.remove(sessionHash),
          ),
          () =>
            HttpServerResponse.expireCookieUnsafe(
              HttpServerResponse.empty({ status: 204 }),
              Caller.cookieName,
              { path: "/" },
            ),
        ),
      token: () =>
        Answer.created(
          Effect.gen(function* () {
            const { by, sessionHash } = yield* Caller.current;
            if (by !== "cookie" || sessionHash === null) {
              return yield* new Errors.Forbidden({ requiredRole: null });
            }
            const { expiresAt, secret } = yield* sessions.token(sessionHash);
            return { token: Redacted.value(secret), expiresAt };
          }),
        ),
    });
  }),
);
