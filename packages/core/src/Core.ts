import { Effect, Layer } from "effect";
import type { Aead, Digest, Mac, SecureRandom } from "effect/crypto";
import { Agents } from "./agents/Agents.ts";
import type { AgentStore } from "./agents/AgentStore.ts";
import type { RunStore } from "./agents/RunStore.ts";
import { AuditLog } from "./audit/AuditLog.ts";
import type { AuditStore } from "./audit/AuditStore.ts";
import type { StorageError } from "./CommonErrors.ts";
import type { Deliverer } from "./deliveries/Deliverer.ts";
import * as DeliveriesRoom from "./deliveries/DeliveriesRoom.ts";
import type { Webhooks } from "./deliveries/Webhooks.ts";
import type { WebhookSender } from "./deliveries/WebhookSender.ts";
import type { EffectStore } from "./effects/EffectStore.ts";
import { EventLog } from "./events/EventLog.ts";
import type { EventStore } from "./events/EventStore.ts";
import { Search } from "./finding/Search.ts";
import { Housekeeping } from "./Housekeeping.ts";
import * as Id from "./Id.ts";
import { Idempotency } from "./idempotency/Idempotency.ts";
import type { IdempotencyStore } from "./idempotency/IdempotencyStore.ts";
import { Inbox } from "./inbox/Inbox.ts";
import type { InboxStore } from "./inbox/InboxStore.ts";
import type { SnoozeStore } from "./inbox/SnoozeStore.ts";
import type { ActivityStore } from "./issues/ActivityStore.ts";
import type { AttachmentContent } from "./issues/AttachmentContent.ts";
import type { Attachments } from "./issues/Attachments.ts";
import type { AttachmentStore } from "./issues/AttachmentStore.ts";
import type { Comments } from "./issues/Comments.ts";
import type { CommentStore } from "./issues/CommentStore.ts";
import type { Issues } from "./issues/Issues.ts";
import * as IssuesRoom from "./issues/IssuesRoom.ts";
import type { IssueStore } from "./issues/IssueStore.ts";
import * as KeyLookup from "./issues/KeyLookup.ts";
import type { Links } from "./issues/Links.ts";
import type { LinkStore } from "./issues/LinkStore.ts";
import type { MentionStore } from "./issues/MentionStore.ts";
import type { Projects } from "./issues/Projects.ts";
import type { ProjectStore } from "./issues/ProjectStore.ts";
import type { Questions } from "./issues/Questions.ts";
import type { QuestionStore } from "./issues/QuestionStore.ts";
import type { SavedViews } from "./issues/SavedViews.ts";
import type { SavedViewStore } from "./issues/SavedViewStore.ts";
import type { VersionStore } from "./issues/VersionStore.ts";
import type { AgentSessions } from "./keys/AgentSessions.ts";
import type { AgentSessionStore } from "./keys/AgentSessionStore.ts";
import type { Keys } from "./keys/Keys.ts";
import * as KeysRoom from "./keys/KeysRoom.ts";
import type { KeyStore } from "./keys/KeyStore.ts";
import type { Sessions } from "./keys/Sessions.ts";
import type { SessionStore } from "./keys/SessionStore.ts";
import type { CallBodyStore } from "./mcp/CallBodyStore.ts";
import type { Catalog } from "./mcp/catalog/Catalog.ts";
import { CatalogEntries } from "./mcp/catalog/CatalogEntries.ts";
import type { CatalogStore } from "./mcp/CatalogStore.ts";
import { Connections } from "./mcp/connections/Connections.ts";
import * as GatewayRoom from "./mcp/gateway/GatewayRoom.ts";
import type { PassedRequests } from "./mcp/gateway/PassedRequests.ts";
import type { PromptGateway } from "./mcp/gateway/PromptGateway.ts";
import type { ResourceGateway } from "./mcp/gateway/ResourceGateway.ts";
import { ToolGateway } from "./mcp/gateway/ToolGateway.ts";
import type { McpConnector } from "./mcp/McpConnector.ts";
import type { McpServerStore } from "./mcp/McpServerStore.ts";
import type { Authorizations } from "./mcp/oauth/Authorizations.ts";
import * as OAuthRoom from "./mcp/oauth/OAuthRoom.ts";
import type { OAuthClient } from "./mcp/OAuthClient.ts";
import type { PackageStore } from "./mcp/PackageStore.ts";
import type { ProcessLeaseStore } from "./mcp/ProcessLeaseStore.ts";
import type { ProcessSpawner } from "./mcp/ProcessSpawner.ts";
import type { RuntimeProbe } from "./mcp/RuntimeProbe.ts";
import type { Imports } from "./mcp/servers/Imports.ts";
import type { McpServers } from "./mcp/servers/McpServers.ts";
import * as ServersRoom from "./mcp/servers/ServersRoom.ts";
import type { ToolCallStore } from "./mcp/ToolCallStore.ts";
import * as ToolsRoom from "./mcp/tools/ToolsRoom.ts";
import { GivenSecrets } from "./mcp/values/GivenSecrets.ts";
import type { Rotation } from "./mcp/values/Rotation.ts";
import * as ValuesRoom from "./mcp/values/ValuesRoom.ts";
import type { Variables } from "./mcp/values/Variables.ts";
import { AgentHost } from "./runs/AgentHost.ts";
import { AgentSecrets } from "./runs/AgentSecrets.ts";
import { AgentTools } from "./runs/AgentTools.ts";
import type { IssueEffects } from "./runs/IssueEffects.ts";
import type { RunLogs } from "./runs/RunLogs.ts";
import type { RunLogStore } from "./runs/RunLogStore.ts";
import type { RunRecords } from "./runs/RunRecords.ts";
import type { Runs } from "./runs/Runs.ts";
import * as RunsRoom from "./runs/RunsRoom.ts";
import type { RunUsage } from "./runs/RunUsage.ts";
import type { Workers } from "./runs/Workers.ts";
import type { MasterKeys } from "./secrets/MasterKeys.ts";
import { SecretBox } from "./secrets/SecretBox.ts";
import { Stats } from "./stats/Stats.ts";
import type { StatsStore } from "./stats/StatsStore.ts";
import type { Transactor } from "./Transactor.ts";
import type { UsageStore } from "./usage/UsageStore.ts";
import type { WebhookStore } from "./webhooks/WebhookStore.ts";

