import { Link } from "@tanstack/react-router";
import { classes } from "./classes.ts";
import styles from "./AgentDot.module.css";

/** An agent's id, with a filled dot while the agent runs the issue. With `runId` it links to the run. */
export const AgentDot = ({
  id,
  live,
  runId,
}: {
  readonly id: string;
  readonly live: boolean;
  readonly runId?: string | undefined;
}) => {
  const content = (
    <>
      <span className={classes(styles["dot"], live && styles["live"])} aria-hidden="true" />
      <span>{id}</span>
    </>
  );
  if (runId === undefined) {
    return (
      <span
        className={styles["agent"]}
        title={live ? `${id} is working on it` : `Assigned to ${id}`}
      >
        {content}
      </span>
    );
  }
  return (
    <Link
      to="/runs/$runId"
      params={{ runId }}
      className={styles["agent"] ?? ""}
      title={`${id} is working on it: open the run`}
      draggable={false}
      tabIndex={-1}
    >
      {content}
    </Link>
  );
};
