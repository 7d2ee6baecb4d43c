import { type Data, useStore } from "./live/data.ts";

/** An issue or agent that the user opened in this browser. */
export interface Recent {
  readonly kind: "issue" | "agent";
  readonly id: string;
  /** The title, or the agent's name. */
  readonly text: string;
}

const most = 8;

const isRecent = (value: unknown): value is Recent =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  (value.kind === "issue" || value.kind === "agent") &&
  "id" in value &&
  typeof value.id === "string" &&
  "text" in value &&
  typeof value.text === "string";

const recentStore = ({ session }: Data) => {
  /** The storage key, which contains the user: each user has a separate list. Null before sign-in. */
  const name = (): string | null => {
    const now = session.current();
    return "principal" in now ? `quartermaster.recent.${now.principal.id}` : null;
  };
  const recents = (): ReadonlyArray<Recent> => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(name() ?? "") ?? "[]");
      return Array.isArray(stored) ? stored.filter(isRecent) : [];
    } catch {
      return [];
    }
  };
  const others = ({ id, kind }: Omit<Recent, "text">) =>
    recents().filter((one) => one.id !== id || one.kind !== kind);
  const store = (list: ReadonlyArray<Recent>) => {
    const key = name();
    try {
      if (key !== null) localStorage.setItem(key, JSON.stringify(list.slice(0, most)));
    } catch {
      // Without storage the list stays empty.
    }
  };
  return {
    recents,
    opened: (recent: Recent): void => store([recent, ...others(recent)]),
    /** Removes an entry that no longer exists. */
    forget: (recent: Omit<Recent, "text">): void => store(others(recent)),
  };
};

export const useRecents = () => useStore(recentStore);
