import { useState } from "react";
import { timeOf } from "../../data/issues/activityWords.ts";
import type { Issue } from "../../data/issues/issue.ts";
import { useChangeIssue } from "../../data/issues/issues.ts";
import { Button } from "../../parts/Button.tsx";
import { Dialog, DialogFoot } from "../../parts/Dialog.tsx";
import { Field } from "../../parts/Field.tsx";
import styles from "./Dialogs.module.css";

const at = (days: number, hour: number): Date => {
  const date = new Date();
  date.setDate(date.getDate() + days);
  date.setHours(hour, 0, 0, 0);
  return date;
};

const presets = (): ReadonlyArray<readonly [label: string, date: Date]> => [
  ["In 1 hour", new Date(Date.now() + 3_600_000)],
  ["In 4 hours", new Date(Date.now() + 4 * 3_600_000)],
  ["Tomorrow", at(1, 9)],
  ["Next Monday", at((8 - new Date().getDay()) % 7 || 7, 9)],
];

/** Formats a date for `datetime-local`: local time without a zone. */
const localOf = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The dialog that sets the time before which no agent picks the issue up. */
export const DeferDialog = ({
  issue,
  onClose,
}: {
  readonly issue: Issue;
  readonly onClose: () => void;
}) => {
  const { mutate } = useChangeIssue();
  const [text, setText] = useState(() =>
    localOf(issue.notBefore === null ? at(1, 9) : new Date(issue.notBefore)),
  );
  const set = (date: Date | null) => {
    mutate({ issue, change: { notBefore: date === null ? null : date.toISOString() } });
    onClose();
  };
  const submit = () => {
    if (text !== "") set(new Date(text));
  };
  return (
    <Dialog open onClose={onClose} title="Defer until" onSubmit={submit}>
      <p>No agent picks the issue up before this time. A live run continues.</p>
      <div className={styles["presets"]}>
        {presets().map(([label, date]) => (
          <Button key={label} onClick={() => set(date)} title={timeOf(date.toISOString())}>
            {label}
          </Button>
        ))}
      </div>
      <Field
        label="Date and time"
        type="datetime-local"
        required
        value={text}
        onValueChange={setText}
      />
      <DialogFoot>
        {issue.notBefore === null ? null : (
          <Button onClick={() => set(null)}>Remove the deferral</Button>
        )}
        <Button type="submit" variant="primary">
          Defer
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
