import { hash } from "node:crypto";
import { Context, Effect, Layer } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import { HttpApiScalar, OpenApi } from "effect/http-api";
import { Api } from "../api/Api.ts";
import { HttpOptions } from "../HttpOptions.ts";

/**
 * The allowed sources of the page: this server, and its own scripts by their hashes. Scalar adds
 * style elements at run time, so styles need 'unsafe-inline'.
 */
const contentSecurityPolicy = (scripts: ReadonlyArray<string>) =>
  [
    "default-src 'none'",
    ["script-src", ...scripts.map((script) => `'sha256-${hash("sha256", script, "base64")}'`)].join(
      " ",
    ),
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The contract, with the path at which it is mounted as its server. */
const mounted = Effect.map(HttpOptions, ({ prefix }) =>
  prefix === "" ? Api : Api.annotate(OpenApi.Servers, [{ url: prefix }]),
);

/** The OpenAPI 3.1 document, built on the first request. */
export const openapi = Effect.flatMap(mounted, (api) =>
  Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(api)))),
);

/** Hosts from which Scalar would load fonts and scripts, or through which it would proxy calls. */
const elsewhere = /https:\/\/(?:(?:fonts|proxy)\.scalar\.com|(?:cdn|www)\.jsdelivr\.(?:net|com))/g;

/**
 * Scalar's options. A tag expands when it is scrolled to: with all tags expanded the page has
 * 26,000 elements.
 */
const scalar = {
  withDefaultFonts: false,
  authentication: { preferredSecurityScheme: "bearer" },
  // Both features use another host. Effect's type lacks these two options of Scalar.
  showDeveloperTools: "never",
  hideClientButton: true,
};

/**
 * The API reference page, built on the first request. Its 3 MB script is stored as bytes: encoding
 * it took 37 ms per request. Browsers cache the page for an hour.
 */
export const page = Effect.gen(function* () {
  const scope = yield* Effect.scope;
  const route = HttpApiScalar.layer(yield* mounted, { path: "/docs/api", scalar }).pipe(
    Layer.provideMerge(Layer.fresh(HttpRouter.layer)),
  );
  return yield* Layer.buildWithScope(route, scope).pipe(
    Effect.flatMap((context) => Context.get(context, HttpRouter.HttpRouter).asHttpEffect()),
    Effect.map(({ body }) => {
      const html = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "";
      const page = html.replaceAll(elsewhere, "");
      const scripts = [
        ...page.matchAll(/<script(?![^>]*application\/json)[^>]*>(.*?)<\/script>/gs),
      ];
      return HttpServerResponse.uint8Array(new TextEncoder().encode(page), {
        contentType: "text/html; charset=utf-8",
        headers: {
          "cache-control": "public, max-age=3600",
          "content-security-policy": contentSecurityPolicy(scripts.map(([, text = ""]) => text)),
        },
      });
    }),
    Effect.orDie,
    Effect.cached,
  );
});
