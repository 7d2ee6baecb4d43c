import { useLastWords } from "../data/inbox/decisions.ts";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { Folded } from "./Folded.tsx";

/** The agent's last comment, which usually describes the work that it handed in. */
export const LastComment = ({
  issueId,
  title,
}: {
  readonly issueId: string;
  readonly title: string;
}) => {
  const { data: comment } = useLastWords(issueId);
  if (comment === undefined || comment === null) return null;
  const heading = (
    <>
      {title}
      <span>
        <bdi>{comment.authorId}</bdi>, <RelativeTime iso={comment.createdAt} />
      </span>
    </>
  );
  return <Folded heading={heading} text={comment.content} />;
};
