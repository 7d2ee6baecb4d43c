import { useState } from "react";
import { useAnswer, useText } from "../data/inbox/answers.ts";
import { useDecisions } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Button } from "../parts/Button.tsx";
import { AnswerBox } from "./AnswerBox.tsx";
import styles from "./Item.module.css";

/** Replies to a mention with a comment, or removes the item without one. */
export const MentionAnswer = ({
  canEdit,
  issueId,
  item,
}: {
  readonly item: InboxItem;
  readonly issueId: string;
  readonly canEdit: boolean;
}) => {
  const { dismissMention, reply } = useDecisions();
  const { mutate: send } = useAnswer(item);
  const [text] = useText(item);
  const [isWriting, setWriting] = useState(text !== "");
  return isWriting && canEdit ? (
    <AnswerBox
      item={item}
      label="Your comment"
      submit="Comment"
      max={65_536}
      isOpened
      onCancel={() => setWriting(false)}
      onSubmit={(words) => send(() => reply(issueId, words))}
    />
  ) : (
    <div className={styles["buttons"]}>
      {canEdit ? (
        <Button variant="primary" data-open onClick={() => setWriting(true)}>
          Reply
        </Button>
      ) : null}
      <Button
        title="It returns with the next mention"
        onClick={() => send(() => dismissMention(issueId))}
      >
        Done
      </Button>
    </div>
  );
};
