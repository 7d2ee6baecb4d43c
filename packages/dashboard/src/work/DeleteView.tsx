import { useProjectNames } from "../data/issues/projects.ts";
import { type SavedView, useDeleteView } from "../data/views.ts";
import { Confirm } from "../parts/Confirm.tsx";

/** The dialog that deletes a view. Its issues stay. */
export const DeleteView = ({
  onClose,
  view,
}: {
  readonly view: SavedView;
  readonly onClose: () => void;
}) => {
  const request = useDeleteView();
  const projectName = useProjectNames();
  return (
    <Confirm
      title={`Delete the view ${view.name}`}
      action="Delete"
      request={request}
      onConfirm={() => request.mutate(view, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {view.projectId === null
          ? "The issues of the view stay."
          : `Everyone in ${projectName(view.projectId)} loses the view. Its issues stay.`}
      </p>
    </Confirm>
  );
};
