import { Link } from "@tanstack/react-router";
import type { BriefIssue } from "../data/issues/issues.ts";
import { useLostRun } from "../data/lostRun.ts";
import { lostText } from "../data/runWords.ts";
import { useNow } from "../parts/RelativeTime.tsx";
import styles from "./Card.module.css";

/** Says that the last run of an issue in progress is gone, with a link to it. */
export const LostRun = ({ issue }: { readonly issue: BriefIssue }) => {
  const lost = useLostRun(issue);
  const now = useNow();
  if (lost === null) return null;
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: lost.runId }}
      className={styles["lost"] ?? ""}
      title={lostText(lost.at, now)}
      draggable={false}
      tabIndex={-1}
    >
      {lostText(lost.at, now)}
    </Link>
  );
};
