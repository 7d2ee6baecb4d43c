import { useMentioningComment } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useName } from "../data/live/names.ts";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { Folded } from "./Folded.tsx";

const Author = ({ id }: { readonly id: string }) => <bdi>{useName(id).name}</bdi>;

/** The comment that mentions the reader. Until it is loaded, its first 500 characters. */
export const MentioningComment = ({
  commentId,
  issueId,
  item,
}: {
  readonly item: InboxItem;
  readonly issueId: string;
  readonly commentId: string;
}) => {
  const { data: comment } = useMentioningComment(issueId, commentId);
  const heading = (
    <>
      Comment
      <span>
        {comment == null ? null : (
          <>
            <Author id={comment.authorId} />,{" "}
          </>
        )}
        <RelativeTime iso={item.since} />
      </span>
    </>
  );
  return <Folded heading={heading} text={comment?.content ?? item.detail} />;
};
