import { Link } from "@tanstack/react-router";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useMay } from "../data/live/session.ts";
import { ChainAnswer } from "./ChainAnswer.tsx";
import { Detail } from "./Detail.tsx";
import { EffectAnswer } from "./EffectAnswer.tsx";
import { LastWords } from "./LastWords.tsx";
import { QuestionAnswer } from "./QuestionAnswer.tsx";
import { RetryAnswer } from "./RetryAnswer.tsx";
import { ReviewAnswer } from "./ReviewAnswer.tsx";
import { ServerAnswer } from "./ServerAnswer.tsx";
import { ToolsAnswer } from "./ToolsAnswer.tsx";
import styles from "./Entry.module.css";

/** The content and the actions of an item, by its kind. */
export const Answers = ({
  isInView,
  item,
}: {
  readonly item: InboxItem;
  readonly isInView: boolean;
}) => {
  const canEdit = useMay("Editor");
  const canAdmin = useMay("Admin");
  const { agentId, callId, issueId, kind, serverId } = item;
  if (kind === "question") {
    return <QuestionAnswer item={item} canAnswer={canEdit} isInView={isInView} />;
  }
  return (
    <>
      <p className={styles["detail"]} dir="auto">
        <Detail item={item} />
      </p>
      {issueId !== null && kind !== "blockedChain" ? (
        <LastWords issueId={issueId} isInView={isInView} />
      ) : null}
      {kind === "blockedChain" && issueId !== null ? (
        <ChainAnswer item={item} issueId={issueId} canEdit={canEdit} isInView={isInView} />
      ) : null}
      {kind === "review" && canEdit ? <ReviewAnswer item={item} /> : null}
      {(kind === "failed" || kind === "tooManyAttempts") && canEdit && issueId !== null ? (
        <RetryAnswer item={item} issueId={issueId} />
      ) : null}
      {kind === "effectUnknown" && canEdit && issueId !== null && callId !== null ? (
        <EffectAnswer item={item} issueId={issueId} callId={callId} />
      ) : null}
      {kind === "serverError" && canAdmin && serverId !== null ? (
        <ServerAnswer item={item} serverId={serverId} />
      ) : null}
      {kind === "toolsChanged" && canAdmin && serverId !== null && isInView ? (
        <ToolsAnswer item={item} serverId={serverId} />
      ) : null}
      {(kind === "agentSilent" || kind === "runnerHalted") && agentId !== null ? (
        <div className={styles["buttons"]}>
          <Link className={styles["link"]} to="/work" search={{ assignee: agentId }}>
            Show its issues
          </Link>
        </div>
      ) : null}
    </>
  );
};
