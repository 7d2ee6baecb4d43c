import { connect, type Fetch, type FetchInit } from "@quartermaster/client";
import * as session from "./session.ts";

// Vite would take the URL of a chunk inside of `new URL` for the URL of a file.
const chunk = import.meta.url;

/** The URL of the server, with the path that it is mounted at. Chunks are in its folder `assets`. */
export const base = import.meta.env.PROD ? new URL("../..", chunk).href : `${location.origin}/`;

const pathOf = (url: string) => url.slice(base.length - 1).split("?")[0] ?? "";

/** Whether the route takes no cookie, only a bearer token. */
const needsToken = (path: string, method: string) =>
  /^\/api\/(mcp|keys)(\/|$)/.test(path) ||
  (/^\/api\/agents\/[^/]+$/.test(path) && method !== "GET");

let token: { readonly text: string; readonly until: number } | null = null;

const tokenFor = async (): Promise<string> => {
  if (token === null || token.until < performance.now()) {
    const response = await withSession(`${base}api/session/token`, { method: "POST", headers: {} });
    const { token: text } = await response.json();
    // A token lasts 15 minutes.
    token = { text, until: performance.now() + 14 * 60_000 };
  }
  return token.text;
};

/** Sends a request, and once more after the user signed in again. */
export const withSession = async (
  url: string,
  init: FetchInit,
  headers: () => Promise<Record<string, string>> = async () => ({}),
  transport: (url: string, init: FetchInit) => Promise<Response> = (to, by) => fetch(to, by),
): Promise<Response> => {
  for (;;) {
    const response = await transport(url, {
      ...init,
      headers: { ...init.headers, ...(await headers()) },
    });
    const isOver = response.status === 401 && session.current().status !== "out";
    if (!isOver || session.current().status === "starting") return response;
    token = null;
    await session.renewed();
  }
};

const send: Fetch = (url, init) => {
  const path = pathOf(url);
  // Signing in and out have their own words for a 401.
  if (path === "/api/session") return fetch(url, init);
  return needsToken(path, init.method)
    ? withSession(url, init, async () => ({ authorization: `Bearer ${await tokenFor()}` }))
    : withSession(url, init);
};

export const url = base.replace(/\/$/, "");

/** The client that every hook uses. */
export const api = connect({ url, fetch: send });

/** A client whose requests a function sees: the event stream reports its connection. */
export const observed = (observe: (sent: Promise<Response>) => void) =>
  connect({
    url,
    fetch: (to, init) => {
      const sent = withSession(to, init);
      observe(sent);
      return sent;
    },
  });

/** Finds out who is signed in: by the token of the link in the terminal, or by the cookie. */
export const start = async (): Promise<void> => {
  const [, signInToken] = /^#sign-in=([0-9a-f]{64})$/.exec(location.hash) ?? [];
  if (signInToken !== undefined) {
    history.replaceState(null, "", location.pathname + location.search);
    if (
      await signIn({ signInToken }).then(
        () => true,
        () => false,
      )
    )
      return;
  }
  const info = await api.session.get().catch(() => null);
  session.set(info === null ? { status: "out" } : { status: "in", principal: info.principal });
};

/** Starts a session. Rejects with the problem of a wrong key. */
export const signIn = async (
  by: { readonly apiKey: string } | { readonly signInToken: string },
): Promise<void> => {
  token = null;
  const { principal } = await api.session.create(by);
  session.set({ status: "in", principal });
};

export const signOut = async (): Promise<void> => {
  await api.session.end();
  token = null;
  session.set({ status: "out" });
};
