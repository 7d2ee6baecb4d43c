import { IconButton } from "./IconButton.tsx";
import styles from "./FilterChip.module.css";

/** An active filter, with a button that removes it. */
export const FilterChip = ({
  label = "Remove the filter",
  onClear,
  onToggle,
  text,
}: {
  readonly text: string;
  /** The action of the button, placed before the text. */
  readonly label?: string;
  readonly onClear: () => void;
  /** Excludes what the filter included, or the other way around. */
  readonly onToggle?: (() => void) | undefined;
}) => (
  <span className={styles["chip"]}>
    {onToggle === undefined ? (
      <span className={styles["text"]}>{text}</span>
    ) : (
      <button
        type="button"
        className={styles["text"]}
        title={`Change to ${text.startsWith("not ") ? "" : "not "}${text.replace(/^not /, "")}`}
        onClick={onToggle}
      >
        {text}
      </button>
    )}
    <IconButton icon="close" label={`${label} ${text}`} small onClick={onClear} />
  </span>
);
