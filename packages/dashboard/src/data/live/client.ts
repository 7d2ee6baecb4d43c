import { connect, type Fetch, type FetchInit, isProblem } from "@quartermaster/client";
import { base } from "./base.ts";
import * as session from "./session.ts";
import * as user from "./user.ts";

export { base };

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

/** The header that proves to the server that this page sends a write. */
const secretOf = (method: string): Record<string, string> => {
  const now = session.current();
  return method === "GET" || !("sessionSecret" in now)
    ? {}
    : { "quartermaster-session": now.sessionSecret };
};

/** Whether a response says that the session has ended, or that the cookie is of another session. */
const isRefused = async (response: Response): Promise<boolean> => {
  if (response.status !== 403) return response.status === 401;
  const problem = await response
    .clone()
    .json()
    .catch(() => null);
  return problem?.type === "urn:quartermaster:problem:csrf";
};

/** Sends a request, and once more after the user signed in again. */
const withSession = async (
  url: string,
  init: FetchInit,
  headers: () => Promise<Record<string, string>> = async () => ({}),
  transport: (url: string, init: FetchInit) => Promise<Response> = (to, by) => fetch(to, by),
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

const send: Fetch = (url, init) => {
  const path = pathOf(url);
  // Signing in and out have their own words for a 401.
  if (path === "/api/session") return fetch(url, init);
  return needsToken(path, init.method)
    ? withSession(url, init, async () => ({ authorization: `Bearer ${await tokenFor()}` }))
    : withSession(url, init);
};

const url = base.replace(/\/$/, "");

/** The client that every hook uses. */
export const api = connect({ url, fetch: send });

/** A client whose requests another function sends. */
export const clientOver = (transport: (url: string, init: FetchInit) => Promise<Response>) =>
  connect({ url, fetch: (to, init) => withSession(to, init, undefined, transport) });

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

/** Shows the user that this tab, or another one, signed in. Another user gets a new page: this one has data of the first. */
const adopt = (next: user.User): void => {
  const now = session.current();
  if ("principal" in now && !user.isSame(now.principal, next.principal)) location.reload();
  else session.set({ status: "in", ...next });
};

/** Takes over what another tab did with the session. */
const follow = (): void => {
  const next = user.stored();
  if (next !== null) adopt(next);
  else if ("principal" in session.current()) location.replace(base);
};

/** Finds out who is signed in: by the token of the link in the terminal, or by the cookie and the stored secret. */
export const start = async (): Promise<void> => {
  user.onChange(follow);
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
  const last = user.stored();
  const info = last === null ? null : await api.session.get().catch(() => null);
  const isIn = last !== null && info !== null && user.isSame(info.principal, last.principal);
  session.set(isIn ? { status: "in", ...last } : { status: "out" });
};

/** Starts a session. Rejects with the problem of a wrong key. */
export const signIn = async (
  by: { readonly apiKey: string } | { readonly signInToken: string },
): Promise<void> => {
  token = null;
  const { principal, sessionSecret } = await api.session.create(by);
  // The browser may have a second cookie of that name, which the server refuses.
  await api.session.get();
  user.store({ principal, sessionSecret });
  adopt({ principal, sessionSecret });
};

/** Ends the session, and loads the page again: nothing of the user is left in it. */
export const signOut = async (): Promise<void> => {
  await api.session.end().catch((error: unknown) => {
    if (!isProblem(error, "unauthenticated")) throw error;
  });
  user.remove();
  location.replace(base);
};
