import { Context } from "effect";
import { HttpApi, OpenApi } from "effect/http-api";
import { AgentsApi } from "./AgentsApi.ts";
import { AttachmentsApi } from "./AttachmentsApi.ts";
import { AuditApi } from "./AuditApi.ts";
import { AuthorizationApi } from "./AuthorizationApi.ts";
import { CatalogApi } from "./CatalogApi.ts";
import { CommentsApi } from "./CommentsApi.ts";
import * as Document from "./Document.ts";
import { EffectsApi } from "./EffectsApi.ts";
import { EventsApi } from "./EventsApi.ts";
import { InboxApi } from "./InboxApi.ts";
import { IssuesApi } from "./IssuesApi.ts";
import { KeysApi } from "./KeysApi.ts";
import { LinksApi } from "./LinksApi.ts";
import { McpApi } from "./McpApi.ts";
import { ProjectsApi } from "./ProjectsApi.ts";
import { QuestionsApi } from "./QuestionsApi.ts";
import { RunsApi } from "./RunsApi.ts";
import { SearchApi } from "./SearchApi.ts";
import { ServersApi } from "./ServersApi.ts";
import { SessionApi } from "./SessionApi.ts";
import { StatsApi } from "./StatsApi.ts";
import { SystemApi } from "./SystemApi.ts";
import { ToolsApi } from "./ToolsApi.ts";
import { UsageApi } from "./UsageApi.ts";
import { ViewsApi } from "./ViewsApi.ts";
import { WebhooksApi } from "./WebhooksApi.ts";

/** The whole HTTP contract. */
export class Api extends HttpApi.make("quartermaster")
  .add(
    IssuesApi,
    CommentsApi,
    LinksApi,
    QuestionsApi,
    EffectsApi,
    AttachmentsApi,
    ProjectsApi,
    ViewsApi,
    InboxApi,
    SearchApi,
    StatsApi,
    AgentsApi,
    RunsApi,
    UsageApi,
    ToolsApi,
    McpApi,
    CatalogApi,
    ServersApi,
    AuthorizationApi,
    KeysApi,
    SessionApi,
    AuditApi,
    EventsApi,
    WebhooksApi,
    SystemApi,
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Quartermaster",
      version: "1",
      description:
        "Issue tracking and MCP server management for autonomous agents.\n\nUnknown properties of bodies, and unknown or repeated query parameters under `/api/`, are rejected with 400.",
      transform: Document.transform,
    }),
  )
  .annotateMerge(
    Context.make(HttpApi.PayloadParseOptions, { onExcessProperty: "error", errors: "all" }).pipe(
      Context.add(HttpApi.QueryParseOptions, { errors: "all" }),
    ),
  ) {}
