import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const key = "quartermaster theme";
const listeners = new Set<() => void>();

// Storage may be refused.
const stored = (): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

let theme: Theme = "system";

const show = (next: Theme) => {
  theme = next;
  if (next === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = next;
  for (const listener of listeners) listener();
};

const read = () => {
  const value = stored();
  show(value === "light" || value === "dark" ? value : "system");
};

/** Applies the stored choice, here and when another tab changes it. */
export const start = (): void => {
  read();
  addEventListener("storage", (event) => event.key === key && read());
};

export const set = (next: Theme): void => {
  try {
    localStorage.setItem(key, next);
  } catch {
    // The choice holds until the page is closed.
  }
  show(next);
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => theme);
