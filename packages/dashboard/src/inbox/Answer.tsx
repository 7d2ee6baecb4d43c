import { Link } from "@tanstack/react-router";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useMay } from "../data/live/session.ts";
import { ChainAnswer } from "./ChainAnswer.tsx";
import { EffectAnswer } from "./EffectAnswer.tsx";
import { MentionAnswer } from "./MentionAnswer.tsx";
import { QuestionAnswer } from "./QuestionAnswer.tsx";
import { RetryAnswer } from "./RetryAnswer.tsx";
import { ReviewAnswer } from "./ReviewAnswer.tsx";
import { ServerAnswer } from "./ServerAnswer.tsx";
import styles from "./Item.module.css";

/** The actions that answer an item, by its kind. Changed tools have theirs beside what changed. */
export const Answer = ({ item }: { readonly item: InboxItem }) => {
  const canEdit = useMay("Editor");
  const canAdmin = useMay("Admin");
  const { agentId, callId, issueId, kind, serverId } = item;
  switch (kind) {
    case "question":
      return canEdit ? <QuestionAnswer item={item} /> : null;
    case "review":
      return canEdit ? <ReviewAnswer item={item} /> : null;
    case "mentioned":
      return issueId === null ? null : (
        <MentionAnswer item={item} issueId={issueId} canEdit={canEdit} />
      );
    case "failed":
    case "tooManyAttempts":
      return canEdit && issueId !== null ? <RetryAnswer item={item} issueId={issueId} /> : null;
    case "effectUnknown":
      return canEdit && issueId !== null && callId !== null ? (
        <EffectAnswer item={item} issueId={issueId} callId={callId} />
      ) : null;
    case "blockedChain":
      return canEdit && issueId !== null ? <ChainAnswer item={item} issueId={issueId} /> : null;
    case "serverError":
      return canAdmin && serverId !== null ? (
        <ServerAnswer item={item} serverId={serverId} />
      ) : null;
    case "agentSilent":
    case "runnerHalted":
      return agentId === null ? null : (
        <Link className={styles["link"]} to="/work" search={{ assignee: [agentId] }}>
          Show its issues
        </Link>
      );
    case "toolsChanged":
    case "webhookFailing":
      return null;
  }
};
