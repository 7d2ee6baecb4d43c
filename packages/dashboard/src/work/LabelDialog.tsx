import { useState } from "react";
import { type BriefIssue, useChangeIssues, useIssueRows } from "../data/issues/issues.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Suggest } from "../parts/Suggest.tsx";
import { titleOf } from "./words.ts";

/** The dialog that adds a label to issues or removes it. */
export const LabelDialog = ({
  issues,
  onClose,
  onDone,
}: {
  readonly issues: ReadonlyArray<BriefIssue>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) => {
  const { error, isPending, mutate } = useChangeIssues();
  const { values } = useIssueRows();
  const [text, setText] = useState("");
  const label = text.trim();
  const isKnown = issues.some(({ labels }) => labels.includes(label));
  const add = () => {
    mutate(
      {
        issues,
        changeOf: ({ labels }) =>
          labels.includes(label) ? null : { labels: [...labels, label].toSorted() },
      },
      { onSuccess: onDone },
    );
  };
  const remove = () =>
    mutate(
      {
        issues,
        changeOf: ({ labels }) =>
          labels.includes(label) ? { labels: labels.filter((other) => other !== label) } : null,
      },
      { onSuccess: onDone },
    );
  return (
    <Dialog open onClose={onClose} title={titleOf("Label", issues)} onSubmit={add}>
      <Suggest
        label="Label"
        required
        value={text}
        onChange={setText}
        suggestions={values(({ labels }) => labels)}
      />
      <ErrorNote error={error} />
      <DialogFoot>
        <Button disabled={isPending || !isKnown} onClick={remove}>
          Remove
        </Button>
        <Button type="submit" variant="primary" disabled={isPending || label === ""}>
          Add
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
