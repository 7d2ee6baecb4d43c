import type { AttachmentContent, Core, EventStore, Transactor } from "@quartermaster/core";
import { Layer } from "effect";
import type { SqlClient } from "effect/sql";
import * as SqlAgentStore from "./agents/SqlAgentStore.ts";
import * as SqlAuditStore from "./audit/SqlAuditStore.ts";
import * as SqlEffectStore from "./effects/SqlEffectStore.ts";
import * as SqlIdempotencyStore from "./idempotency/SqlIdempotencyStore.ts";
import * as SqlInboxStore from "./inbox/SqlInboxStore.ts";
import * as SqlSnoozeStore from "./inbox/SqlSnoozeStore.ts";
import type { IssueNumbers } from "./issues/IssueNumbers.ts";
import * as SqlActivityStore from "./issues/SqlActivityStore.ts";
import * as SqlAttachmentStore from "./issues/SqlAttachmentStore.ts";
import * as SqlCommentStore from "./issues/SqlCommentStore.ts";
import * as SqlIssueStore from "./issues/SqlIssueStore.ts";
import * as SqlLinkStore from "./issues/SqlLinkStore.ts";
import * as SqlMentionStore from "./issues/SqlMentionStore.ts";
import * as SqlProjectStore from "./issues/SqlProjectStore.ts";
import * as SqlQuestionStore from "./issues/SqlQuestionStore.ts";
import * as SqlSavedViewStore from "./issues/SqlSavedViewStore.ts";
import * as SqlVersionStore from "./issues/SqlVersionStore.ts";
import * as SqlAgentSessionStore from "./keys/SqlAgentSessionStore.ts";
import * as SqlKeyStore from "./keys/SqlKeyStore.ts";
import * as SqlSessionStore from "./keys/SqlSessionStore.ts";
import * as SqlCallBodyStore from "./mcp/SqlCallBodyStore.ts";
import * as SqlCatalogStore from "./mcp/SqlCatalogStore.ts";
import * as SqlMcpServerStore from "./mcp/SqlMcpServerStore.ts";
import * as SqlProcessLeaseStore from "./mcp/SqlProcessLeaseStore.ts";
import * as SqlToolCallStore from "./mcp/SqlToolCallStore.ts";
import * as SqlRunLogStore from "./runs/SqlRunLogStore.ts";
import * as SqlRunStore from "./runs/SqlRunStore.ts";
import * as SqlUsageStore from "./runs/SqlUsageStore.ts";
import * as SqlStatsStore from "./stats/SqlStatsStore.ts";
import * as SqlWebhookStore from "./webhooks/SqlWebhookStore.ts";
import type { Wiping } from "./Wiping.ts";

/** The stores that every engine has; each brings its own transactor, events and attachment bytes. */
export type Shared = Exclude<
  Core.Storage,
  AttachmentContent.AttachmentContent | EventStore.EventStore | Transactor.Transactor
>;

/** The shared stores, on a client whose database is migrated. */
export const layer: Layer.Layer<Shared, never, IssueNumbers | SqlClient.SqlClient | Wiping> =
  Layer.mergeAll(
    SqlActivityStore.layer,
    SqlAgentSessionStore.layer,
    SqlAgentStore.layer,
    SqlAttachmentStore.layer,
    SqlAuditStore.layer,
    SqlCallBodyStore.layer,
    SqlCatalogStore.layer,
    SqlCommentStore.layer,
    SqlEffectStore.layer,
    SqlIdempotencyStore.layer,
    SqlInboxStore.layer,
    SqlIssueStore.layer,
    SqlKeyStore.layer,
    SqlLinkStore.layer,
    SqlMcpServerStore.layer,
    SqlMentionStore.layer,
    SqlProcessLeaseStore.layer,
    SqlProjectStore.layer,
    SqlQuestionStore.layer,
    SqlRunLogStore.layer,
    SqlRunStore.layer,
    SqlSavedViewStore.layer,
    SqlSessionStore.layer,
    SqlSnoozeStore.layer,
    SqlStatsStore.layer,
    SqlToolCallStore.layer,
    SqlUsageStore.layer,
    SqlVersionStore.layer,
    SqlWebhookStore.layer,
  );
