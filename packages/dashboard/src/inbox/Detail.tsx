import { useAgents } from "../data/agents.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Prose } from "../parts/Prose.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";

/**
 * The first sentence of a text, such as `5 runs died or failed.` The second sentence is for callers of the
 * API.
 */
export const firstSentence = (text: string) => /^[^.]+\./.exec(text)?.[0] ?? text;

const Silence = ({ agentId, since }: { readonly agentId: string; readonly since: string }) => {
  const agent = useAgents().data?.find(({ id }) => id === agentId);
  return agent?.lastHeartbeatAt === null ? (
    "It has never sent a heartbeat."
  ) : (
    <>
      No heartbeat for <RelativeTime iso={since} />.
    </>
  );
};

/** The item in one sentence, without what its kind and its buttons already show. */
export const Detail = ({
  item: { agentId, commentId, detail, kind, since },
}: {
  readonly item: InboxItem;
}) => {
  switch (kind) {
    case "failed":
      return "The last run failed. Retry runs it again with the next heartbeat; Reopen queues it.";
    case "tooManyAttempts":
      return `${firstSentence(detail)} Retry runs it again with the next heartbeat; Reopen queues it.`;
    case "agentSilent":
      return agentId === null ? null : <Silence agentId={agentId} since={since} />;
    case "effectUnknown":
    case "runnerHalted":
    case "serverError":
    case "webhookFailing":
      return <Prose text={detail} />;
    case "mentioned":
      return commentId === undefined ? "The description mentions you." : null;
    case "blockedChain":
    case "review":
    case "question":
    case "toolsChanged":
      return null;
  }
};
