import { Link } from "@tanstack/react-router";
import type { StatusName } from "./StatusIcon.tsx";
import { StatusIcon } from "./StatusIcon.tsx";
import styles from "./IssueLink.module.css";

/** A link to an issue, with its status and title. */
export const IssueLink = ({
  issue: { id, status, title },
}: {
  readonly issue: {
    readonly id: string;
    readonly title: string;
    readonly status: StatusName;
  };
}) => (
  <Link
    className={styles["issue"] ?? ""}
    to="/issues/$issueId"
    params={{ issueId: id }}
    title={title}
  >
    <StatusIcon status={status} />
    <span dir="auto">{title}</span>
  </Link>
);
