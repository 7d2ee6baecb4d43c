import { type IssueEffect, useSettle } from "../data/issues/effects.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Icon } from "../parts/Icon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { useNote } from "./draft.ts";
import { SettleForm } from "./SettleForm.tsx";
import styles from "./Effects.module.css";

/** A call whose reply was lost, and the question whether it happened. */
export const UnknownEffect = ({
  canEdit,
  effect,
  issueId,
}: {
  readonly effect: IssueEffect;
  readonly issueId: string;
  readonly canEdit: boolean;
}) => {
  const { callId, sentAt, server, tool } = effect;
  const [note, setNote] = useNote(callId);
  const { error, isPending, mutate } = useSettle(issueId);
  const settle = (happened: boolean) =>
    mutate({ callId, happened, note: note.trim() }, { onSuccess: () => setNote("") });
  return (
    <section className={styles["unknown"]} aria-label={`Reply lost: ${server}/${tool}`}>
      <p className={styles["head"]}>
        <Icon name="warning" />
        <span>
          Did <code>{`${server}/${tool}`}</code> happen?
        </span>
        <RelativeTime iso={sentAt} prefix="Sent" />
      </p>
      <ErrorNote error={error} />
      {canEdit ? (
        <SettleForm note={note} onNote={setNote} isBusy={isPending} onSettle={settle} />
      ) : null}
    </section>
  );
};
