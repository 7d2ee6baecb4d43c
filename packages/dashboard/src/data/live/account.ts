import { isProblem } from "@quartermaster/client";
import type { makeClient } from "./client.ts";
import type { SessionStore } from "./sessionStore.ts";
import { isSame, makeUserStorage, type User } from "./user.ts";

/** Signs in and out, in this tab and in the others. */
export const makeAccount = (
  base: string,
  session: SessionStore,
  client: Pick<ReturnType<typeof makeClient>, "api" | "forgetToken">,
) => {
  const users = makeUserStorage(base);

  /**
   * Takes over the user that this or another tab signed in. For another user it reloads the page, whose
   * data belong to the first.
   */
  const adopt = (next: User): void => {
    const now = session.current();
    if ("principal" in now && !isSame(now.principal, next.principal)) location.reload();
    else session.set({ status: "in", ...next });
  };

  /** Follows sign-ins and sign-outs of other tabs. */
  const follow = (): void => {
    const next = users.stored();
    if (next !== null) adopt(next);
    else if ("principal" in session.current()) location.replace(base);
  };

  /** Restores the session from the token in a sign-in link, or from the cookie and the stored secret. */
  const start = async (): Promise<void> => {
    users.onChange(follow);
    const [, signInToken] = /^#sign-in=([0-9a-f]{64})$/.exec(location.hash) ?? [];
    let refused: unknown = null;
    if (signInToken !== undefined) {
      history.replaceState(null, "", location.pathname + location.search);
      try {
        return await signIn({ signInToken });
      } catch (error) {
        refused = error;
      }
    }
    const last = users.stored();
    const info = last === null ? null : await client.api.session.get().catch(() => null);
    const isIn = last !== null && info !== null && isSame(info.principal, last.principal);
    session.set(isIn ? { status: "in", ...last } : { status: "out", refused });
  };

  /** Starts a session. Rejects with the server's problem if the key is wrong. */
  const signIn = async (
    by: { readonly apiKey: string } | { readonly signInToken: string },
  ): Promise<void> => {
    client.forgetToken();
    const { principal, sessionSecret } = await client.api.session.create(by);
    // Proves that the cookie works: if the browser sends a second cookie of that name, the server refuses
    // it.
    await client.api.session.get();
    users.store({ principal, sessionSecret });
    adopt({ principal, sessionSecret });
  };

  /** Ends the session and reloads the page, so that no data of the user remain in memory. */
  const signOut = async (): Promise<void> => {
    await client.api.session.end().catch((error: unknown) => {
      if (!isProblem(error, "unauthenticated")) throw error;
    });
    users.remove();
    location.replace(base);
  };

  return { start, signIn, signOut };
};

export type Account = ReturnType<typeof makeAccount>;
