import { IconButton } from "./IconButton.tsx";
import styles from "./FilterChip.module.css";

/** An active filter, with a button that removes it. */
export const FilterChip = ({
  label = "Remove the filter",
  onClear,
  text,
}: {
  readonly text: string;
  /** The action of the button, placed before the text. */
  readonly label?: string;
  readonly onClear: () => void;
}) => (
  <span className={styles["chip"]}>
    <span className={styles["text"]}>{text}</span>
    <IconButton icon="close" label={`${label} ${text}`} small onClick={onClear} />
  </span>
);
