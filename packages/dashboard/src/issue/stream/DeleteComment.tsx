import { useDeleteComment } from "../../data/issues/comments.ts";
import type { Comment } from "../../data/issues/stream.ts";
import { useMay } from "../../data/live/session.ts";
import { Button } from "../../parts/Button.tsx";
import { Dialog, DialogFoot } from "../../parts/Dialog.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";

/** The confirmation of deleting a comment. Admins can also remove every version of it. */
export const DeleteComment = ({
  comment,
  onClose,
}: {
  readonly comment: Comment;
  readonly onClose: () => void;
}) => {
  const { error, isPending, mutate } = useDeleteComment(comment);
  const mayPurge = useMay("Admin");
  const remove = (purge: boolean) => mutate(purge, { onSuccess: onClose });
  return (
    <Dialog open onClose={onClose} title="Delete the comment?">
      {comment.fixed ? null : <p>Its text stays readable in its versions.</p>}
      {mayPurge ? (
        <p>
          Delete permanently removes the text and every earlier version of it, such as a password
          that should never have been written. Backups keep it.
        </p>
      ) : null}
      <ErrorNote error={error} />
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        {mayPurge ? (
          <Button variant="danger" disabled={isPending} onClick={() => remove(true)}>
            Delete permanently
          </Button>
        ) : null}
        {comment.fixed ? null : (
          <Button variant="primary" disabled={isPending} onClick={() => remove(false)}>
            Delete
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  );
};
