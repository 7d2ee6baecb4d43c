import { type SavedView, useDeleteView } from "../data/views.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import styles from "./Work.module.css";

/** The dialog that deletes a view. Its issues stay. */
export const DeleteView = ({
  onClose,
  view,
}: {
  readonly view: SavedView;
  readonly onClose: () => void;
}) => {
  const { error, isPending, mutate } = useDeleteView();
  return (
    <Dialog
      open
      title={`Delete the view ${view.name}`}
      onClose={onClose}
      onSubmit={() => mutate(view, { onSuccess: onClose })}
    >
      <div className={styles["form"]}>
        <p>
          {view.projectId === null
            ? "The issues of the view stay."
            : `Everyone in ${view.projectId} loses the view. Its issues stay.`}
        </p>
        <ErrorNote error={error} />
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" disabled={isPending}>
            Delete
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
};
