import { IconButton } from "./IconButton.tsx";
import styles from "./FilterChip.module.css";

/** A filter of a list, with a button that removes it. */
export const FilterChip = ({
  onClear,
  text,
}: {
  readonly text: string;
  readonly onClear: () => void;
}) => (
  <span className={styles["chip"]}>
    <span className={styles["text"]}>{text}</span>
    <IconButton icon="close" label={`Remove the filter ${text}`} small onClick={onClear} />
  </span>
);
