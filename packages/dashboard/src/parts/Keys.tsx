import { keyNames } from "./keyNames.ts";
import styles from "./Keys.module.css";

const isMac = /Mac|iP/.test(navigator.userAgent);

/** A readable keyboard shortcut: `mod+k` is pressed together, `g i` one after the other. */
export const Keys = ({ keys }: { readonly keys: string }) => (
  <span className={styles["keys"]}>
    {keyNames(keys, isMac).map((name) => (
      <kbd key={name}>{name}</kbd>
    ))}
  </span>
);
