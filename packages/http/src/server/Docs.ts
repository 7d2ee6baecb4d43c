import { Context, Effect, Layer } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import { HttpApiScalar, OpenApi } from "effect/http-api";
import { Api } from "../api/Api.ts";

/** What the page may load: nothing from anywhere, and answers of this server. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The OpenAPI 3.1 document, made when it is first asked for. */
export const openapi = Effect.cached(
  Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(Api))),
);

/** From where the page could load fonts and scripts of its own, and proxy calls. */
const elsewhere = /https:\/\/(?:(?:fonts|proxy)\.scalar\.com|(?:cdn|www)\.jsdelivr\.(?:net|com))/g;

/** How it is shown. A tag opens when it is looked at: all at once are 26,000 elements. */
const scalar = {
  withDefaultFonts: false,
  authentication: { preferredSecurityScheme: "bearer" },
  // Both lead to another host; these two options are Scalar's, though Effect's type has them not.
  showDeveloperTools: "never",
  hideClientButton: true,
};

/** The page that shows it: three megabytes of script, loaded when it is first asked for. */
export const page = Effect.gen(function* () {
  const scope = yield* Effect.scope;
  const route = HttpApiScalar.layer(Api, { path: "/docs", scalar }).pipe(
    Layer.provideMerge(Layer.fresh(HttpRouter.layer)),
  );
  return yield* Layer.buildWithScope(route, scope).pipe(
    Effect.flatMap((context) => Context.get(context, HttpRouter.HttpRouter).asHttpEffect()),
    Effect.map(({ body }) => {
      const html = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "";
      return HttpServerResponse.text(html.replaceAll(elsewhere, ""), {
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": contentSecurityPolicy },
      });
    }),
    Effect.orDie,
    Effect.cached,
  );
});
