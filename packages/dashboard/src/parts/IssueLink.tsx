import { Link } from "@tanstack/react-router";
import type { StatusName } from "./StatusIcon.tsx";
import { StatusIcon } from "./StatusIcon.tsx";
import styles from "./IssueLink.module.css";

/** A link to an issue, with its status and title. */
export const IssueLink = ({
  issue: { key, status, title },
}: {
  readonly issue: {
    readonly key: string;
    readonly title: string;
    readonly status: StatusName;
  };
}) => (
  <Link
    className={styles["issue"] ?? ""}
    to="/issues/$issueId"
    params={{ issueId: key }}
    title={title}
  >
    <StatusIcon status={status} />
    <span className={styles["key"]}>{key}</span>
    <span dir="auto">{title}</span>
  </Link>
);
