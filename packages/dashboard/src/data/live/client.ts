import { type Client, connect, type FetchInit } from "@quartermaster/client";
import type { SessionStore } from "./sessionStore.ts";

type Send = (url: string, init: FetchInit) => Promise<Response>;

/** Whether the route accepts only a bearer token, not the cookie. */
const needsToken = (path: string, method: string) =>
  /^\/api\/(mcp|keys|webhooks)(\/|$)/.test(path) ||
  (/^\/api\/agents\/[^/]+$/.test(path) && method !== "GET");

/** Whether the response means that the session has expired, or that the cookie belongs to another session. */
const isRefused = async (response: Response): Promise<boolean> => {
  if (response.status !== 403) return response.status === 401;
  const problem = await response
    .clone()
    .json()
    .catch(() => null);
  return problem?.type === "urn:quartermaster:problem:csrf";
};

/** Makes the client of the signed-in user. `base` is the URL of the server, ending with a slash. */
export const makeClient = (base: string, session: SessionStore) => {
  let isLeaving = false;
  let token: { readonly text: string; readonly until: number } | null = null;

  /** The header that proves to the server that this page sent the request, not another site. */
  const secretOf = (): Record<string, string> => {
    const now = session.current();
    return "sessionSecret" in now ? { "quartermaster-session": now.sessionSecret } : {};
  };

  /** Sends a request. If the session has expired, sends it once more after the user has signed in again. */
  const withSession = async (
    url: string,
    init: FetchInit,
    headers: () => Promise<Record<string, string>> = async () => ({}),
    // A request that starts while the page closes outlives it.
    transport: Send = (to, by) => fetch(to, { ...by, keepalive: isLeaving }),
  ): Promise<Response> => {
    for (;;) {
      const response = await transport(url, {
        ...init,
        headers: { ...init.headers, ...secretOf(), ...(await headers()) },
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
      // The server's tokens last 15 minutes; a minute is the margin.
      token = { text, until: performance.now() + 14 * 60_000 };
    }
    return { authorization: `Bearer ${token.text}` };
  };

  const url = base.replace(/\/$/, "");
  const send: Send = (to, init) => {
    const path = to.slice(url.length).split("?")[0] ?? "";
    // A 401 of signing in or out has its own meaning and must not ask for another sign-in.
    if (path === "/api/session") return fetch(to, init);
    return needsToken(path, init.method) ? withSession(to, init, bearer) : withSession(to, init);
  };

  return {
    /** The client of the hooks. */
    api: connect({ url, fetch: send }),
    /** A client that sends its requests with `transport`. */
    clientOver: (transport: Send): Client =>
      connect({ url, fetch: (to, init) => withSession(to, init, undefined, transport) }),
    /** A client that reports each request to a function, so that the event stream can follow its connection. */
    observed: (observe: (sent: Promise<Response>) => void): Client =>
      connect({
        url,
        fetch: (to, init) => {
          const sent = withSession(to, init);
          observe(sent);
          return sent;
        },
      }),
    /** Marks that the page closes, or was restored from the history cache. */
    setLeaving: (is: boolean): void => {
      isLeaving = is;
    },
    /** Drops the bearer token, which belongs to the previous user. */
    forgetToken: (): void => {
      token = null;
    },
  };
};
