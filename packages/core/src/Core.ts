import { Effect, Layer } from "effect";
import type { Aead, Digest, Mac, SecureRandom } from "effect/crypto";
import { Idempotency } from "./access/Idempotency.ts";
import type { IdempotencyStore } from "./access/IdempotencyStore.ts";
import { Keys } from "./access/Keys.ts";
import type { KeyStore } from "./access/KeyStore.ts";
import { Sessions } from "./access/Sessions.ts";
import type { SessionStore } from "./access/SessionStore.ts";
import { AgentHost } from "./agents/AgentHost.ts";
import { Agents } from "./agents/Agents.ts";
import type { AgentStore } from "./agents/AgentStore.ts";
import { AgentTools } from "./agents/AgentTools.ts";
import { Runs } from "./agents/Runs.ts";
import type { RunStore } from "./agents/RunStore.ts";
import type { StorageError } from "./Errors.ts";
import { EventLog } from "./events/EventLog.ts";
import type { EventStore } from "./events/EventStore.ts";
import { Housekeeping } from "./Housekeeping.ts";
import type { ActivityStore } from "./issues/ActivityStore.ts";
import type { AttachmentContent } from "./issues/AttachmentContent.ts";
import { Attachments } from "./issues/Attachments.ts";
import type { AttachmentStore } from "./issues/AttachmentStore.ts";
import { Comments } from "./issues/Comments.ts";
import type { CommentStore } from "./issues/CommentStore.ts";
import { Issues } from "./issues/Issues.ts";
import type { IssueStore } from "./issues/IssueStore.ts";
import { IssueView } from "./issues/IssueView.ts";
import { Links } from "./issues/Links.ts";
import type { LinkStore } from "./issues/LinkStore.ts";
import { References } from "./issues/References.ts";
import { Timeline } from "./issues/Timeline.ts";
import { Transitions } from "./issues/Transitions.ts";
import { AccessTokens } from "./mcp/AccessTokens.ts";
import { Authorizations } from "./mcp/Authorizations.ts";
import type { Catalog } from "./mcp/Catalog.ts";
import { Connections } from "./mcp/Connections.ts";
import { Imports } from "./mcp/Imports.ts";
import type { McpConnector } from "./mcp/McpConnector.ts";
import { McpServers } from "./mcp/McpServers.ts";
import type { McpServerStore } from "./mcp/McpServerStore.ts";
import type { OAuthClient } from "./mcp/OAuthClient.ts";
import type { PackageStore } from "./mcp/PackageStore.ts";
import { Pins } from "./mcp/Pins.ts";
import type { RuntimeProbe } from "./mcp/RuntimeProbe.ts";
import { Targets } from "./mcp/Targets.ts";
import type { ToolCallStore } from "./mcp/ToolCallStore.ts";
import { ToolGateway } from "./mcp/ToolGateway.ts";
import { ToolLists } from "./mcp/ToolLists.ts";
import { Variables } from "./mcp/Variables.ts";
import { Verifier } from "./mcp/Verifier.ts";
import type { MasterKeys } from "./secrets/MasterKeys.ts";
import { Rotation } from "./secrets/Rotation.ts";
import { SecretBox } from "./secrets/SecretBox.ts";
import type { Transactor } from "./Transactor.ts";

/** Every port that a storage provides. */
export type Storage =
  | ActivityStore
  | AgentStore
  | AttachmentContent
  | AttachmentStore
  | CommentStore
  | EventStore
  | IdempotencyStore
  | IssueStore
  | KeyStore
  | LinkStore
  | McpServerStore
  | RunStore
  | SessionStore
  | ToolCallStore
  | Transactor;

/** effect's cryptography, as a platform provides it. */
export type Cryptography = Digest.Digest | Mac.Mac | SecureRandom.SecureRandom;

/** The services that a host uses. */
export type Services =
  | Agents
  | Attachments
  | Comments
  | EventLog
  | Housekeeping
  | Idempotency
  | Issues
  | Keys
  | Links
  | Runs
  | Sessions;

/** The ports that MCP servers take besides. */
export type McpPorts = Catalog | McpConnector | OAuthClient | PackageStore | RuntimeProbe;

/** The services of MCP servers that a host uses. */
export type McpServices =
  | AgentHost
  | Authorizations
  | Connections
  | Imports
  | McpServers
  | Rotation
  | ToolGateway
  | Variables;

const internal = Layer.mergeAll(Transitions.layer, References.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Timeline.layer, Agents.layer, IssueView.layer)),
  Layer.provideMerge(Layer.mergeAll(EventLog.layer, Idempotency.layer)),
);

const wire = <E, R>(runs: Layer.Layer<Runs, E, R>) =>
  Housekeeping.layer.pipe(
    Layer.provideMerge(Issues.layer),
    Layer.provideMerge(Layer.mergeAll(Links.layer, Attachments.layer, Comments.layer, runs)),
    Layer.provideMerge(Sessions.layer),
    Layer.provideMerge(Keys.layer),
    Layer.provideMerge(internal),
  );

/**
 * Every service but those of MCP servers, wired. It requires the ports of the storage, the master
 * keys and effect's cryptography alone; `CoreOptions`, `Directory` and `AgentTools` may be set.
 */
export const layer: Layer.Layer<Services, StorageError, Storage | MasterKeys | Cryptography> = wire(
  Runs.layer,
);

const mcp = Imports.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(McpServers.layer, ToolGateway.layer)),
  Layer.provide(Layer.mergeAll(Verifier.layer, ToolLists.layer)),
  Layer.provideMerge(Connections.layer),
  Layer.provideMerge(Authorizations.layer),
  Layer.provide(Layer.mergeAll(AccessTokens.layer, Pins.layer)),
  Layer.provideMerge(Layer.mergeAll(Targets.layer, Variables.layer)),
  Layer.provideMerge(Rotation.layerNoDeps),
  Layer.provide(SecretBox.layer),
);

const gatewayTools = Layer.effect(
  AgentTools,
  Effect.map(ToolGateway, ({ revision }) => ({ revision })),
);

/**
 * Every service, those of MCP servers too. It requires their ports as well, and effect's
 * authenticated encryption; `McpOptions` may be set.
 */
export const layerMcp: Layer.Layer<
  Services | McpServices,
  StorageError,
  Storage | McpPorts | MasterKeys | Cryptography | Aead.Aead
> = AgentHost.layer.pipe(
  Layer.provideMerge(wire(Layer.provide(Runs.layer, gatewayTools))),
  Layer.provideMerge(mcp),
  Layer.provideMerge(internal),
);
