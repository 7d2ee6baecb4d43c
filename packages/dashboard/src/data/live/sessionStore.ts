import { watched } from "../../parts/watched.ts";
import type { User } from "./user.ts";

/**
 * The signed-in user. States:
 *
 * - `starting`: the first request is pending;
 * - `out`: no user is signed in. `refused` is the reason why a link did not sign in; null without one;
 * - `in`: a user is signed in, and the page sends requests;
 * - `expired`: the server refused a request. The request and the user's input wait until the same user signs
 *   in again.
 *
 * No transition leads from one user to another, or from a user to `out`: the page reloads instead.
 */
export type Session =
  | { readonly status: "starting" }
  | { readonly status: "out"; readonly refused: unknown }
  | ({ readonly status: "in" | "expired" } & User);

export const makeSession = () => {
  const { current, set, subscribe } = watched<Session>({ status: "starting" });
  let waiting: Array<() => void> = [];
  return {
    current,
    subscribe,
    set: (next: Session): void => {
      set(next);
      if (next.status !== "in") return;
      for (const resume of waiting) resume();
      waiting = [];
    },
    /** Resolves once the user has signed in again. */
    renewed: (): Promise<void> => {
      const now = current();
      if (now.status === "in") set({ ...now, status: "expired" });
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
};

export type SessionStore = ReturnType<typeof makeSession>;
