import { Errors, Sessions } from "@quartermaster/core";
import { Effect, Redacted } from "effect";
import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Reply from "../endpoint/Reply.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Caller from "../request/Caller.ts";
import * as Refused from "../request/Refused.ts";
import * as SessionCookie from "../request/SessionCookie.ts";
import { Validity } from "../request/Validity.ts";
import * as Handlers from "./Handlers.ts";

/** Changes the wording of a 401 for a sign-in, whose credentials are in the body. */
const worded = (detail: string) => {
  const wrong = Refused.from(new Problem.Unauthenticated({ detail }));
  return (refused: Refused.Refused) => (refused.status === 401 ? wrong : refused);
};

const ofKey = worded("The API key is not valid: it is wrong, expired or deleted. Use another one.");

const ofLink = worded(
  "The sign-in link was used or has expired: it works once, within 5 minutes. Run `quartermaster open` for a new one, or use an API key.",
);

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const sessions = yield* Sessions.Sessions;
    const callers = yield* Caller.Callers;
    const validity = yield* Validity;
    const cookie = SessionCookie.make(yield* HttpOptions);

    const started = (
      request: HttpServerRequest.HttpServerRequest,
      { credential: { principal }, expiresAt, secret, sessionSecret }: Caller.SignedIn,
    ) =>
      cookie.set(
        request,
        HttpServerResponse.jsonUnsafe(
          { principal, expiresAt, sessionSecret: Redacted.value(sessionSecret) },
          { status: 201, headers: { location: "/api/session" } },
        ),
        secret,
      );

    return Handlers.of("session", {
      create: ({ payload, request }) =>
        "apiKey" in payload
          ? Effect.matchEffect(callers.byKey(request, Redacted.make(payload.apiKey)), {
              onFailure: (refused) => Effect.succeed(ofKey(refused)),
              onSuccess: (caller) =>
                Effect.map(sessions.create(caller), (issued) =>
                  started(request, { ...issued, credential: caller }),
                ),
            })
          : Effect.match(callers.signIn(request, Redacted.make(payload.signInToken)), {
              onFailure: ofLink,
              onSuccess: (signedIn) => started(request, signedIn),
            }),
      get: ({ caller: { expiresAt, principal } }) =>
        Reply.ok(Effect.succeed({ principal, expiresAt })),
      list: ({ caller, query }) => Reply.page(query, (page) => sessions.list(caller, page)),
      endOther: ({ caller, params }) =>
        Reply.noContent(Effect.flatMap(sessions.end(caller, params.sessionId), validity.recheck)),
      end: ({ caller, request }) =>
        Effect.as(
          caller.sessionHash === null
            ? Effect.void
            : Effect.andThen(
                sessions.remove({ ...caller, hash: caller.sessionHash }),
                validity.recheck(caller.keyId),
              ),
          cookie.expire(request, HttpServerResponse.empty({ status: 204 })),
        ),
      link: ({ caller: { by, keyId } }) =>
        by === "key"
          ? Reply.created(
              Effect.map(sessions.signInToken(keyId), ({ expiresAt, secret }) => ({
                signInToken: Redacted.value(secret),
                expiresAt,
              })),
            )
          : Effect.fail(new Errors.Forbidden({ requiredRole: null })),
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
