import { classes } from "./classes.ts";
import styles from "./AgentDot.module.css";

/** An agent's id, with a filled dot while the agent runs the issue. */
export const AgentDot = ({ id, live }: { readonly id: string; readonly live: boolean }) => (
  <span className={styles["agent"]} title={live ? `${id} is working on it` : `Assigned to ${id}`}>
    <span className={classes(styles["dot"], live && styles["live"])} aria-hidden="true" />
    <span>{id}</span>
  </span>
);
