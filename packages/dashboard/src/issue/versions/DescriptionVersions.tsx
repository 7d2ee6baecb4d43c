import { useDescriptionVersions } from "../../data/issues/versions.ts";
import { itemsOf } from "../../data/live/query.ts";
import { VersionsDialog } from "./VersionsDialog.tsx";

export const DescriptionVersions = ({
  issueId,
  onClose,
}: {
  readonly issueId: string;
  readonly onClose: () => void;
}) => {
  const list = useDescriptionVersions(issueId);
  return (
    <VersionsDialog
      title="Versions of the description"
      versions={
        list.data &&
        itemsOf(list.data).map(({ actor, createdAt, description, version }) => ({
          version,
          text: description,
          by: actor.id,
          at: createdAt,
        }))
      }
      list={list}
      error={list.error}
      none="The description has no versions."
      onClose={onClose}
    />
  );
};
