import type { SessionInfo } from "@quartermaster/client";

/**
 * The signed-in user, in the storage of this origin: other tabs read it, and pages of other ports cannot.
 * What the page stores beside it, such as drafts and filters, belongs to that user.
 */
export interface User {
  readonly principal: SessionInfo["principal"];
  /** Every write by cookie needs it: browsers send the cookie to all ports of the host. */
  readonly sessionSecret: string;
}

export const isSame = (one: User["principal"], other: User["principal"]): boolean =>
  one.type === other.type &&
  one.id === other.id &&
  one.role === other.role &&
  JSON.stringify(one.projects) === JSON.stringify(other.projects);

/** The user in the storage of the browser, for the server at this URL. */
export const makeUserStorage = (base: string) => {
  const name = `quartermaster session ${new URL(base).pathname}`;

  /** All that the page stores, but for the theme and the user of another mount of this origin. */
  const belongsToUser = (key: string) =>
    key === name || (/^quartermaster[ .]/.test(key) && !/^quartermaster (session|theme)/.test(key));

  const stored = (): User | null => {
    try {
      return JSON.parse(localStorage.getItem(name) ?? "null");
    } catch {
      return null;
    }
  };

  /** Removes the user, with what the page stored for them. Other tabs notice. */
  const remove = (): void => {
    try {
      for (const key of Object.keys(localStorage).filter(belongsToUser))
        localStorage.removeItem(key);
    } catch {
      // A browser without storage has nothing to remove.
    }
  };

  /** Stores the user. What another user left is removed. Other tabs notice. */
  const store = (user: User): void => {
    const before = stored();
    if (before === null || !isSame(before.principal, user.principal)) remove();
    try {
      localStorage.setItem(name, JSON.stringify(user));
    } catch {
      // A browser without storage, or a full one, asks to sign in again in every tab.
    }
  };

  /** Calls back when another tab stored or removed the user, and when the browser shows an earlier page again. */
  const onChange = (read: () => void): void => {
    // The key is null when the whole storage was cleared.
    addEventListener("storage", ({ key }) => (key === name || key === null) && read());
    addEventListener("pageshow", ({ persisted }) => persisted && read());
  };

  return { stored, remove, store, onChange };
};
