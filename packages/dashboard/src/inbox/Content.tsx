import { isFailure, isReview } from "../data/inbox/bulk.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useMay } from "../data/live/session.ts";
import { Chain } from "./Chain.tsx";
import { Description } from "./Description.tsx";
import { Detail } from "./Detail.tsx";
import { Files } from "./Files.tsx";
import { LastComment } from "./LastComment.tsx";
import { MentioningComment } from "./MentioningComment.tsx";
import { Question } from "./Question.tsx";
import { ToolsAnswer } from "./ToolsAnswer.tsx";
import styles from "./Item.module.css";

/** The subject of an item: what happened, the description of the issue, the hand-in, and the files. */
export const Content = ({ item }: { readonly item: InboxItem }) => {
  const canAdmin = useMay("Admin");
  const { commentId, issueId, kind, serverId } = item;
  return (
    <>
      {kind === "question" ? (
        <Question item={item} />
      ) : (
        <p className={styles["detail"]} dir="auto">
          <Detail item={item} />
        </p>
      )}
      {kind === "blockedChain" && issueId !== null ? <Chain item={item} issueId={issueId} /> : null}
      {kind === "toolsChanged" && canAdmin && serverId !== null ? (
        <ToolsAnswer item={item} serverId={serverId} />
      ) : null}
      {issueId === null ? null : (
        <>
          {commentId === undefined ? null : (
            <MentioningComment item={item} issueId={issueId} commentId={commentId} />
          )}
          <Description issueId={issueId} />
          {kind === "mentioned" ? null : (
            <LastComment
              issueId={issueId}
              title={isReview(item) || isFailure(item) ? "Hand-in" : "Last comment"}
            />
          )}
          <Files issueId={issueId} />
        </>
      )}
    </>
  );
};
