import { classes } from "../parts/classes.ts";
import { type AgentState, stateNames } from "./states.ts";
import styles from "./StateDot.module.css";

/** A dot whose color and shape show the state of an agent, with the word beside it. */
export const StateDot = ({
  bare = false,
  state,
}: {
  readonly state: AgentState;
  /** Whether the word is only for assistive technology. */
  readonly bare?: boolean;
}) => (
  <span className={classes(styles["state"], styles[state])} title={stateNames[state]}>
    <span className={styles["dot"]} aria-hidden="true" />
    <span className={classes(bare && styles["hidden"])}>{stateNames[state]}</span>
  </span>
);
