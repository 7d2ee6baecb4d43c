import { getRouteApi } from "@tanstack/react-router";
import { useComments } from "../../data/issues/comments.ts";
import { useActivity, useIssueRuns } from "../../data/issues/stream.ts";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Skeleton } from "../../parts/Skeleton.tsx";
import { shows } from "../common/search.ts";
import { ChangeItem } from "./ChangeItem.tsx";
import { CommentItem } from "./CommentItem.tsx";
import { RunItem } from "./RunItem.tsx";
import { type Entry, streamOf, versionOf } from "./stream.ts";
import styles from "./Stream.module.css";

const route = getRouteApi("/issues/$issueId");

const item = (entry: Entry, isGone: boolean) => {
  switch (entry.type) {
    case "comment":
      return <CommentItem key={entry.id} comment={entry.comment} isGone={isGone} />;
    case "run":
      return <RunItem key={entry.id} run={entry.run} />;
    case "change":
      return <ChangeItem key={entry.id} change={entry.change} />;
  }
};

const nothing = {
  comments: "No comments yet. Agents get new comments with their next turn.",
  runs: "No runs yet.",
  changes: "No changes yet.",
} as const;

/** The comments, runs and changes of an issue, oldest first. */
export const Stream = ({
  isGone,
  issueId,
}: {
  readonly issueId: string;
  /** Whether the issue was deleted: then nothing can be changed. */
  readonly isGone: boolean;
}) => {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const activity = useActivity(issueId);
  const comments = useComments(issueId);
  const runs = useIssueRuns(issueId, versionOf(activity.data));
  const error = activity.error ?? comments.error;
  const entries =
    activity.data === undefined || comments.data === undefined
      ? null
      : streamOf(activity.data, comments.data, runs, show);
  const hasEarlier = activity.hasNextPage || comments.hasNextPage;
  const loadEarlier = () => {
    if (activity.hasNextPage) void activity.fetchNextPage();
    if (comments.hasNextPage) void comments.fetchNextPage();
  };
  return (
    <section className={styles["stream"]} aria-labelledby="stream">
      <div className={styles["head"]}>
        <h2 id="stream">Activity</h2>
        <div className={styles["filter"]} role="group" aria-label="Show">
          {([undefined, ...shows] as const).map((value) => (
            <Button
              key={value ?? "all"}
              small
              variant="quiet"
              aria-pressed={show === value}
              onClick={() =>
                void navigate({ search: { show: value }, replace: true, resetScroll: false })
              }
            >
              {value === undefined ? "All" : `${value[0]?.toUpperCase() ?? ""}${value.slice(1)}`}
            </Button>
          ))}
        </div>
      </div>
      <ErrorNote error={error} />
      {hasEarlier ? (
        <Button small onClick={loadEarlier} disabled={activity.isFetching || comments.isFetching}>
          Show earlier entries
        </Button>
      ) : null}
      {entries === null ? (
        error === null ? (
          <>
            <Skeleton height={60} />
            <Skeleton width="50%" />
          </>
        ) : null
      ) : (
        <ol className={styles["entries"]}>{entries.map((entry) => item(entry, isGone))}</ol>
      )}
      {entries?.length === 0 && show !== undefined ? (
        <p className={styles["none"]}>{nothing[show]}</p>
      ) : null}
    </section>
  );
};
