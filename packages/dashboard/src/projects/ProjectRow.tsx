import { Link } from "@tanstack/react-router";
import type { ProjectSummary } from "../data/issues/projects.ts";
import { Badge } from "../parts/Badge.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { ListRow, RowName } from "../parts/ScreenList.tsx";
import styles from "./Projects.module.css";

/** A project in the list. */
export const ProjectRow = ({
  onPause,
  project: { counts, id, lastActivityAt, name, paused, prefix },
}: {
  readonly project: ProjectSummary;
  /** Null if the user may not pause projects. */
  readonly onPause: (() => void) | null;
}) => {
  const shown = name ?? id;
  return (
    <ListRow aria-label={shown}>
      <RowName detail={name === null ? prefix : `${prefix} · ${id}`}>
        <Link
          to="/projects/$projectId"
          params={{ projectId: id }}
          data-item={id}
          title={id}
          dir="auto"
        >
          {shown}
        </Link>
      </RowName>
      <span>{paused ? <Badge text="Paused" tone="warning" /> : null}</span>
      <Link
        className={styles["count"] ?? ""}
        to="/work"
        search={{ project: [id] }}
        title={`Issues of ${shown}`}
      >
        {counts.Open + counts.InProgress + counts.WaitingOnDependency + counts.PendingReview} open
      </Link>
      <span className={styles["time"]}>
        {lastActivityAt === null ? "" : <RelativeTime iso={lastActivityAt} prefix="Last change" />}
      </span>
      {onPause === null ? null : (
        <IconButton
          icon={paused ? "play" : "pause"}
          label={`${paused ? "Resume" : "Pause"} ${shown}`}
          keys="shift+p"
          small
          tabIndex={-1}
          onClick={onPause}
        />
      )}
    </ListRow>
  );
};
