import type { ReactNode } from "react";
import { Icon } from "./Icon.tsx";
import { Prose } from "./Prose.tsx";
import { sentenceOf } from "./sentence.ts";
import styles from "./ErrorNote.module.css";

/** The request id, for finding the request in the server's log. */
const requestOf = (error: unknown): string | null =>
  error instanceof Error &&
  "status" in error &&
  Number(error.status) >= 500 &&
  "instance" in error &&
  typeof error.instance === "string"
    ? error.instance
    : null;

export const ErrorNote = ({
  action,
  error,
}: {
  readonly error: unknown;
  readonly action?: ReactNode;
}) => {
  const request = requestOf(error);
  return (
    <div className={styles["note"]} role="alert">
      <Icon name="warning" />
      <div>
        <Prose text={sentenceOf(error)} />
        {request === null ? null : <div className={styles["request"]}>{request}</div>}
      </div>
      {action}
    </div>
  );
};
