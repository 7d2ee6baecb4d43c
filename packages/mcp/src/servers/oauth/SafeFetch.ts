import type { FetchLike } from "@modelcontextprotocol/client";
import { Addresses, OAuthClient } from "@quartermaster/core";
import * as Bounded from "../network/Bounded.ts";
import * as Unreachable from "../network/Unreachable.ts";

const { OAuthFailure } = OAuthClient;

/** The largest response. Real metadata documents have a few KiB. */
const maxBytes = 256 * 1024;
/** The time limit of a request including its response. */
const requestMillis = 10_000;

const insecure = (origin: string, why: string) =>
  new OAuthFailure({
    reason: "insecure",
    message: `The URL ${origin} is not safe to authorize at: ${why}.`,
  });

/**
 * Refuses an untrusted URL that an MCP server named:
 * - a URL with http, which others can read in transit, unless it and the MCP server are on this
 *   host;
 * - a URL on this host, unless the MCP server's own URL is on it;
 * - a URL with a private address, unless the MCP server's own URL has one.
 *
 * `RemoteFetch` resolves and checks host names when a connection is opened.
 */
export const check = (url: URL, server: URL): void => {
  const [reach, serverReach] = [Addresses.reachOfHost(url), Addresses.reachOfHost(server)];
  const isLocal = reach === "loopback" && serverReach === "loopback";
  if (url.protocol !== "https:" && !(isLocal && url.protocol === "http:")) {
    throw insecure(url.origin, "it must be https");
  }
  if (reach === "loopback" && !isLocal) throw insecure(url.origin, "it is on this host");
  if (reach === "private" && serverReach !== "private" && serverReach !== "loopback") {
    throw insecure(url.origin, "its address is private");
  }
  if (url.username !== "" || url.password !== "") {
    throw insecure(url.origin, "it has credentials");
  }
};

/**
 * Sends requests to authorization servers: only to safe URLs, bounded in time and size. Does not
 * follow redirects of a POST, and reports no text of an error response.
 */
export const make =
  (fetch: FetchLike, server: URL, signal?: AbortSignal): FetchLike =>
  async (input, init = {}) => {
    const url = new URL(input);
    check(url, server);
    const timeout = AbortSignal.timeout(requestMillis);
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    }).catch((error) => {
      const refused = Unreachable.privateAddressOf(error);
      if (refused !== undefined) {
        throw insecure(url.origin, `its name resolves to the private address ${refused.address}`);
      }
      throw unreachable(
        timeout.aborted
          ? `The server at ${url.origin} did not respond within ${requestMillis / 1_000} s.`
          : `The server cannot be reached: ${Unreachable.of(error, url.origin).message}`,
      );
    });
    const posts = (init.method ?? "GET").toUpperCase() !== "GET";
    if (posts && response.status >= 300 && response.status < 400) {
      await discard(response);
      throw new OAuthFailure({
        reason: "redirected",
        message: `The server at ${url.origin} redirects a POST, which the client does not follow.`,
      });
    }
    if (response.status === 429 || response.status >= 500) {
      await discard(response);
      throw unreachable(
        `The server at ${url.origin} responded with HTTP status ${response.status}.`,
      );
    }
    return Bounded.body(
      response,
      maxBytes,
      () =>
        new OAuthFailure({
          reason: "badAnswer",
          message: `The server at ${url.origin} sent more than ${maxBytes} bytes.`,
        }),
    );
  };

const unreachable = (message: string) => new OAuthFailure({ reason: "unreachable", message });

const discard = (response: Response) => response.body?.cancel().catch(() => undefined);
