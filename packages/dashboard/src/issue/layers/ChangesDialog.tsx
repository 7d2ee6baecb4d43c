import { useRef } from "react";
import { type Issue, useRequestChanges } from "../../data/issues/issue.ts";
import { TextArea } from "../../parts/Field.tsx";
import { FormDialog } from "../../parts/FormDialog.tsx";
import { randomKey } from "../../parts/randomKey.ts";
import { useDraft, writeDraft } from "../../parts/useDraft.ts";

/**
 * The dialog that requests changes or reopens an issue: adds a comment with the reason and sets the status
 * `Open`.
 */
export const ChangesDialog = ({
  issue,
  onClose,
}: {
  readonly issue: Issue;
  readonly onClose: () => void;
}) => {
  const isReview = issue.status === "PendingReview";
  const draft = `changes ${issue.id}`;
  const [text, setText] = useDraft(draft);
  const request = useRequestChanges(issue);
  const input = useRef<HTMLTextAreaElement>(null);
  const key = useRef<{ readonly text: string; readonly key: string } | null>(null);
  const submit = () => {
    const content = text.trim();
    if (key.current?.text !== content) key.current = { text: content, key: randomKey() };
    const change = { content, key: key.current.key };
    if (isReview) {
      // The draft stays until the request is sent, and returns if it is refused.
      request
        .mutateAsync({ ...change, onSend: () => writeDraft(draft, "") })
        .catch(() => writeDraft(draft, text));
      onClose();
      return;
    }
    request.mutate(change, {
      onSuccess: () => {
        setText("");
        onClose();
      },
    });
  };
  return (
    <FormDialog
      title={isReview ? "Request changes" : "Reopen the issue"}
      action={isReview ? "Request changes" : "Reopen"}
      request={request}
      initialFocus={input}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        ref={input}
        label={isReview ? "What needs to change?" : "Why? (optional)"}
        hint="The issue becomes open. The agent gets your text as a comment."
        required={isReview}
        maxLength={65_536}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
};
