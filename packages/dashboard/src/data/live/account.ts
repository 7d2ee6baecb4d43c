import { isProblem } from "@quartermaster/client";
import type { makeClient } from "./client.ts";
import type { SessionStore } from "./sessionStore.ts";
import { isSame, makeUserStorage, type User } from "./user.ts";

/** Signs in and out, here and in the other tabs. */
export const makeAccount = (
  base: string,
  session: SessionStore,
  client: Pick<ReturnType<typeof makeClient>, "api" | "forgetToken">,
) => {
  const users = makeUserStorage(base);

  /** Shows the user that this tab, or another one, signed in. Another user gets a new page: this one has data of the first. */
  const adopt = (next: User): void => {
    const now = session.current();
    if ("principal" in now && !isSame(now.principal, next.principal)) location.reload();
    else session.set({ status: "in", ...next });
  };

  /** Takes over what another tab did with the session. */
  const follow = (): void => {
    const next = users.stored();
    if (next !== null) adopt(next);
    else if ("principal" in session.current()) location.replace(base);
  };

  /** Finds out who is signed in: by the token of the link in the terminal, or by the cookie and the stored secret. */
  const start = async (): Promise<void> => {
    users.onChange(follow);
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
    const last = users.stored();
    const info = last === null ? null : await client.api.session.get().catch(() => null);
    const isIn = last !== null && info !== null && isSame(info.principal, last.principal);
    session.set(isIn ? { status: "in", ...last } : { status: "out" });
  };

  /** Starts a session. Rejects with the problem of a wrong key. */
  const signIn = async (
    by: { readonly apiKey: string } | { readonly signInToken: string },
  ): Promise<void> => {
    client.forgetToken();
    const { principal, sessionSecret } = await client.api.session.create(by);
    // The browser may have a second cookie of that name, which the server refuses.
    await client.api.session.get();
    users.store({ principal, sessionSecret });
    adopt({ principal, sessionSecret });
  };

  /** Ends the session, and loads the page again: nothing of the user is left in it. */
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
