import type { InboxItem } from "@quartermaster/client";

/** The id of the item in the request that snoozes it. */
export const idOf = ({ agentId, issueId, questionId, serverId, webhookId }: InboxItem): string =>
  questionId ?? issueId ?? serverId ?? webhookId ?? agentId ?? "";

/** The identity of an inbox item, for use as a key. */
export const keyOf = (item: InboxItem): string => `${item.kind} ${item.callId ?? idOf(item)}`;
