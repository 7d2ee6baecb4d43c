import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import * as OAuthErrors from "./OAuthErrors.ts";
import * as RouteTable from "./RouteTable.ts";

/**
 * CORS for web pages that connect to the agents' endpoint from allowed origins: preflights, and
 * headers on every other response, so that a page can read errors too. Cookies are not allowed: a
 * page sends a key.
 */

type Request = HttpServerRequest.HttpServerRequest;
type Headers = Readonly<Record<string, string>>;

/** The request headers of all MCP protocol versions and of this service. */
const requestHeaders = [
  "Authorization",
  "Content-Type",
  "Last-Event-ID",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Protocol-Version",
  "Mcp-Session-Id",
  "Quartermaster-Run",
  "Quartermaster-Worker",
  "X-Request-Id",
];

const exposedHeaders = "Mcp-Session-Id, Retry-After, WWW-Authenticate, X-Request-Id";

/** Seconds for which browsers may cache a preflight response: Chromium's maximum. */
const maxAge = "7200";

/** Whether pages of other origins may use the URL. After a 401 a page also looks for OAuth metadata. */
const isOpen = ({ url }: Request): boolean =>
  RouteTable.isAgentsEndpoint(url) || OAuthErrors.at(url) !== undefined;

const varying: Headers = { vary: "Origin" };

/**
 * The fixed headers and the headers that the page requests. Protocol version 2026-07-28 adds
 * headers `Mcp-Param-...` with names that a tool chooses.
 */
const allowedHeaders = ({ headers }: Request): string => {
  const asked = (headers["access-control-request-headers"] ?? "").split(",");
  const names = [...asked.map((name) => name.trim()), ...requestHeaders];
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
    .filter((name) => name !== "")
    .join(", ");
};

export const make = (allowedOrigins: ReadonlyArray<string>) => {
  const allowed = new Map(
    allowedOrigins.map((origin): [string, Headers] => [
      origin,
      {
        ...varying,
        "access-control-allow-origin": origin,
        "access-control-expose-headers": exposedHeaders,
      },
    ]),
  );

  return {
    /** The headers of every response to the request. */
    headers: (request: Request): Headers | undefined =>
      allowed.size > 0 && isOpen(request)
        ? (allowed.get(request.headers["origin"] ?? "") ?? varying)
        : undefined,

    /** The response to a preflight from an allowed origin; undefined for every other request. */
    preflight: (request: Request): HttpServerResponse.HttpServerResponse | undefined =>
      request.method === "OPTIONS" &&
      isOpen(request) &&
      allowed.has(request.headers["origin"] ?? "") &&
      request.headers["access-control-request-method"] !== undefined
        ? HttpServerResponse.empty({
            status: 204,
            headers: {
              "access-control-allow-methods": "GET, POST, DELETE",
              "access-control-allow-headers": allowedHeaders(request),
              "access-control-max-age": maxAge,
            },
          })
        : undefined,
  };
};
