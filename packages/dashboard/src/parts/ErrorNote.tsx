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

/** An error in words; nothing if it is null. With `className` it is in a separate box. */
export const ErrorNote = ({
  action,
  className,
  error,
}: {
  readonly error: unknown;
  readonly action?: ReactNode;
  readonly className?: string | undefined;
}) => {
  if (error === null) return null;
  const request = requestOf(error);
  const note = (
    <div className={styles["note"]} role="alert">
      <Icon name="warning" />
      <div>
        <Prose text={sentenceOf(error)} />
        {request === null ? null : <div className={styles["request"]}>{request}</div>}
      </div>
      {action}
    </div>
  );
  return className === undefined ? note : <div className={className}>{note}</div>;
};
