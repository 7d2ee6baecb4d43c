import type { FetchLike } from "@modelcontextprotocol/client";
import { OAuthClient } from "@quartermaster/core";
import * as Bounded from "../http/Bounded.ts";
import * as Unreachable from "../http/Unreachable.ts";

const { OAuthFailure } = OAuthClient;

/** Of one answer: none of these documents is near it. */
const maxBytes = 256 * 1024;
/** Of one request, its answer included. */
const requestMillis = 10_000;

const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:.+\.)?localhost\.?$|^127(?:\.\d+){3}$|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:(?:7f..|0):/.test(
    hostname,
  );

/**
 * Refuses addresses that others can read on the way, and those of this machine, unless the MCP
 * server is on it, too: what a server names as its authorization server is not to be trusted.
 */
export const check = (url: URL, server: URL): void => {
  const local = isLoopback(url);
  const isFit = local
    ? isLoopback(server) && /^https?:$/.test(url.protocol)
    : url.protocol === "https:";
  if (!isFit || url.username !== "" || url.password !== "") {
    throw new OAuthFailure({
      reason: "insecure",
      message: `The address ${url.origin} is none to authorize at: it must be https, and not of this machine.`,
    });
  }
};

/**
 * Requests to authorization servers: to safe addresses alone, bounded in time and size. What is
 * posted is never redirected, and a server that fails says nothing about what it was posted.
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
      throw unreachable(
        timeout.aborted
          ? `The server at ${url.origin} did not answer within ${requestMillis / 1_000} s.`
          : `The server cannot be reached: ${Unreachable.of(error, url.origin).message}`,
      );
    });
    const posts = (init.method ?? "GET").toUpperCase() !== "GET";
    if (posts && response.status >= 300 && response.status < 400) {
      await discard(response);
      throw new OAuthFailure({
        reason: "redirected",
        message: `The server at ${url.origin} redirects what is posted to it, which is not followed.`,
      });
    }
    if (response.status === 429 || response.status >= 500) {
      await discard(response);
      throw unreachable(`The server at ${url.origin} answered HTTP status ${response.status}.`);
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
