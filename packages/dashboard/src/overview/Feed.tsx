import { Link } from "@tanstack/react-router";
import { type FeedEvent, useFeed } from "../data/feed.ts";
import { peopleOf, sentenceOf } from "../data/issues/activityWords.ts";
import { useNamedIssue } from "../data/issues/issues.ts";
import { useName, useNames } from "../data/live/names.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { IssueLink } from "../parts/IssueLink.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { Panel } from "./Panel.tsx";
import styles from "./Feed.module.css";

const Subject = ({ event: { issueKey, subjectId } }: { readonly event: FeedEvent }) => {
  const { data } = useNamedIssue(subjectId);
  if (data !== undefined) return <IssueLink issue={data} />;
  return issueKey === null ? null : (
    <Link to="/issues/$issueId" params={{ issueId: issueKey }}>
      {issueKey}
    </Link>
  );
};

const FeedItem = ({ event }: { readonly event: FeedEvent }) => {
  const { change, isDeleted } = event;
  const { isMe, name } = useName(change.actor.id);
  const names = useNames(peopleOf(change));
  return (
    <li className={styles["item"]}>
      <span className={styles["words"]}>
        <b dir="auto">{isMe ? "You" : name}</b>{" "}
        {isDeleted ? "deleted an issue" : sentenceOf(change, names)}
      </span>
      {isDeleted ? null : <Subject event={event} />}
      <RelativeTime iso={change.createdAt} />
    </li>
  );
};

/** The newest changes of issues, as they happen. */
export const Feed = ({ project }: { readonly project: string | undefined }) => {
  const { data: events, error } = useFeed(project);
  return (
    <Panel title="Activity" wide>
      <ErrorNote error={error} />
      {events?.length === 0 ? (
        <p className={styles["none"]}>Nothing has happened yet.</p>
      ) : (
        <ol className={styles["items"]} aria-label="Newest first">
          {events?.map((event) => (
            <FeedItem key={event.id} event={event} />
          ))}
        </ol>
      )}
    </Panel>
  );
};
