import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Context, Effect } from "effect";
import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import { HttpOptions } from "./HttpOptions.ts";
import * as OAuthErrors from "./request/OAuthErrors.ts";
import * as Refused from "./request/Refused.ts";

/**
 * The dashboard's built page. `npm run build` writes it to the folder `page` of this package:
 * `index.html`, and `assets` with a hash in each name, also compressed as `.br` and `.gz`. Files
 * are read on first use.
 */

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const pageHeaders = {
  "cache-control": "no-cache",
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "Accept",
};

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** The file extensions of compressed files by content encoding, best first. */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/**
 * The folder of the page. The path is correct in the sources, the build and the bundled program.
 */
export const Folder = Context.Reference<string>("@quartermaster/http/Dashboard/Folder", {
  defaultValue: () => fileURLToPath(new URL("../page/", import.meta.url)),
});

type Response = HttpServerResponse.HttpServerResponse;

/** The media type of a built file. */
export const contentTypeOf = (name: string): string =>
  contentTypes[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";

/** Whether the `Accept` or `Accept-Encoding` header lists the value without `q=0`. */
export const accepts = (header: string | undefined, value: string): boolean =>
  (header ?? "")
    .split(",")
    .some((part) => new RegExp(`^\\s*${value}\\s*(;(?!\\s*q=0(\\.0*)?\\s*$).*)?$`, "i").test(part));

/** The response when the page was not built. */
const notBuilt = HttpServerResponse.text(
  `<!doctype html><meta charset="utf-8"><title>Quartermaster</title><h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> in the repository and restart the server. The API works without the dashboard.</p>`,
  {
    status: 503,
    contentType: "text/html; charset=utf-8",
    headers: { ...pageHeaders, "cache-control": "no-store" },
  },
);

const filesIn = (folder: string) =>
  Effect.tryPromise(async () => {
    const index = await readFile(join(folder, "index.html"), "utf8");
    return { index, names: new Set(await readdir(join(folder, "assets"))) };
  }).pipe(Effect.orElseSucceed(() => null));

/** Whether the page was built. */
export const isBuilt = Effect.map(Effect.flatMap(Folder, filesIn), (files) => files !== null);

/** Paths that never get the page: the API, the agents' endpoint and OAuth's errors. */
const isReserved = (path: string): boolean =>
  /^\/(api|mcp)(\/|$)/.test(path) || OAuthErrors.at(path) !== undefined;

/**
 * Responds to requests that match no route of the contract; null for requests that are not for the
 * page.
 */
export const make = Effect.gen(function* () {
  const { dashboard, prefix } = yield* HttpOptions;
  const folder = yield* Folder;
  const files = dashboard ? yield* filesIn(folder) : null;
  const read = new Map<string, Promise<Uint8Array>>();
  const bytesOf = (name: string) => {
    const bytes = read.get(name) ?? readFile(join(folder, "assets", name));
    read.set(name, bytes);
    return Effect.promise(() => bytes);
  };

  // The build's URLs are relative, but the page is served at paths of any depth.
  const html = new TextEncoder().encode(
    (files?.index ?? "").replaceAll('"./assets/', `"${prefix}/assets/`),
  );
  const etag = `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;

  const page = ({ headers }: HttpServerRequest.HttpServerRequest): Response => {
    if (files === null) return notBuilt;
    const isCurrent = (headers["if-none-match"] ?? "").split(/\s*,\s*/).includes(etag);
    return isCurrent
      ? HttpServerResponse.empty({ status: 304, headers: { ...pageHeaders, etag } })
      : HttpServerResponse.uint8Array(html, {
          contentType: "text/html; charset=utf-8",
          headers: { ...pageHeaders, etag },
        });
  };

  const asset = (
    { headers }: HttpServerRequest.HttpServerRequest,
    name: string,
  ): Effect.Effect<Response> => {
    const [encoding, ending] =
      encodings.find(
        ([encoding, ending]) =>
          files?.names.has(name + ending) === true && accepts(headers["accept-encoding"], encoding),
      ) ?? [];
    return Effect.map(bytesOf(name + (ending ?? "")), (bytes) =>
      HttpServerResponse.uint8Array(bytes, {
        contentType: contentTypeOf(name),
        headers: {
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff",
          vary: "Accept-Encoding",
          ...(encoding === undefined ? {} : { "content-encoding": encoding }),
        },
      }),
    );
  };

  return (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Response> | null => {
    if (!dashboard) return null;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const [path = ""] = request.url.split("?");
    const [, name] = /^\/assets\/([\w.-]+)$/.exec(path) ?? [];
    if (name !== undefined && files?.names.has(name) === true) {
      return isRead ? asset(request, name) : Effect.succeed(Refused.otherMethod("GET, HEAD"));
    }
    const wantsPage = isRead && accepts(request.headers["accept"], "text/html");
    return wantsPage && !isReserved(path) ? Effect.succeed(page(request)) : null;
  };
});
