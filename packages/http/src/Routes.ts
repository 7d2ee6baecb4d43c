import type {
  Agents,
  AgentSessions,
  Attachments,
  AuditLog,
  Authorizations,
  CatalogEntries,
  Comments,
  EventLog,
  Imports,
  Inbox,
  IssueEffects,
  Issues,
  Keys,
  Links,
  McpServers,
  ProcessSpawner,
  Projects,
  Questions,
  RunLogs,
  RunRecords,
  Runs,
  RunUsage,
  PromptGateway,
  ResourceGateway,
  RuntimeProbe,
  Sessions,
  SavedViews,
  Search,
  Stats,
  ToolGateway,
  Webhooks,
  Workers,
} from "@quartermaster/core";
import { Context, Effect, Layer, References, Tracer } from "effect";
import type { SecureRandom } from "effect/crypto";
import type { HttpRouter } from "effect/http";
import { Endpoints } from "./endpoint/Endpoints.ts";
import * as Envelope from "./endpoint/Envelope.ts";
import { InFlight } from "./endpoint/InFlight.ts";
import * as AgentHandlers from "./handlers/AgentHandlers.ts";
import * as AttachmentHandlers from "./handlers/AttachmentHandlers.ts";
import * as AuditHandlers from "./handlers/AuditHandlers.ts";
import * as AuthorizationHandlers from "./handlers/AuthorizationHandlers.ts";
import * as CatalogHandlers from "./handlers/CatalogHandlers.ts";
import * as CommentHandlers from "./handlers/CommentHandlers.ts";
import * as EffectHandlers from "./handlers/EffectHandlers.ts";
import * as EventHandlers from "./handlers/EventHandlers.ts";
import * as Handlers from "./handlers/Handlers.ts";
import * as InboxHandlers from "./handlers/InboxHandlers.ts";
import * as IssueHandlers from "./handlers/IssueHandlers.ts";
import * as KeyHandlers from "./handlers/KeyHandlers.ts";
import * as LinkHandlers from "./handlers/LinkHandlers.ts";
import * as McpHandlers from "./handlers/McpHandlers.ts";
import * as ProjectHandlers from "./handlers/ProjectHandlers.ts";
import * as QuestionHandlers from "./handlers/QuestionHandlers.ts";
import * as RunHandlers from "./handlers/RunHandlers.ts";
import * as SearchHandlers from "./handlers/SearchHandlers.ts";
import * as ServerHandlers from "./handlers/ServerHandlers.ts";
import * as SessionHandlers from "./handlers/SessionHandlers.ts";
import * as StatsHandlers from "./handlers/StatsHandlers.ts";
import * as ToolHandlers from "./handlers/ToolHandlers.ts";
import * as UsageHandlers from "./handlers/UsageHandlers.ts";
import * as ViewHandlers from "./handlers/ViewHandlers.ts";
import * as WebhookHandlers from "./handlers/WebhookHandlers.ts";
import { HttpOptions } from "./HttpOptions.ts";
import { Callers } from "./request/Caller.ts";
import { OpenStreams } from "./request/OpenStreams.ts";
import * as Prefix from "./request/Prefix.ts";
import { RateLimits } from "./request/RateLimits.ts";
import { Validity } from "./request/Validity.ts";

export { routerConfig } from "./request/RouteTable.ts";

/**
 * The handlers of the group `system` (health, metrics, documentation), which the host provides.
 * `SystemHandlers.layer` provides the server's handlers.
 */
export class System extends Context.Service<System, Handlers.Handlers<"system">>()(
  "@quartermaster/http/Routes/System",
) {}

const groups = Layer.mergeAll(
  AgentHandlers.layer,
  RunHandlers.layer,
  AttachmentHandlers.layer,
  AuthorizationHandlers.layer,
  CatalogHandlers.layer,
  CommentHandlers.layer,
  EventHandlers.layer,
  InboxHandlers.layer,
  IssueHandlers.layer,
  AuditHandlers.layer,
  KeyHandlers.layer,
  LinkHandlers.layer,
  McpHandlers.layer.pipe(Layer.provide(McpHandlers.endpoint)),
  ProjectHandlers.layer,
  QuestionHandlers.layer,
  EffectHandlers.layer,
  ServerHandlers.layer,
  SessionHandlers.layer,
  SearchHandlers.layer,
  StatsHandlers.layer,
  ToolHandlers.layer,
  UsageHandlers.layer,
  ViewHandlers.layer,
  WebhookHandlers.layer,
  Handlers.layer(System),
);

/** The native tracer exports no spans, so none are created. */
const tracing = Layer.effect(
  References.TracerEnabled,
  Effect.map(Tracer.Tracer, (tracer) => tracer !== Tracer.nativeTracer),
);

/** The services that the routes need. */
export type Services =
  | Agents.Agents
  | AgentSessions.AgentSessions
  | Attachments.Attachments
  | AuditLog.AuditLog
  | Authorizations.Authorizations
  | CatalogEntries.CatalogEntries
  | Comments.Comments
  | EventLog.EventLog
  | Imports.Imports
  | Inbox.Inbox
  | IssueEffects.IssueEffects
  | Issues.Issues
  | Keys.Keys
  | Links.Links
  | McpServers.McpServers
  | Projects.Projects
  | Questions.Questions
  | RunLogs.RunLogs
  | RunRecords.RunRecords
  | Runs.Runs
  | RunUsage.RunUsage
  | ProcessSpawner.ProcessSpawner
  | PromptGateway.PromptGateway
  | ResourceGateway.ResourceGateway
  | RuntimeProbe.RuntimeProbe
  | Sessions.Sessions
  | SavedViews.SavedViews
  | Search.Search
  | Stats.Stats
  | ToolGateway.ToolGateway
  | Webhooks.Webhooks
  | Workers.Workers;

const routes = groups.pipe(
  Layer.provide(Endpoints.layer),
  Layer.provide(InFlight.layer),
  Layer.provide(Callers.layer),
  Layer.provide([RateLimits.layer, OpenStreams.layer, Validity.layer]),
  Layer.provide(tracing),
  Layer.merge(Envelope.layer),
);

/**
 * Every route of the contract, for the `HttpRouter` of a host. It requires the services of core and
 * `System`; `HttpOptions` is optional.
 *
 * Without `HttpOptions.prefix`, the host has to configure its router with `routerConfig`, and the
 * envelope (request ids, problems for unknown paths and defects) applies to every route of that
 * router. With a prefix, both apply only to paths below it.
 */
export const layer: Layer.Layer<
  never,
  never,
  HttpRouter.HttpRouter | SecureRandom.SecureRandom | Services | System
> = Layer.unwrap(
  Effect.map(HttpOptions, ({ prefix }) => (prefix === "" ? routes : Prefix.layer(prefix, routes))),
);
