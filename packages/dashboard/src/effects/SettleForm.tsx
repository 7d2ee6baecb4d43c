import { Button } from "../parts/Button.tsx";
import { TextArea } from "../parts/Field.tsx";
import styles from "./Effects.module.css";

/** The longest note of a settlement, in characters. */
const longest = 2_000;

/** Asks whether a call happened whose reply was lost. Both answers need a note: equal calls get it as their result. */
export const SettleForm = ({
  isBusy,
  note,
  onNote,
  onSettle,
}: {
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly isBusy: boolean;
  readonly onSettle: (happened: boolean) => void;
}) => {
  const isDisabled = isBusy || note.trim() === "";
  return (
    <form className={styles["form"]} onSubmit={(event) => event.preventDefault()}>
      <TextArea
        label="What did you find at the server?"
        placeholder="If it happened, equal calls get this note as their result."
        maxLength={longest}
        rows={2}
        data-write
        value={note}
        onChange={(event) => onNote(event.target.value)}
      />
      <div className={styles["buttons"]}>
        <Button small disabled={isDisabled} data-choice="1" onClick={() => onSettle(true)}>
          It happened
        </Button>
        <Button small disabled={isDisabled} data-choice="2" onClick={() => onSettle(false)}>
          It did not happen
        </Button>
      </div>
    </form>
  );
};
