import { useSyncExternalStore } from "react";
import type { User } from "./user.ts";

/**
 * The signed-in user. States:
 *
 * - `starting`: the first request has no response yet;
 * - `out`: no user is signed in;
 * - `in`: requests go out;
 * - `expired`: a request was refused. It waits, with what the user typed, until the same user signs in again.
 *
 * No transition leads from one user to another, or from a user to `out`: the page is loaded again instead.
 */
export type Session =
  | { readonly status: "starting" | "out" }
  | ({ readonly status: "in" | "expired" } & User);

let session: Session = { status: "starting" };
const listeners = new Set<() => void>();
let waiting: Array<() => void> = [];

export const current = (): Session => session;

export const set = (next: Session): void => {
  session = next;
  if (next.status === "in") {
    for (const resume of waiting) resume();
    waiting = [];
  }
  for (const listener of listeners) listener();
};

/** Resolves when the user has signed in again. */
export const renewed = (): Promise<void> => {
  if (session.status === "in") set({ ...session, status: "expired" });
  return new Promise((resolve) => waiting.push(resolve));
};

export const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): Session => useSyncExternalStore(subscribe, current);

const roles = ["Metrics", "Viewer", "Editor", "Admin", "Owner"];

/** Whether the user's role is at least this one. The server decides; this hides what it would refuse. */
export const useMay = (role: "Viewer" | "Editor" | "Admin" | "Owner"): boolean => {
  const now = useSession();
  return "principal" in now && roles.indexOf(now.principal.role) >= roles.indexOf(role);
};
