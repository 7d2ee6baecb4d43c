import { Redacted } from "effect";
import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import type { HttpSettings } from "../HttpOptions.ts";
import * as Connection from "./Connection.ts";

/**
 * The session cookie. Browsers send it to every port of its host, so it proves nothing about the
 * page that sent the request.
 */

type Request = HttpServerRequest.HttpServerRequest;

/** The cookie's name over plain HTTP. */
export const plainName = "qm_session";

/** The maximum duration of a session, in seconds. The server may end it earlier. */
const maxAge = 7 * 24 * 3_600;

/** All values of the cookie: a browser may send several with different paths. */
const valuesOf = (header: string | undefined, name: string): ReadonlyArray<string> =>
  (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });

export const make = ({
  prefix,
  publicUrl,
  trustedProxies,
}: Pick<HttpSettings, "prefix" | "publicUrl" | "trustedProxies">) => {
  const connection = Connection.make(trustedProxies);
  // The prefix as path keeps browsers from sending the cookie to the host's other routes.
  const path = prefix || "/";
  // A sibling domain can set any cookie except one with these prefixes. `__Host-` requires the path
  // `/`.
  const secureName = `${prefix === "" ? "__Host-" : "__Secure-"}${plainName}`;

  // If the public URL has https, browsers use HTTPS even if the proxy connects to us without it.
  const isSecure = (request: Request) =>
    publicUrl?.startsWith("https:") === true || connection.isSecure(request);
  const nameFor = (request: Request) => (isSecure(request) ? secureName : plainName);

  return {
    nameFor,
    read: (request: Request) => valuesOf(request.headers["cookie"], nameFor(request)),
    set: (
      request: Request,
      response: HttpServerResponse.HttpServerResponse,
      secret: Redacted.Redacted<string>,
    ) =>
      HttpServerResponse.setCookieUnsafe(response, nameFor(request), Redacted.value(secret), {
        httpOnly: true,
        sameSite: "strict",
        secure: isSecure(request),
        path,
        maxAge: `${maxAge} seconds`,
      }),
    expire: (request: Request, response: HttpServerResponse.HttpServerResponse) =>
      HttpServerResponse.expireCookieUnsafe(response, nameFor(request), {
        path,
        secure: isSecure(request),
      }),
  };
};
