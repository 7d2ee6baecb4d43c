import styles from "./Keys.module.css";

const isMac = /Mac|iP/.test(navigator.userAgent);

const names: Readonly<Record<string, string>> = {
  alt: isMac ? "⌥" : "Alt",
  arrowdown: "↓",
  arrowup: "↑",
  enter: "↵",
  escape: "Esc",
  mod: isMac ? "⌘" : "Ctrl",
  shift: "⇧",
};

/** Keys as a person reads them: `mod+k` is two keys together, `g i` one after the other. */
export const Keys = ({ keys }: { readonly keys: string }) => (
  <span className={styles["keys"]}>
    {keys.split(/[ +]/).map((key) => (
      <kbd key={key}>{names[key] ?? key.toUpperCase()}</kbd>
    ))}
  </span>
);
