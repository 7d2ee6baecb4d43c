import type {
  Agents,
  Attachments,
  Authorizations,
  Catalog,
  Comments,
  EventLog,
  Imports,
  Issues,
  Keys,
  Links,
  McpServers,
  Runs,
  RuntimeProbe,
  Sessions,
  ToolGateway,
} from "@quartermaster/core";
import { Effect, type FileSystem, Layer, type Path, References, Tracer } from "effect";
import type { SecureRandom } from "effect/crypto";
import type { Etag, HttpPlatform, HttpRouter } from "effect/http";
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api";
import type { Authorization, Conventions } from "./api/Access.ts";
import { Api } from "./api/Api.ts";
import * as AgentHandlers from "./handlers/AgentHandlers.ts";
import * as AttachmentHandlers from "./handlers/AttachmentHandlers.ts";
import * as AuthorizationHandlers from "./handlers/AuthorizationHandlers.ts";
import * as CatalogHandlers from "./handlers/CatalogHandlers.ts";
import * as CommentHandlers from "./handlers/CommentHandlers.ts";
import * as EventHandlers from "./handlers/EventHandlers.ts";
import * as IssueHandlers from "./handlers/IssueHandlers.ts";
import * as KeyHandlers from "./handlers/KeyHandlers.ts";
import * as LinkHandlers from "./handlers/LinkHandlers.ts";
import * as McpHandlers from "./handlers/McpHandlers.ts";
import * as ServerHandlers from "./handlers/ServerHandlers.ts";
import * as SessionHandlers from "./handlers/SessionHandlers.ts";
import * as ToolHandlers from "./handlers/ToolHandlers.ts";
import * as AuthorizationMiddleware from "./middleware/Authorization.ts";
import { Callers } from "./middleware/Caller.ts";
import * as ConventionsMiddleware from "./middleware/Conventions.ts";
import * as Envelope from "./middleware/Envelope.ts";
import { RateLimits } from "./middleware/RateLimits.ts";

export { routerConfig } from "./middleware/RouteTable.ts";

const callers = Callers.layer.pipe(Layer.provide(RateLimits.layer));

const handlers = Layer.mergeAll(
  AgentHandlers.layer,
  AttachmentHandlers.layer,
  AuthorizationHandlers.layer,
  CatalogHandlers.layer,
  CommentHandlers.layer,
  EventHandlers.layer,
  IssueHandlers.layer,
  KeyHandlers.layer,
  LinkHandlers.layer,
  McpHandlers.layer.pipe(Layer.provide(McpHandlers.endpoint)),
  ServerHandlers.layer,
  ToolHandlers.layer,
  SessionHandlers.layer.pipe(Layer.provide(callers)),
);

/** What the groups of the contract stand on, the group `system` of the host's too. */
export const middleware: Layer.Layer<
  Authorization | Conventions,
  never,
  Keys.Keys | Sessions.Sessions
> = Layer.mergeAll(AuthorizationMiddleware.layer, ConventionsMiddleware.layer).pipe(
  Layer.provide(callers),
  Layer.provide(RateLimits.layer),
);

/** Nobody sees the spans of the native tracer: they need not be made. */
const tracing = Layer.effect(
  References.TracerEnabled,
  Effect.map(Tracer.Tracer, (tracer) => tracer !== Tracer.nativeTracer),
);

/** What the routes stand on. */
export type Services =
  | Agents.Agents
  | Attachments.Attachments
  | Authorizations.Authorizations
  | Catalog.Catalog
  | Comments.Comments
  | EventLog.EventLog
  | Imports.Imports
  | Issues.Issues
  | Keys.Keys
  | Links.Links
  | McpServers.McpServers
  | Runs.Runs
  | RuntimeProbe.RuntimeProbe
  | Sessions.Sessions
  | ToolGateway.ToolGateway;

type Platform =
  | Etag.Generator
  | FileSystem.FileSystem
  | HttpPlatform.HttpPlatform
  | HttpRouter.HttpRouter
  | Path.Path
  | SecureRandom.SecureRandom;

/**
 * Every route of the contract, to be mounted in the `HttpRouter` of a host, under
 * `HttpRouter.RouterConfig` as `routerConfig` has it. It requires the services of core and the
 * group `system`; `HttpOptions` may be set. What it does around answers (request ids, problems for
 * unknown paths and defects) holds for every route of that router.
 */
export const layer: Layer.Layer<
  never,
  never,
  HttpApiGroup.Service<"quartermaster", "system"> | Platform | Services
> = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(handlers.pipe(Layer.provide(middleware), Layer.provide(tracing))),
  Layer.merge(Envelope.layer),
);
