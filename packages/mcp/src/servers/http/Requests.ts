import { extractWWWAuthenticateParams, type FetchLike } from "@modelcontextprotocol/client";
import * as Unreachable from "../network/Unreachable.ts";
import { TransportFailure } from "../session/Failure.ts";
import type { Address } from "./Address.ts";
import * as Answers from "./Answers.ts";

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 5;

/**
 * Sends the requests of a transport with the target's headers, only to its origin, with bounded
 * responses and failures in our own words. Calls `onFailure` for each failure.
 */
export const make =
  (address: Address, fetch: FetchLike, onFailure: (failure: TransportFailure) => void): FetchLike =>
  async (input, init = {}) => {
    const fail = (failure: TransportFailure) => {
      onFailure(failure);
      return failure;
    };
    const headers = new Headers(init.headers);
    for (const [name, value] of address.headers) headers.set(name, value);
    const method = (init.method ?? "GET").toUpperCase();

    const ask = async (url: URL, followed: number): Promise<Response> => {
      const response = await fetch(url, { ...init, headers, redirect: "manual" }).catch((error) => {
        throw init.signal?.aborted === true ? error : fail(Unreachable.of(error, address.origin));
      });
      if (!redirects.has(response.status)) return response;
      const to = targetOf(response, url);
      await discard(response);
      if (to === null || to.origin !== address.origin) {
        const where = to === null ? "" : `, ${to.origin},`;
        const why = `The server redirects to another origin${where} which is not followed.`;
        throw fail(new TransportFailure("redirected", why, true));
      }
      const keepsMethod = method === "GET" || response.status === 307 || response.status === 308;
      if (!keepsMethod || followed === maxRedirects) {
        const why = keepsMethod
          ? `The server redirects more than ${maxRedirects} times.`
          : `The server redirects with status ${response.status}, which drops the body of the request.`;
        throw fail(new TransportFailure("redirected", why, true));
      }
      return ask(to, followed + 1);
    };

    const response = await ask(new URL(input), 0);
    // The SDK handles a missing stream, and errors of the current protocol version.
    if (!response.ok && method === "POST" && response.status !== 400) {
      await discard(response);
      throw fail(refusal(response));
    }
    if (!response.ok) onFailure(refusal(response));
    return Answers.body(response);
  };

/** Matches scopes in the syntax of RFC 6749, limited to a length that fits into a URL. */
const scopes = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;
const maxScopeLength = 1_000;

const refusal = (response: Response): TransportFailure => {
  const { status } = response;
  if (status === 401) {
    const why = "HTTP status 401: it requires authorization.";
    return new TransportFailure("unauthorized", why, true, status);
  }
  const { error, scope = "" } = status === 403 ? extractWWWAuthenticateParams(response) : {};
  if (error === "insufficient_scope" && scope.length <= maxScopeLength && scopes.test(scope)) {
    const why = `HTTP status 403: it requires the scopes ${scope}.`;
    return new TransportFailure("insufficientScope", why, true, status, scope);
  }
  if (status === 429) {
    const seconds = retryAfterOf(response);
    const why =
      seconds === undefined
        ? "HTTP status 429: it limits requests."
        : `HTTP status 429: it limits requests, and asks to wait ${seconds} s.`;
    return new TransportFailure("httpStatus", why, true, status, undefined, seconds);
  }
  return new TransportFailure("httpStatus", `HTTP status ${status}.`, true, status);
};

/** The seconds of `Retry-After`, which contains a number or a date. */
const retryAfterOf = (response: Response): number | undefined => {
  const value = response.headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Compare with the server's own clock, which may differ from ours.
  const left = Date.parse(value) - Date.parse(response.headers.get("date") ?? "");
  return Number.isFinite(left) && left >= 0 ? Math.ceil(left / 1_000) : undefined;
};

const targetOf = (response: Response, url: URL): URL | null => {
  const location = response.headers.get("location");
  return location !== null && URL.canParse(location, url.href) ? new URL(location, url) : null;
};

const discard = (response: Response) => response.body?.cancel().catch(() => undefined);
