import { IconButton } from "./IconButton.tsx";
import styles from "./EmptyState.module.css";

/** A command line for the user to copy. */
export const Command = ({ line }: { readonly line: string }) => (
  <div className={styles["command"]}>
    {/* Scrollable, so it has to be reachable by keyboard. */}
    <code tabIndex={0}>{line}</code>
    <IconButton
      icon="copy"
      label="Copy the command"
      small
      onClick={() => void navigator.clipboard?.writeText(line)}
    />
  </div>
);
