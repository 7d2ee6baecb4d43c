import { labelColor } from "./labelColor.ts";
import styles from "./Badge.module.css";

/** A label in its color. */
export const LabelBadge = ({ text }: { readonly text: string }) => (
  <span className={styles["badge"]} title={text}>
    <i className={styles["dot"]} style={{ background: labelColor(text) }} aria-hidden="true" />
    <span dir="auto">{text}</span>
  </span>
);
