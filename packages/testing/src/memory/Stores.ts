import { Transactor } from "@quartermaster/core";
import { Layer } from "effect";
import { Database } from "./Database.ts";
import * as MemoryActivityStore from "./MemoryActivityStore.ts";
import * as MemoryAgentSessionStore from "./MemoryAgentSessionStore.ts";
import * as MemoryAgentStore from "./MemoryAgentStore.ts";
import * as MemoryAttachmentContent from "./MemoryAttachmentContent.ts";
import * as MemoryAttachmentStore from "./MemoryAttachmentStore.ts";
import * as MemoryAuditStore from "./MemoryAuditStore.ts";
import * as MemoryCallBodyStore from "./MemoryCallBodyStore.ts";
import * as MemoryCatalogStore from "./MemoryCatalogStore.ts";
import * as MemoryCommentStore from "./MemoryCommentStore.ts";
import * as MemoryEffectStore from "./MemoryEffectStore.ts";
import * as MemoryEventStore from "./MemoryEventStore.ts";
import * as MemoryIdempotencyStore from "./MemoryIdempotencyStore.ts";
import * as MemoryInboxStore from "./MemoryInboxStore.ts";
import * as MemoryIssueStore from "./MemoryIssueStore.ts";
import * as MemoryKeyStore from "./MemoryKeyStore.ts";
import * as MemoryLinkStore from "./MemoryLinkStore.ts";
import * as MemoryMcpServerStore from "./MemoryMcpServerStore.ts";
import * as MemoryMentionStore from "./MemoryMentionStore.ts";
import * as MemoryProcessLeaseStore from "./MemoryProcessLeaseStore.ts";
import * as MemoryProjectStore from "./MemoryProjectStore.ts";
import * as MemoryQuestionStore from "./MemoryQuestionStore.ts";
import * as MemoryRunLogStore from "./MemoryRunLogStore.ts";
import * as MemoryRunStore from "./MemoryRunStore.ts";
import * as MemorySavedViewStore from "./MemorySavedViewStore.ts";
import * as MemorySessionStore from "./MemorySessionStore.ts";
import * as MemorySnoozeStore from "./MemorySnoozeStore.ts";
import * as MemoryStatsStore from "./MemoryStatsStore.ts";
import * as MemoryToolCallStore from "./MemoryToolCallStore.ts";
import * as MemoryUsageStore from "./MemoryUsageStore.ts";
import * as MemoryVersionStore from "./MemoryVersionStore.ts";
import * as MemoryWebhookStore from "./MemoryWebhookStore.ts";

/** All ports over one `Database`. */
export const layer = Layer.mergeAll(
  MemoryActivityStore.layer,
  MemoryAgentSessionStore.layer,
  MemoryAgentStore.layer,
  MemoryAttachmentContent.layer,
  MemoryAttachmentStore.layer,
  MemoryAuditStore.layer,
  MemoryCallBodyStore.layer,
  MemoryCatalogStore.layer,
  MemoryCommentStore.layer,
  MemoryEventStore.layer,
  MemoryIdempotencyStore.layer,
  MemoryInboxStore.layer,
  MemoryIssueStore.layer,
  MemoryKeyStore.layer,
  MemoryLinkStore.layer,
  MemoryMcpServerStore.layer,
  MemoryMentionStore.layer,
  MemoryProcessLeaseStore.layer,
  MemorySnoozeStore.layer,
  MemoryProjectStore.layer,
  MemoryEffectStore.layer,
  MemoryQuestionStore.layer,
  MemoryRunLogStore.layer,
  MemoryRunStore.layer,
  MemorySavedViewStore.layer,
  MemorySessionStore.layer,
  MemoryStatsStore.layer,
  MemoryToolCallStore.layer,
  MemoryUsageStore.layer,
  MemoryVersionStore.layer,
  MemoryWebhookStore.layer,
  Layer.effect(Transactor.Transactor, Database),
);
