import type { SessionInfo } from "@quartermaster/client";

/**
 * The signed-in user, stored for this origin: other tabs share it, and pages on other ports cannot read it.
 * Other stored data, such as drafts and filters, belong to this user.
 */
export interface User {
  readonly principal: SessionInfo["principal"];
  /**
   * The secret that every write by cookie sends. Browsers send the cookie to every port of the host, so the
   * cookie proves nothing.
   */
  readonly sessionSecret: string;
}

export const isSame = (one: User["principal"], other: User["principal"]): boolean =>
  one.type === other.type &&
  one.id === other.id &&
  one.role === other.role &&
  JSON.stringify(one.projects) === JSON.stringify(other.projects);

/** The storage of the signed-in user, for the server at this URL. */
export const makeUserStorage = (base: string) => {
  const name = `quartermaster session ${new URL(base).pathname}`;

  /**
   * Whether a storage key belongs to the user. The theme, and the user of another mount on this origin, do
   * not.
   */
  const belongsToUser = (key: string) =>
    key === name || (/^quartermaster[ .]/.test(key) && !/^quartermaster (session|theme)/.test(key));

  const stored = (): User | null => {
    try {
      return JSON.parse(localStorage.getItem(name) ?? "null");
    } catch {
      return null;
    }
  };

  /** Removes the user and everything stored for them. Other tabs get an event. */
  const remove = (): void => {
    try {
      for (const key of Object.keys(localStorage).filter(belongsToUser))
        localStorage.removeItem(key);
    } catch {
      // Without storage there is nothing to remove.
    }
  };

  /** Stores the user and removes what another user left. Other tabs get an event. */
  const store = (user: User): void => {
    const before = stored();
    if (before === null || !isSame(before.principal, user.principal)) remove();
    try {
      localStorage.setItem(name, JSON.stringify(user));
    } catch {
      // If storage is missing or full, each tab asks for its own sign-in.
    }
  };

  /**
   * Calls back when another tab changes the user, and when the browser restores the page from its history
   * cache.
   */
  const onChange = (read: () => void): void => {
    // `key` is null when another tab clears the whole storage.
    addEventListener("storage", ({ key }) => (key === name || key === null) && read());
    addEventListener("pageshow", ({ persisted }) => persisted && read());
  };

  return { stored, remove, store, onChange };
};
