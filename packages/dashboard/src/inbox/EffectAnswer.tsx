import { useAnswer, useText } from "../data/inbox/answers.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useSettle } from "../data/issues/effects.ts";
import { useNote } from "../effects/draft.ts";
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
  const [note, setNote] = useNote(callId);
  // The item stays in the list while it has a text, also after the call was settled elsewhere.
  const [, setText] = useText(item);
  const write = (text: string) => {
    setNote(text);
    setText(text);
  };
  return (
    <SettleForm
      note={note}
      onNote={write}
      isBusy={isPending}
      onSettle={(happened) =>
        send(async () => {
          await settle({ callId, happened, note: note.trim() });
          setNote("");
        })
      }
    />
  );
};