/** Every port that a storage provides. */
export type Storage =
  | ActivityStore
  | AgentSessionStore
  | AgentStore
  | AttachmentContent
  | AttachmentStore
  | AuditStore
  | CallBodyStore
  | CatalogStore
  | CommentStore
  | EffectStore
  | EventStore
  | IdempotencyStore
  | InboxStore
  | IssueStore
  | KeyStore
  | LinkStore
  | McpServerStore
  | MentionStore
  | ProcessLeaseStore
  | ProjectStore
  | QuestionStore
  | RunLogStore
  | RunStore
  | SavedViewStore
  | SessionStore
  | SnoozeStore
  | StatsStore
  | ToolCallStore
  | Transactor
  | UsageStore
  | VersionStore
  | WebhookStore;

/** Effect's cryptography, which a platform provides. */
export type Cryptography = Digest.Digest | Mac.Mac | SecureRandom.SecureRandom;

/** The services that a host uses. */
export type Services =
  | Agents
  | AgentSessions
  | Attachments
  | AuditLog
  | Comments
  | EventLog
  | Housekeeping
  | Idempotency
  | Inbox
  | IssueEffects
  | Issues
  | Keys
  | Links
  | Projects
  | Questions
  | RunLogs
  | RunRecords
  | Runs
  | RunUsage
  | SavedViews
  | Search
  | Sessions
  | Stats
  | Workers;

/** The additional ports of MCP servers and webhooks. */
export type McpPorts =
  | Catalog
  | McpConnector
  | OAuthClient
  | PackageStore
  | ProcessSpawner
  | RuntimeProbe
  | WebhookSender;

/** The services of MCP servers and webhooks that a host uses. */
export type McpServices =
  | AgentHost
  | Authorizations
  | CatalogEntries
  | Connections
  | Deliverer
  | Imports
  | McpServers
  | PassedRequests
  | PromptGateway
  | ResourceGateway
  | Rotation
  | ToolGateway
  | Variables
  | Webhooks;

