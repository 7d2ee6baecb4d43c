import { type Project, useDeleteProject } from "../data/issues/projects.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import styles from "./Projects.module.css";

/** The dialog that deletes a project, which the server refuses while it has issues. */
export const DeleteProject = ({
  onClose,
  onDeleted,
  project: { id, name, prefix },
}: {
  readonly project: Project;
  readonly onClose: () => void;
  readonly onDeleted: () => Promise<void>;
}) => {
  const { error, isPending, mutate } = useDeleteProject(onDeleted);
  return (
    <Dialog
      open
      title={`Delete the project ${name ?? id}`}
      onClose={onClose}
      onSubmit={() => mutate(id)}
    >
      <div className={styles["form"]}>
        <p>
          Deletes its settings, its runs, the views that are shared with it and the webhooks that
          are bound to it. Delete its issues first, or move them. The prefix {prefix} stays reserved
          for a project with the id {id}.
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
