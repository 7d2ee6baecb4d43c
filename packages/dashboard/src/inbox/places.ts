import type { InboxItem } from "../data/inbox/inbox.ts";

/** The path of the screen for the subject of an item; null if it has none. */
export const pathOf = ({ agentId, issueId, serverId }: InboxItem): string | null => {
  if (issueId !== null) return `/issues/${encodeURIComponent(issueId)}`;
  if (serverId !== null) return `/servers/${encodeURIComponent(serverId)}`;
  return agentId === null ? null : `/agents/${encodeURIComponent(agentId)}`;
};
