import type { Activity } from "../../data/issues/stream.ts";
import { useNames } from "../../data/live/names.ts";
import { Icon, type IconName } from "../../parts/Icon.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { Who } from "../common/Who.tsx";
import { peopleOf, sentenceOf } from "../common/words.ts";
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

export const ChangeItem = ({ change }: { readonly change: Activity }) => (
  <li className={styles["change"]}>
    <span className={styles["mark"]}>
      <Icon name={icons[change.kind] ?? "more"} size={12} />
    </span>
    <span className={styles["words"]}>
      <Who id={change.actor.id} /> {sentenceOf(change, useNames(peopleOf(change)))}
    </span>
    <RelativeTime iso={change.createdAt} />
  </li>
);
