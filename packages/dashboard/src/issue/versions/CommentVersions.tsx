import { useCommentVersions } from "../../data/issues/versions.ts";
import { itemsOf } from "../../data/live/query.ts";
import { VersionsDialog } from "./VersionsDialog.tsx";

export const CommentVersions = ({
  commentId,
  issueId,
  onClose,
}: {
  readonly issueId: string;
  readonly commentId: string;
  readonly onClose: () => void;
}) => {
  const list = useCommentVersions(issueId, commentId);
  return (
    <VersionsDialog
      title="Versions of the comment"
      versions={
        list.data &&
        itemsOf(list.data).map(({ content, editedAt, editedBy, version }) => ({
          version,
          text: content,
          by: editedBy.id,
          at: editedAt,
        }))
      }
      list={list}
      error={list.error}
      none="Every version was removed permanently."
      onClose={onClose}
    />
  );
};
