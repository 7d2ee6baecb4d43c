import { type KeyboardEvent, useRef } from "react";
import { type Question, useAnswer, useWithdraw } from "../../data/issues/questions.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { IconButton } from "../../parts/IconButton.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { useDraft } from "../../parts/useDraft.ts";
import { AttachButton } from "../../texts/AttachButton.tsx";
import { IssueText } from "../../texts/IssueText.tsx";
import { TextBox } from "../../texts/TextBox.tsx";
import { useTextFiles } from "../../texts/textFiles.ts";
import { Who } from "../common/Who.tsx";
import styles from "./Question.module.css";

const optionsOf = ({ kind, options }: Question): ReadonlyArray<{ value: string; label: string }> =>
  kind === "confirm"
    ? [
        { value: "yes", label: "Yes" },
        { value: "no", label: "No" },
      ]
    : (options ?? []).map((value) => ({ value, label: value }));

/** An open question, with its options as buttons or a text field. */
export const QuestionCard = ({
  canEdit,
  question,
}: {
  readonly question: Question;
  readonly canEdit: boolean;
}) => {
  const { askedBy, blocking, createdAt, expiresAt, id, issueId, kind, prompt } = question;
  const [text, setText] = useDraft(`answer ${id}`);
  const { error, isPending, mutate } = useAnswer(issueId);
  const withdraw = useWithdraw(issueId);
  const input = useRef<HTMLTextAreaElement>(null);
  const files = useTextFiles(issueId, input);
  const answer = (answer: string) => {
    if (answer.trim() === "" || isPending || files.isBusy) return;
    mutate({ questionId: id, answer }, { onSuccess: () => setText("") });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      answer(text);
    }
  };
  return (
    <section className={styles["question"]} aria-label="Question">
      <div className={styles["head"]}>
        <Icon name="question" />
        <span className={styles["asked"]}>
          Question from <Who id={askedBy.id} isInside />
        </span>
        <RelativeTime iso={createdAt} prefix="Asked" />
        {blocking ? (
          <Badge
            text="Blocks the issue"
            tone="warning"
            title="No agent picks the issue up until the question is answered"
          />
        ) : null}
        {expiresAt === null ? null : (
          <span className={styles["expires"]}>
            Expires <RelativeTime iso={expiresAt} prefix="Expires" />
          </span>
        )}
        {canEdit ? (
          <IconButton
            icon="close"
            label="Withdraw the question"
            small
            onClick={() => withdraw.mutate(id)}
          />
        ) : null}
      </div>
      <div className={styles["prompt"]} dir="auto">
        <IssueText text={prompt} />
      </div>
      <ErrorNote error={error} />
      {!canEdit ? null : kind === "text" ? (
        <div className={styles["free"]}>
          <TextBox
            issueId={issueId}
            files={files}
            input={input}
            aria-label="Answer"
            placeholder="Your answer…"
            dir="auto"
            rows={1}
            maxLength={32_768}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <AttachButton files={files} />
          <Button
            variant="primary"
            disabled={isPending || files.isBusy || text.trim() === ""}
            onClick={() => answer(text)}
          >
            Answer
          </Button>
        </div>
      ) : (
        <div className={styles["options"]}>
          {optionsOf(question).map(({ label, value }) => (
            <Button key={value} disabled={isPending} onClick={() => answer(value)}>
              <span dir="auto">{label}</span>
            </Button>
          ))}
        </div>
      )}
    </section>
  );
};
