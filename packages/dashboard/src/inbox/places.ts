import type { InboxItem } from "../data/inbox/inbox.ts";

/** The path of the screen for the subject of an item; null if it has none. */
export const pathOf = ({
  agentId,
  issueId,
  issueKey,
  serverId,
  webhookId,
}: InboxItem): string | null => {
  if (issueId !== null) return `/issues/${encodeURIComponent(issueKey ?? issueId)}`;
  if (serverId !== null) return `/servers/${encodeURIComponent(serverId)}`;
  if (webhookId !== undefined) return `/webhooks/${encodeURIComponent(webhookId)}`;
  return agentId === null ? null : `/agents/${encodeURIComponent(agentId)}`;
};
