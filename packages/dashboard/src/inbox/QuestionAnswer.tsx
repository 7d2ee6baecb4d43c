import { useState } from "react";
import { useAnswer, useText } from "../data/inbox/answers.ts";
import { useDecisions, useQuestion } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Keys } from "../parts/Keys.tsx";
import { Markdown } from "../parts/Markdown.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { AnswerBox } from "./AnswerBox.tsx";
import { choiceKeys } from "./focus.ts";
import styles from "./Entry.module.css";

const confirms = [
  { text: "Yes", answer: "yes" },
  { text: "No", answer: "no" },
];

/** The full question, with its options as buttons or a text field. */
export const QuestionAnswer = ({
  canAnswer,
  isInView,
  item,
}: {
  readonly item: InboxItem;
  readonly canAnswer: boolean;
  readonly isInView: boolean;
}) => {
  const { data, error } = useQuestion(item.questionId ?? "", isInView);
  const { answerInWords, answerQuestion } = useDecisions();
  const { mutate: send } = useAnswer(item);
  const [text] = useText(item);
  const [isWriting, setWriting] = useState(text !== "");
  if (error !== null && data === undefined) return <ErrorNote error={error} />;
  if (data === undefined) {
    return (
      <>
        <p className={styles["detail"]} dir="auto">
          {item.detail}
        </p>
        <Skeleton width={220} height={24} />
      </>
    );
  }
  const { expiresAt, id, issueId, kind, options, prompt } = data;
  const choices =
    kind === "confirm" ? confirms : options?.map((answer) => ({ text: answer, answer }));
  const answer = (words: string) => send(() => answerQuestion(id, words));
  return (
    <>
      <div className={styles["words"]}>
        <Markdown text={prompt} />
      </div>
      {expiresAt === null ? null : (
        <p className={styles["note"]}>
          Expires <RelativeTime iso={expiresAt} />
        </p>
      )}
      {!canAnswer ? null : choices === undefined ? (
        <AnswerBox item={item} label="Answer" submit="Answer" max={32_768} onSubmit={answer} />
      ) : (
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
      )}
    </>
  );
};
