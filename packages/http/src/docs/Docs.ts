import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Errors } from "@quartermaster/core";
import { Effect } from "effect";
import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import * as Dashboard from "../Dashboard.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Refused from "../request/Refused.ts";
import * as Pages from "./Pages.ts";
import * as Search from "./Search.ts";
import * as Template from "./Template.ts";

/** The documentation at `/docs` and below. The API reference is a separate route. */

type Request = HttpServerRequest.HttpServerRequest;
type Response = HttpServerResponse.HttpServerResponse;

const headers = {
  "cache-control": "no-cache",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    // The search form.
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "Accept, Accept-Encoding",
};

const compress = promisify(gzip);

/** Responds with HTML, compressed if the client accepts it: a page of the contract has 100 KB. */
const html = (request: Request, text: string, status = 200): Effect.Effect<Response> =>
  Effect.map(
    Dashboard.accepts(request.headers["accept-encoding"], "gzip")
      ? Effect.promise(() => compress(text))
      : Effect.succeed(null),
    (compressed) =>
      HttpServerResponse.uint8Array(compressed ?? new TextEncoder().encode(text), {
        status,
        contentType: "text/html; charset=utf-8",
        headers: compressed === null ? headers : { ...headers, "content-encoding": "gzip" },
      }),
  );

const notBuilt = HttpServerResponse.text(
  `<!doctype html><meta charset="utf-8"><title>Quartermaster</title><h1>The documentation is not built</h1>
<p>Run <code>npm run build</code> in the repository, and start the server again.</p>`,
  {
    status: 503,
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-store" },
  },
);

const load = Effect.gen(function* () {
  const { dashboard, prefix } = yield* HttpOptions;
  const documentation = yield* Pages.documentation;
  if (documentation === null) return null;
  const site: Template.Site = { documentation, prefix, hasDashboard: dashboard };
  return {
    site,
    pages: new Map(documentation.pages.map((page) => [page.path, page])),
    search: Search.make(documentation.pages),
  };
});

const queryOf = (request: Request): string =>
  new URL(request.url, "http://localhost").searchParams.get("q") ?? "";

const noSuchPage = Refused.because(new Errors.NotFound({ resource: "path", id: null }));

/** The response to `/docs` (`index`) and to paths below it (`below`); null for other requests. */
export const make = Effect.gen(function* () {
  const folder = yield* Pages.folder;
  const loaded = yield* Effect.cached(load);

  const asset = (name: string): Effect.Effect<Response | null> =>
    Effect.tryPromise(() => readFile(join(folder, "assets", name))).pipe(
      Effect.map((bytes) =>
        HttpServerResponse.uint8Array(bytes, {
          contentType: Dashboard.contentTypeOf(name),
          headers: {
            "cache-control": "public, max-age=31536000, immutable",
            "x-content-type-options": "nosniff",
          },
        }),
      ),
      Effect.orElseSucceed(() => null),
    );

  const respond = Effect.fnUntraced(function* (request: Request, path: string) {
    const [, name] = /^assets\/([a-z-]+-[0-9a-f]{8}\.(?:css|js|svg|woff2))$/.exec(path) ?? [];
    const file = name === undefined ? null : yield* asset(name);
    if (file !== null) return file;
    const docs = yield* loaded;
    if (docs === null) return notBuilt;
    const { pages, search, site } = docs;
    if (path === "search") {
      const query = queryOf(request);
      const found = search(query);
      if (!Dashboard.accepts(request.headers["accept"], "application/json")) {
        return yield* html(request, Template.results(site, query, found));
      }
      const results = found.map((one) => ({ ...one, url: Template.urlOf(site.prefix, one.path) }));
      return HttpServerResponse.jsonUnsafe(results, { headers });
    }
    const page = pages.get(path);
    if (page !== undefined) return yield* html(request, Template.page(site, page));
    return Dashboard.accepts(request.headers["accept"], "text/html")
      ? yield* html(request, Template.missing(site), 404)
      : noSuchPage;
  });

  const below = (request: Request): Effect.Effect<Response> | null => {
    const [, path] = /^\/docs\/([^?]+)/.exec(request.url) ?? [];
    if (path === undefined) return null;
    const isRead = request.method === "GET" || request.method === "HEAD";
    return isRead ? respond(request, path) : Effect.succeed(Refused.otherMethod("GET, HEAD"));
  };

  return { index: (request: Request) => respond(request, ""), below };
});
