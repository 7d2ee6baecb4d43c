import { IconButton } from "./IconButton.tsx";
import styles from "./EmptyState.module.css";

/** A command line, to be copied. */
export const Command = ({ line }: { readonly line: string }) => (
  <div className={styles["command"]}>
    {/* It scrolls, so the keyboard has to reach it. */}
    <code tabIndex={0}>{line}</code>
    <IconButton
      icon="copy"
      label="Copy the command"
      small
      onClick={() => void navigator.clipboard?.writeText(line)}
    />
  </div>
);
