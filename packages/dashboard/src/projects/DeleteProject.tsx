import { type Project, useDeleteProject } from "../data/issues/projects.ts";
import { Confirm } from "../parts/Confirm.tsx";

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
  const request = useDeleteProject(onDeleted);
  return (
    <Confirm
      title={`Delete the project ${name ?? id}`}
      action="Delete"
      request={request}
      onConfirm={() => request.mutate(id)}
      onClose={onClose}
    >
      <p>
        Deletes its settings, its runs, the views that are shared with it and the webhooks that are
        bound to it. Delete its issues first, or move them. The prefix {prefix} stays reserved for a
        project with the id {id}.
      </p>
    </Confirm>
  );
};
