import { Effect, Layer } from "effect";
import type { Aead, Digest, Mac, SecureRandom } from "effect/crypto";
import { Agents } from "./agents/Agents.ts";
import type { AgentStore } from "./agents/AgentStore.ts";
import type { RunStore } from "./agents/RunStore.ts";
import type { StorageError } from "./CommonErrors.ts";
import { EventLog } from "./events/EventLog.ts";
import type { EventStore } from "./events/EventStore.ts";
import { Housekeeping } from "./Housekeeping.ts";
import * as Id from "./Id.ts";
import { Idempotency } from "./idempotency/Idempotency.ts";
import type { IdempotencyStore } from "./idempotency/IdempotencyStore.ts";
import { Inbox } from "./inbox/Inbox.ts";
import type { InboxStore } from "./inbox/InboxStore.ts";
import type { ActivityStore } from "./issues/ActivityStore.ts";
import type { AttachmentContent } from "./issues/AttachmentContent.ts";
import { Attachments } from "./issues/Attachments.ts";
import type { AttachmentStore } from "./issues/AttachmentStore.ts";
import { Comments } from "./issues/Comments.ts";
import type { CommentStore } from "./issues/CommentStore.ts";
import { IssueView } from "./issues/internal/IssueView.ts";
import { LeaseExpiry } from "./issues/internal/LeaseExpiry.ts";
import { LinkChanges } from "./issues/internal/LinkChanges.ts";
import { QuestionExpiry } from "./issues/internal/QuestionExpiry.ts";
import { References } from "./issues/internal/References.ts";
import { Timeline } from "./issues/internal/Timeline.ts";
import { Transitions } from "./issues/internal/Transitions.ts";
import { Issues } from "./issues/Issues.ts";
import type { IssueStore } from "./issues/IssueStore.ts";
import { Links } from "./issues/Links.ts";
import type { LinkStore } from "./issues/LinkStore.ts";
import { Projects } from "./issues/Projects.ts";
import type { ProjectStore } from "./issues/ProjectStore.ts";
import { Questions } from "./issues/Questions.ts";
import type { QuestionStore } from "./issues/QuestionStore.ts";
import { AgentSessions } from "./keys/AgentSessions.ts";
import type { AgentSessionStore } from "./keys/AgentSessionStore.ts";
import { Keys } from "./keys/Keys.ts";
import type { KeyStore } from "./keys/KeyStore.ts";
import { Sessions } from "./keys/Sessions.ts";
import type { SessionStore } from "./keys/SessionStore.ts";
import type { Catalog } from "./mcp/catalog/Catalog.ts";
import { CatalogEntries } from "./mcp/catalog/CatalogEntries.ts";
import type { CatalogStore } from "./mcp/CatalogStore.ts";
import { Connections } from "./mcp/connections/Connections.ts";
import { SharedCallLimits } from "./mcp/gateway/internal/CallLimits.ts";
import { CallRecords } from "./mcp/gateway/internal/CallRecords.ts";
import { ToolLists } from "./mcp/gateway/internal/ToolLists.ts";
import { ResourceGateway } from "./mcp/gateway/ResourceGateway.ts";
import { ToolGateway } from "./mcp/gateway/ToolGateway.ts";
import type { McpConnector } from "./mcp/McpConnector.ts";
import type { McpServerStore } from "./mcp/McpServerStore.ts";
import { Authorizations } from "./mcp/oauth/Authorizations.ts";
import { AccessTokens } from "./mcp/oauth/internal/AccessTokens.ts";
import type { OAuthClient } from "./mcp/OAuthClient.ts";
import type { PackageStore } from "./mcp/PackageStore.ts";
import type { ProcessSpawner } from "./mcp/ProcessSpawner.ts";
import type { RuntimeProbe } from "./mcp/RuntimeProbe.ts";
import { Imports } from "./mcp/servers/Imports.ts";
import { Installing } from "./mcp/servers/internal/Installing.ts";
import { PackageRetention } from "./mcp/servers/internal/PackageRetention.ts";
import { Verifier } from "./mcp/servers/internal/Verifier.ts";
import { McpServers } from "./mcp/servers/McpServers.ts";
import type { ToolCallStore } from "./mcp/ToolCallStore.ts";
import { PinnedTools } from "./mcp/tools/PinnedTools.ts";
import { Pins } from "./mcp/tools/Pins.ts";
import { Targets } from "./mcp/values/internal/Targets.ts";
import { Rotation } from "./mcp/values/Rotation.ts";
import { Variables } from "./mcp/values/Variables.ts";
import { AgentHost } from "./runs/AgentHost.ts";
import { AgentTools } from "./runs/AgentTools.ts";
import { Claims } from "./runs/internal/Claims.ts";
import { WorkBell } from "./runs/internal/WorkBell.ts";
import { Runs } from "./runs/Runs.ts";
import { Workers } from "./runs/Workers.ts";
import type { MasterKeys } from "./secrets/MasterKeys.ts";
import { SecretBox } from "./secrets/SecretBox.ts";
import { Stats } from "./stats/Stats.ts";
import type { StatsStore } from "./stats/StatsStore.ts";
import type { Transactor } from "./Transactor.ts";

