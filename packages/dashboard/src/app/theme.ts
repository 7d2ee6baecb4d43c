import { useShared } from "../parts/shared.ts";
import { watched } from "../parts/watched.ts";

export type Theme = "system" | "light" | "dark";

const key = "quartermaster theme";

// The browser may block storage.
const stored = (): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const show = (theme: Theme) => {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
};

export const makeTheme = () => {
  const theme = watched<Theme>("system");
  const change = (next: Theme) => {
    show(next);
    theme.set(next);
  };
  const read = () => {
    const value = stored();
    change(value === "light" || value === "dark" ? value : "system");
  };
  return {
    theme,
    /** Applies the stored theme now and whenever another tab changes it. */
    start: (): void => {
      read();
      addEventListener("storage", (event) => event.key === key && read());
    },
    set: (next: Theme): void => {
      try {
        localStorage.setItem(key, next);
      } catch {
        // Without storage the theme applies until the page closes.
      }
      change(next);
    },
  };
};

export const useTheme = () => useShared(makeTheme);
