import { useState } from "react";
import { useAnswer, useText } from "../data/inbox/answers.ts";
import { useDecisions, useQuestion } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Button } from "../parts/Button.tsx";
import { Keys } from "../parts/Keys.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { AnswerBox } from "./AnswerBox.tsx";
import { choiceKeys, confirms } from "./choices.ts";
import styles from "./Item.module.css";

/** The options of a question as buttons, or a text field. */
export const QuestionAnswer = ({ item }: { readonly item: InboxItem }) => {
  const { data, error } = useQuestion(item.questionId ?? "");
  const { answerInWords, answerQuestion } = useDecisions();
  const { mutate: send } = useAnswer(item);
  const [text] = useText(item);
  const [isWriting, setWriting] = useState(text !== "");
  if (data === undefined) return error === null ? <Skeleton width={220} height={24} /> : null;
  const { id, issueId, kind, options } = data;
  const choices =
    kind === "confirm" ? confirms : options?.map((answer) => ({ text: answer, answer }));
  const answer = (words: string) => send(() => answerQuestion(id, words));
  if (choices === undefined) {
    return <AnswerBox item={item} label="Answer" submit="Answer" max={32_768} onSubmit={answer} />;
  }
  return (
    <>
      <div className={styles["buttons"]}>
        {choices.map((choice, index) => (
          <Button
            key={choice.answer}
            className={styles["choice"]}
            data-choice={index + 1}
            onClick={() => answer(choice.answer)}
          >
            <span dir="auto">{choice.text}</span>
            {index < choiceKeys.length ? <Keys keys={String(index + 1)} /> : null}
          </Button>
        ))}
        {isWriting ? null : (
          <Button variant="quiet" data-open onClick={() => setWriting(true)}>
            Other answer
          </Button>
        )}
      </div>
      {isWriting ? (
        <AnswerBox
          item={item}
          label="Answer in your own words"
          hint="The agent gets it as a comment, and the question is withdrawn."
          submit="Send"
          max={32_768}
          isOpened
          onCancel={() => setWriting(false)}
          onSubmit={(words) => send(() => answerInWords(issueId, id, words))}
        />
      ) : null}
    </>
  );
};
