import { classes } from "../parts/classes.ts";
import { type AgentState, stateNames } from "./states.ts";
import styles from "./StateDot.module.css";

/** The state of an agent as a dot, distinguished by color and by shape, and as a word. */
export const StateDot = ({
  bare = false,
  state,
}: {
  readonly state: AgentState;
  /** Whether only assistive technology gets the word. */
  readonly bare?: boolean;
}) => (
  <span className={classes(styles["state"], styles[state])} title={stateNames[state]}>
    <span className={styles["dot"]} aria-hidden="true" />
    <span className={classes(bare && styles["hidden"])}>{stateNames[state]}</span>
  </span>
);
