import { useState } from "react";
import { useAnswer, useText } from "../data/inbox/answers.ts";
import { useDecisions } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Button } from "../parts/Button.tsx";
import { AnswerBox } from "./AnswerBox.tsx";
import styles from "./Item.module.css";

/** Resumes a failed issue or reopens it, with an optional comment. */
export const RetryAnswer = ({
  issueId,
  item,
}: {
  readonly item: InboxItem;
  readonly issueId: string;
}) => {
  const { reopen, retry } = useDecisions();
  const { mutate: send } = useAnswer(item);
  const [text] = useText(item);
  const [isWriting, setWriting] = useState(text !== "");
  const again = (words: string) => send(() => retry(issueId, words));
  const open = (words: string) => send(() => reopen(issueId, words));
  return isWriting ? (
    <AnswerBox
      item={item}
      label="Comment for the next run"
      submit="Retry"
      max={65_536}
      optional
      isOpened
      onCancel={() => setWriting(false)}
      onSubmit={again}
    >
      <Button small onClick={() => open(text)}>
        Reopen
      </Button>
    </AnswerBox>
  ) : (
    <div className={styles["buttons"]}>
      <Button
        variant="primary"
        data-first
        title="In progress: the agent's next heartbeat starts it"
        onClick={() => again("")}
      >
        Retry
      </Button>
      <Button title="Open: it waits in the queue" onClick={() => open("")}>
        Reopen
      </Button>
      <Button variant="quiet" data-open onClick={() => setWriting(true)}>
        Retry with a comment
      </Button>
    </div>
  );
};
