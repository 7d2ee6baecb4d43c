import { useState } from "react";
import { useLastWords } from "../data/inbox/decisions.ts";
import { Button } from "../parts/Button.tsx";
import { classes } from "../parts/classes.ts";
import { Markdown } from "../parts/Markdown.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import styles from "./Entry.module.css";

const isLong = (text: string) => text.length > 420 || text.split("\n").length > 7;

/** The agent's last comment. */
export const LastWords = ({
  isInView,
  issueId,
}: {
  readonly issueId: string;
  readonly isInView: boolean;
}) => {
  const { data: comment } = useLastWords(issueId, isInView);
  const [isWhole, setWhole] = useState(false);
  if (comment === undefined || comment === null) return null;
  const isCut = isLong(comment.content) && !isWhole;
  return (
    <blockquote className={styles["quote"]}>
      <div className={styles["said"]}>
        {comment.authorId} <RelativeTime iso={comment.createdAt} />
      </div>
      <div className={classes(styles["words"], isCut && styles["cut"])}>
        <Markdown text={comment.content} />
      </div>
      {isCut ? (
        <Button small variant="quiet" onClick={() => setWhole(true)}>
          Show all
        </Button>
      ) : null}
    </blockquote>
  );
};