const base = Agents.layerNoDeps.pipe(
  Layer.provideMerge(
    Layer.mergeAll(AuditLog.layer, EventLog.layer, Idempotency.layer, KeyLookup.layer),
  ),
  Layer.provideMerge(Id.Ids.layer),
);

const wire = <E, R>(
  runs: Layer.Layer<IssueEffects | RunLogs | RunRecords | Runs | RunUsage | Workers, E, R>,
) =>
  Housekeeping.layerNoDeps.pipe(
    Layer.provideMerge(
      Layer.mergeAll(Inbox.layerNoDeps, Search.layerNoDeps, Stats.layerNoDeps, runs),
    ),
    Layer.provideMerge(IssuesRoom.layer),
    Layer.provideMerge(KeysRoom.layer),
    Layer.provideMerge(base),
  );

/**
 * Every service except MCP servers, wired. Needs a storage, the master keys and effect's
 * cryptography. The host may also provide `CoreOptions`, `Directory` and `AgentTools`.
 *
 * @example
 * ```ts
 * import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
 * import { Core, Issues, MasterKeys, Principal } from "@quartermaster/core";
 * import { MemoryStorage } from "@quartermaster/testing";
 * import { Effect, Layer, Redacted } from "effect";
 *
 * const keys = MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(32))]);
 * const quartermaster = Core.layer.pipe(
 *   Layer.provide([MemoryStorage.layer, keys]),
 *   Layer.provide(NodeCrypto.layer),
 * );
 *
 * export const example = Issues.Issues.use((issues) =>
 *   issues.create("shop", { title: "Say hello" }),
 * ).pipe(
 *   Effect.map((issue) => issue.status), // "Open"
 *   Effect.provideService(Principal.CurrentPrincipal, Principal.user("ada")),
 *   Effect.provide(quartermaster),
 * );
 * ```
 */
export const layer: Layer.Layer<Services, StorageError, Storage | MasterKeys | Cryptography> = wire(
  RunsRoom.layer,
);

const mcp = Layer.merge(ServersRoom.layer, GatewayRoom.layer).pipe(
  Layer.provideMerge(Connections.layerNoDeps),
  Layer.provideMerge(CatalogEntries.layerNoDeps),
  Layer.provideMerge(OAuthRoom.layer),
  Layer.provide(ToolsRoom.layer),
  Layer.provideMerge(ValuesRoom.layer),
  Layer.provide(SecretBox.layer),
);

const gatewayTools = Layer.merge(
  Layer.effect(
    AgentTools,
    Effect.map(ToolGateway, ({ revision }) => ({ revision })),
  ),
  Layer.effect(
    AgentSecrets,
    Effect.map(GivenSecrets, ({ valuesOf }) => ({ valuesOf })),
  ),
);

/**
 * Every service, including MCP servers and webhooks. Also needs their ports and effect's
 * authenticated encryption. The host may also provide `McpOptions`.
 *
 * @example
 * ```ts
 * import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
 * import { AgentHost, Catalog, Core, MasterKeys } from "@quartermaster/core";
 * import { MemoryStorage, TestCore } from "@quartermaster/testing";
 * import { Effect, Layer, Redacted } from "effect";
 *
 * const keys = MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(32))]);
 * // `Mcp.layer` of @quartermaster/mcp provides the ports that `TestCore.scripted` scripts here.
 * const quartermaster = Core.layerMcp.pipe(
 *   Layer.provide([MemoryStorage.layer, TestCore.scripted, Catalog.Catalog.layer, keys]),
 *   Layer.provide(NodeCrypto.layer),
 * );
 *
 * export const example = AgentHost.AgentHost.use(({ agent }) => agent("ops").heartbeat()).pipe(
 *   Effect.map((answer) => answer.started), // []
 *   Effect.provide(quartermaster),
 * );
 * ```
 */
export const layerMcp: Layer.Layer<
  Services | McpServices,
  StorageError,
  Storage | McpPorts | MasterKeys | Cryptography | Aead.Aead
> = Layer.merge(AgentHost.layerNoDeps, DeliveriesRoom.layer).pipe(
  Layer.provideMerge(wire(Layer.provide(RunsRoom.layer, gatewayTools))),
  Layer.provideMerge(mcp),
  Layer.provideMerge(base),
);
