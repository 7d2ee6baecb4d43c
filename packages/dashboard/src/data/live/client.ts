import { type Client, connect, type FetchInit } from "@quartermaster/client";
import type { SessionStore } from "./sessionStore.ts";

type Send = (url: string, init: FetchInit) => Promise<Response>;

/** Whether the route takes no cookie, only a bearer token. */
const needsToken = (path: string, method: string) =>
  /^\/api\/(mcp|keys)(\/|$)/.test(path) ||
  (/^\/api\/agents\/[^/]+$/.test(path) && method !== "GET");

/** Whether a response says that the session has ended, or that the cookie is of another session. */
const isRefused = async (response: Response): Promise<boolean> => {
  if (response.status !== 403) return response.status === 401;
  const problem = await response
    .clone()
    .json()
    .catch(() => null);
  return problem?.type === "urn:quartermaster:problem:csrf";
};

/** Sends requests as the signed-in user, to the server at a URL that ends with a slash. */
export const makeClient = (base: string, session: SessionStore) => {
  let token: { readonly text: string; readonly until: number } | null = null;

  /** The header that proves to the server that this page sends a write. */
  const secretOf = (method: string): Record<string, string> => {
    const now = session.current();
    return method === "GET" || !("sessionSecret" in now)
      ? {}
      : { "quartermaster-session": now.sessionSecret };
  };

  /** Sends a request, and once more after the user signed in again. */
  const withSession = async (
    url: string,
    init: FetchInit,
    headers: () => Promise<Record<string, string>> = async () => ({}),
    transport: Send = (to, by) => fetch(to, by),
  ): Promise<Response> => {
    for (;;) {
      const response = await transport(url, {
        ...init,
        headers: { ...init.headers, ...secretOf(init.method), ...(await headers()) },
      });
      if (!("principal" in session.current()) || !(await isRefused(response))) return response;
      token = null;
      await session.renewed();
    }
  };

  const bearer = async (): Promise<Record<string, string>> => {
    if (token === null || token.until < performance.now()) {
      const path = `${base}api/session/token`;
      const response = await withSession(path, { method: "POST", headers: {} });
      const { token: text } = await response.json();
      // A token lasts 15 minutes.
      token = { text, until: performance.now() + 14 * 60_000 };
    }
    return { authorization: `Bearer ${token.text}` };
  };

  const url = base.replace(/\/$/, "");
  const send: Send = (to, init) => {
    const path = to.slice(url.length).split("?")[0] ?? "";
    // Signing in and out have their own words for a 401.
    if (path === "/api/session") return fetch(to, init);
    return needsToken(path, init.method) ? withSession(to, init, bearer) : withSession(to, init);
  };

  return {
    /** The client that every hook uses. */
    api: connect({ url, fetch: send }),
    /** A client whose requests another function sends. */
    clientOver: (transport: Send): Client =>
      connect({ url, fetch: (to, init) => withSession(to, init, undefined, transport) }),
    /** A client whose requests a function sees: the event stream reports its connection. */
    observed: (observe: (sent: Promise<Response>) => void): Client =>
      connect({
        url,
        fetch: (to, init) => {
          const sent = withSession(to, init);
          observe(sent);
          return sent;
        },
      }),
    /** Another user signs in. */
    forgetToken: (): void => {
      token = null;
    },
  };
};
