import { Redacted } from "effect";
import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import type { HttpSettings } from "../HttpOptions.ts";
import * as Connection from "./Connection.ts";

/**
 * The cookie of a session. Browsers send it to every port of its host, so it proves nothing about the page
 * that a request comes from.
 */

type Request = HttpServerRequest.HttpServerRequest;

/** The cookie's name over plain HTTP. */
export const plainName = "qm_session";

/** The longest duration of a session, in seconds. The server may end it earlier. */
const maxAge = 7 * 24 * 3_600;

/** The values of all cookies of that name, also of several with different paths. */
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
  // Under a prefix, browsers do not send the cookie to the other routes of the host.
  const path = prefix || "/";
  // A sibling domain can set a cookie of any name but these. `__Host-` requires the path `/`.
  const secureName = `${prefix === "" ? "__Host-" : "__Secure-"}${plainName}`;

  // Browsers speak HTTPS to a public URL of it, whatever the proxy speaks to us.
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
