import { Link } from "@tanstack/react-router";
import { otherIssueOf, peopleOf, sentenceOf } from "../../data/issues/activityWords.ts";
import { useNamedIssue } from "../../data/issues/issues.ts";
import type { Activity } from "../../data/issues/stream.ts";
import { useNames } from "../../data/live/names.ts";
import { Icon, type IconName } from "../../parts/Icon.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { Who } from "../common/Who.tsx";
import styles from "./Stream.module.css";

const icons: Partial<Record<Activity["kind"], IconName>> = {
  created: "plus",
  updated: "pencil",
  attached: "attach",
  detached: "attach",
  deferred: "clock",
  asked: "question",
  answered: "check",
  linked: "blocked",
  unlinked: "blocked",
  paused: "pause",
  resumed: "play",
  statusChanged: "issue",
};

/** A link to another issue. Shows the title if the user may see the issue. */
const Other = ({ id }: { readonly id: string }) => {
  const { data } = useNamedIssue(id);
  return data === undefined ? (
    "another issue"
  ) : (
    <Link to="/issues/$issueId" params={{ issueId: id }} dir="auto">
      {data.title}
    </Link>
  );
};

export const ChangeItem = ({ change }: { readonly change: Activity }) => {
  const names = useNames(peopleOf(change));
  const other = otherIssueOf(change);
  return (
    <li className={styles["change"]}>
      <span className={styles["mark"]}>
        <Icon name={icons[change.kind] ?? "more"} size={12} />
      </span>
      <span className={styles["words"]}>
        <Who id={change.actor.id} /> {sentenceOf(change, names)}
        {other === null ? null : (
          <>
            {" "}
            <Other id={other} />
          </>
        )}
      </span>
      <RelativeTime iso={change.createdAt} />
    </li>
  );
};