/** Every port that a storage provides. */
export type Storage =
  | ActivityStore
  | AgentSessionStore
  | AgentStore
  | AttachmentContent
  | AttachmentStore
  | CatalogStore
  | CommentStore
  | EventStore
  | IdempotencyStore
  | InboxStore
  | IssueStore
  | KeyStore
  | LinkStore
  | McpServerStore
  | ProjectStore
  | QuestionStore
  | RunStore
  | SessionStore
  | StatsStore
  | ToolCallStore
  | Transactor;

/** Effect's cryptography, which a platform provides. */
export type Cryptography = Digest.Digest | Mac.Mac | SecureRandom.SecureRandom;

/** The services that a host uses. */
export type Services =
  | Agents
  | AgentSessions
  | Attachments
  | Comments
  | EventLog
  | Housekeeping
  | Idempotency
  | Inbox
  | Issues
  | Keys
  | Links
  | Projects
  | Questions
  | Runs
  | Sessions
  | Stats
  | Workers;

/** The additional ports of MCP servers. */
export type McpPorts =
  | Catalog
  | McpConnector
  | OAuthClient
  | PackageStore
  | ProcessSpawner
  | RuntimeProbe;

/** The services of MCP servers that a host uses. */
export type McpServices =
  | AgentHost
  | Authorizations
  | CatalogEntries
  | Connections
  | Imports
  | McpServers
  | ResourceGateway
  | Rotation
  | ToolGateway
  | Variables;

const internal = Layer.mergeAll(
  LinkChanges.layerNoDeps,
  LeaseExpiry.layerNoDeps,
  QuestionExpiry.layerNoDeps,
).pipe(
  Layer.provideMerge(Layer.mergeAll(Transitions.layerNoDeps, References.layerNoDeps)),
  Layer.provideMerge(Layer.mergeAll(Timeline.layerNoDeps, Agents.layerNoDeps, IssueView.layer)),
  Layer.provideMerge(Layer.mergeAll(AgentSessions.layer, EventLog.layer, Idempotency.layer)),
  Layer.provideMerge(Id.Ids.layer),
);

/** Runs, and the workers that hold them. */
const work = Workers.layerNoDeps.pipe(
  Layer.provideMerge(Runs.layerNoDeps),
  Layer.provide(Layer.merge(Claims.layerNoDeps, WorkBell.layer)),
);

const wire = <E, R>(runs: Layer.Layer<Runs | Workers, E, R>) =>
  Housekeeping.layerNoDeps.pipe(
    Layer.provideMerge(Issues.layerNoDeps),
    Layer.provideMerge(
      Layer.mergeAll(
        Links.layerNoDeps,
        Attachments.layerNoDeps,
        Comments.layerNoDeps,
        Inbox.layerNoDeps,
        Projects.layerNoDeps,
        Questions.layerNoDeps,
        Stats.layerNoDeps,
        runs,
      ),
    ),
    Layer.provideMerge(Sessions.layerNoDeps),
    Layer.provideMerge(Keys.layerNoDeps),
    Layer.provideMerge(internal),
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
export const layer: Layer.Layer<Services, StorageError, Storage | MasterKeys | Cryptography> =
  wire(work);

const mcp = Imports.layerNoDeps.pipe(
  Layer.provideMerge(
    Layer.mergeAll(McpServers.layerNoDeps, ResourceGateway.layerNoDeps, ToolGateway.layerNoDeps),
  ),
  Layer.provide(
    Layer.mergeAll(
      CallRecords.layer,
      Installing.layerNoDeps,
      SharedCallLimits.layer,
      ToolLists.layer,
    ),
  ),
  Layer.provide(Layer.mergeAll(Verifier.layerNoDeps, PackageRetention.layerNoDeps)),
  Layer.provideMerge(Connections.layerNoDeps),
  Layer.provideMerge(CatalogEntries.layerNoDeps),
  Layer.provideMerge(Authorizations.layerNoDeps),
  Layer.provide(Layer.mergeAll(AccessTokens.layerNoDeps, Pins.layerNoDeps, PinnedTools.layer)),
  Layer.provideMerge(Layer.mergeAll(Targets.layerNoDeps, Variables.layerNoDeps)),
  Layer.provideMerge(Rotation.layerNoDeps),
  Layer.provide(SecretBox.layer),
);

const gatewayTools = Layer.effect(
  AgentTools,
  Effect.map(ToolGateway, ({ revision }) => ({ revision })),
);

/**
 * Every service, including MCP servers. Also needs the ports of MCP servers and effect's
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
> = AgentHost.layerNoDeps.pipe(
  Layer.provideMerge(wire(Layer.provide(work, gatewayTools))),
  Layer.provideMerge(mcp),
  Layer.provideMerge(internal),
);
