import { useState } from "react";
import { useAnswer, useText } from "../data/inbox/answers.ts";
import { useDecisions } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Button } from "../parts/Button.tsx";
import { AnswerBox } from "./AnswerBox.tsx";
import styles from "./Item.module.css";

/** Approves a hand-in, or sends it back with a comment. */
export const ReviewAnswer = ({ item }: { readonly item: InboxItem }) => {
  const { approve, requestChanges } = useDecisions();
  const { mutate: send } = useAnswer(item);
  const [text] = useText(item);
  const [isWriting, setWriting] = useState(text !== "");
  return isWriting ? (
    <AnswerBox
      item={item}
      label="What needs to change?"
      hint="The issue is open again, with this comment."
      submit="Request changes"
      max={65_536}
      isOpened
      onCancel={() => setWriting(false)}
      onSubmit={(words) => send(() => requestChanges(item, words))}
    />
  ) : (
    <div className={styles["buttons"]}>
      <Button variant="primary" data-first onClick={() => send(() => approve(item))}>
        Approve
      </Button>
      <Button data-open onClick={() => setWriting(true)}>
        Request changes
      </Button>
    </div>
  );
};
