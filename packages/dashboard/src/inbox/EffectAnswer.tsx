import { useAnswer, useText } from "../data/inbox/answers.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useSettle } from "../data/issues/effects.ts";
import { SettleForm } from "../effects/SettleForm.tsx";

/** Asks whether a call of the issue happened whose reply was lost. */
export const EffectAnswer = ({
  callId,
  issueId,
  item,
}: {
  readonly item: InboxItem;
  readonly issueId: string;
  readonly callId: string;
}) => {
  const { mutateAsync: settle } = useSettle(issueId);
  const { isPending, mutate: send } = useAnswer(item);
  const [note, setNote] = useText(item);
  return (
    <SettleForm
      note={note}
      onNote={setNote}
      isBusy={isPending}
      onSettle={(happened) => send(() => settle({ callId, happened, note: note.trim() }))}
    />
  );
};
