import { Authorizations } from "@quartermaster/core";
import { Effect } from "effect";
import type { HttpServerRequest } from "effect/http";
import { callbackPath, clientPath } from "../api/AuthorizationApi.ts";
import * as Reply from "../endpoint/Reply.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as PublicOrigin from "../request/PublicOrigin.ts";
import * as CallbackPage from "./CallbackPage.ts";
import * as Handlers from "./Handlers.ts";

/** The value of a query parameter that occurs exactly once; null otherwise. */
const read = ({ url }: HttpServerRequest.HttpServerRequest): Authorizations.Callback => {
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
  const once = (name: string) => {
    const [value, ...more] = query.getAll(name);
    return value === undefined || more.length > 0 ? null : value;
  };
  return { state: once("state"), code: once("code"), issuer: once("iss"), error: once("error") };
};

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const authorizations = yield* Authorizations.Authorizations;
    const settings = yield* HttpOptions;

    const where = (request: HttpServerRequest.HttpServerRequest) => {
      const base = `${PublicOrigin.of(settings, request)}${settings.prefix}`;
      return {
        redirectUri: `${base}${callbackPath}`,
        clientId: base.startsWith("https:") ? `${base}${clientPath}` : null,
      };
    };

    return Handlers.of("authorization", {
      begin: ({ params, request }) =>
        Reply.ok(authorizations.begin(params.serverId, where(request))),
      callback: ({ request }) => {
        const callback = read(request);
        // A HEAD, such as a link preview, must not consume the state.
        if (request.method === "HEAD" && callback.state !== null) {
          return Effect.succeed(CallbackPage.empty);
        }
        return authorizations.complete(callback).pipe(
          Effect.map(({ name }) => CallbackPage.success(name)),
          Effect.catchTags({
            AuthorizationFailed: ({ explanation }) =>
              Effect.succeed(CallbackPage.failure(explanation)),
            StorageError: () => Effect.succeed(CallbackPage.unavailable),
          }),
        );
      },
      client: ({ request }) => {
        const { clientId, redirectUri } = where(request);
        return Reply.ok(
          Effect.succeed({
            client_id: clientId,
            client_name: "Quartermaster",
            redirect_uris: [redirectUri],
            grant_types: ["authorization_code", "refresh_token"],
            response_types: ["code"],
            token_endpoint_auth_method: "none",
          }),
        );
      },
    });
  }),
);
