// Written by `npm run openapi` from the contract in packages/http/src/api.

/** Whether an agent may use a server, and what of it. */
export interface AccessEntry {
  /** The agent's id. */
  readonly agentId: string;
  /** Whether the agent may use the server. */
  readonly granted: boolean;
  /** Names of the tools that the agent may use, at their server; null for all. */
  readonly tools: ReadonlyArray<string> | null;
  /** Whether the agent may use, of these tools, only tools whose accepted definition has `annotations.readOnlyHint: true`. */
  readonly readOnly: boolean;
  /** How many calls the agent may make within 60 seconds, per node; null for no limit. */
  readonly callsPerMinute: number | null;
  /** How many calls the agent may have in flight, per node; null for no limit. */
  readonly maxConcurrentCalls: number | null;
  /** An estimate of what the tools that the agent may use of this server cost its model; 0 without access. */
  readonly tokens: number;
}

/** The body that grants and revokes access to a server. */
export interface AccessUpdate {
  /** Up to 10,000 agents. Agents that are not listed keep their access. */
  readonly entries: ReadonlyArray<{
    /** The agent's id. */
    readonly agentId: string;
    /** Whether the agent may use the server. */
    readonly granted: boolean;
    /** Names of the tools that the agent may use, at their server; null for all. Omitted: left alone. */
    readonly tools?: ReadonlyArray<string> | null | undefined;
    /** Whether the agent may use, of these tools, only tools whose accepted definition has `annotations.readOnlyHint: true`. Omitted: left alone. */
    readonly readOnly?: boolean | undefined;
    /** How many calls the agent may make within 60 seconds, 1 to 100,000, counted per node; null for no limit. Omitted: left alone. */
    readonly callsPerMinute?: number | null | undefined;
    /** How many calls the agent may have in flight, 1 to 100,000, counted per node; null for no limit. Omitted: left alone. */
    readonly maxConcurrentCalls?: number | null | undefined;
  }>;
}

/** One entry of an issue's timeline. */
export interface Activity {
  /** The id of the entry and of the event that announced it. */
  readonly id: string;
  /** The issue that the timeline belongs to. */
  readonly issueId: string;
  /** What happened. */
  readonly kind:
    | "created"
    | "updated"
    | "statusChanged"
    | "commented"
    | "attached"
    | "detached"
    | "linked"
    | "unlinked"
    | "pickedUp"
    | "deferred"
    | "paused"
    | "resumed"
    | "stopped"
    | "finished"
    | "leaseExpired"
    | "asked"
    | "answered"
    | "questionExpired"
    | "questionWithdrawn";
  /** The user, agent or service that did it. */
  readonly actor: Actor;
  /** Details by kind: `from`, `to` and `cause` of a changed status, `runId` of a run, and the like. */
  readonly data: Readonly<Record<string, unknown>>;
  /** When it happened. */
  readonly createdAt: string;
}

/** The person, agent or service that did something. */
export interface Actor {
  /** `User` for a person, `Agent` for an agent, `System` for the service itself. */
  readonly type: "User" | "Agent" | "System";
  /** The user's, agent's or key's id; `quartermaster` for the service itself. */
  readonly id: string;
}

/** An autonomous worker of the host. */
export interface Agent {
  /** The agent's id, chosen by the host. */
  readonly id: string;
  /** 1 to 128 UTF-16 units; the id by default. */
  readonly name: string;
  /** When the agent sent its last heartbeat; null if it never did. */
  readonly lastHeartbeatAt: string | null;
  /** While true, the agent claims no issue and calls no tool of a server. */
  readonly paused: boolean;
  /** `direct`: `tools/list` of `/mcp` lists each granted tool. `search`: it lists tools that search, describe and call them. */
  readonly toolMode: "direct" | "search";
  /** Runs that have not ended and whose lease has not expired. */
  readonly activeRuns: number;
  /** When the agent was registered. */
  readonly createdAt: string;
}

/** A tool that an agent may use now. */
export interface AgentTool {
  /** What calls name: `<server>__<tool>`, at most 64 characters. */
  readonly name: string;
  /** The installed server's name. */
  readonly server: string;
  /** The tool's name at its server. */
  readonly tool: string;
  /** A title for people; null for none. */
  readonly title: string | null;
  /** What the tool does; null if the server does not say. */
  readonly description: string | null;
  /** JSON Schema of the tool's arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Hints of the server on the tool's behavior, as MCP defines them; null for none. */
  readonly annotations: Readonly<Record<string, unknown>> | null;
}

/** The tools that an agent may use now. */
export interface AgentToolList {
  /** Changes exactly when the list changes. */
  readonly revision: string;
  /** An estimate of what the tools cost the agent's model, when it gets all of them. */
  readonly tokens: number;
  /** The tools of all enabled servers that the agent has access to. */
  readonly tools: ReadonlyArray<AgentTool>;
}

/** The body that registers or changes an agent. */
export interface AgentUpdate {
  /** 1 to 128 UTF-16 units after trimming. Omitted or null: the name is left alone. */
  readonly name?: string | null | undefined;
  /** True stops the agent's live runs at their next turn, claims no issue for it and refuses its calls of servers' tools; false ends the pause. Omitted or null: left alone. Default of a new agent: false. */
  readonly paused?: boolean | null | undefined;
  /** How MCP clients see the granted tools. Omitted or null: left alone. Default of a new agent: `direct`. */
  readonly toolMode?: "direct" | "search" | null | undefined;
}

/** An API key, without its secret. */
export interface ApiKey {
  /** The key's id. */
  readonly id: string;
  /** 1 to 128 UTF-16 units. */
  readonly name: string;
  /** What the key may do: `Metrics` reads the metrics and nothing else; `Viewer` reads; `Editor` also changes issues and runs agents; `Admin` also manages agents, keys and MCP servers; `Owner` also manages Owner keys. */
  readonly role: "Metrics" | "Viewer" | "Editor" | "Admin" | "Owner";
  /** The projects that the key may see; null for all. */
  readonly projects: ReadonlyArray<string> | null;
  /** The agent that the key acts as; null for none. */
  readonly agentId: string | null;
  /** The user that the key acts as; null for a user with the id of the key, or for an agent. */
  readonly userId: string | null;
  /** When the key was created. */
  readonly createdAt: string;
  /** When the key expires; null for never. */
  readonly expiresAt: string | null;
  /** When the key was used last, to the minute; null if it never was. */
  readonly lastUsedAt: string | null;
}

/** The body that creates an API key. */
export interface ApiKeyCreate {
  /** 1 to 128 UTF-16 units after trimming. */
  readonly name: string;
  /** What the key may do; not above the role of the caller. A key of an agent is `Viewer` or `Editor`. A `Metrics` key has no `projects`, `agentId` or `userId`. */
  readonly role: "Metrics" | "Viewer" | "Editor" | "Admin" | "Owner";
  /** The projects that the key may see, 1 to 1,000. Default: null, which is all. */
  readonly projects?: ReadonlyArray<string> | null | undefined;
  /** The agent that the key acts as; not together with `userId`. Default: null. */
  readonly agentId?: string | null | undefined;
  /** The user that the key acts as. Default: null, which is a user with the id of the key. */
  readonly userId?: string | null | undefined;
  /** When the key expires: ISO 8601 with `Z` or an offset. Default: null, which is never. */
  readonly expiresAt?: string | null | undefined;
}

/** A new API key, with its secret. */
export interface ApiKeyCreated {
  /** The key's id. */
  readonly id: string;
  /** 1 to 128 UTF-16 units. */
  readonly name: string;
  /** What the key may do: `Metrics` reads the metrics and nothing else; `Viewer` reads; `Editor` also changes issues and runs agents; `Admin` also manages agents, keys and MCP servers; `Owner` also manages Owner keys. */
  readonly role: "Metrics" | "Viewer" | "Editor" | "Admin" | "Owner";
  /** The projects that the key may see; null for all. */
  readonly projects: ReadonlyArray<string> | null;
  /** The agent that the key acts as; null for none. */
  readonly agentId: string | null;
  /** The user that the key acts as; null for a user with the id of the key, or for an agent. */
  readonly userId: string | null;
  /** When the key was created. */
  readonly createdAt: string;
  /** When the key expires; null for never. */
  readonly expiresAt: string | null;
  /** When the key was used last, to the minute; null if it never was. */
  readonly lastUsedAt: string | null;
  /** The key itself, `qm_<keyId>_<secret>`. No other response contains it. */
  readonly key: string;
}

/** The name of an API key. */
export interface ApiKeyName {
  /** The key's id. */
  readonly id: string;
  /** 1 to 128 UTF-16 units. */
  readonly name: string;
}

/** A file attached to an issue, without its bytes. */
export interface Attachment {
  /** The attachment's id. */
  readonly id: string;
  /** The issue that the file is attached to. */
  readonly issueId: string;
  /** The last path segment of the uploaded name, without control characters. At most 255 UTF-16 units. */
  readonly fileName: string;
  /** The media type that the upload named. */
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, in lower-case hex. */
  readonly sha256: string;
  /** Root-relative path of the download. */
  readonly downloadUrl: string;
  /** Who uploaded the file. */
  readonly uploadedBy: Actor;
  /** When the file was uploaded. */
  readonly createdAt: string;
}

/** An issue without its description, links and metadata, with what surrounds it. */
export interface BriefIssue {
  /** The issue's id, created by the service. */
  readonly id: string;
  /** The project's id, chosen by the host. */
  readonly projectId: string;
  /** 1 to 256 UTF-16 units, trimmed. */
  readonly title: string;
  /** `Open`: ready to be picked up. `InProgress`: an agent works on it. `WaitingOnDependency`: an open issue blocks it. `PendingReview`: handed in for review. `Resolved` and `Closed`: done; both free its dependents. */
  readonly status:
    | "Open"
    | "InProgress"
    | "WaitingOnDependency"
    | "PendingReview"
    | "Resolved"
    | "Closed";
  /** Heartbeats pick up urgent issues first. */
  readonly priority: "urgent" | "high" | "normal" | "low";
  /** The agent that works on the issue; null for none, and then no heartbeat picks it up. */
  readonly assignedAgentId: string | null;
  /** The person who is responsible for the issue; null for none. */
  readonly assigneeUserId: string | null;
  /** A goal of the host that the issue serves; null for none. */
  readonly goalId: string | null;
  /** True after a pause, a run that finished as `failed`, or too many attempts: no heartbeat picks the issue up until a person resumes it. */
  readonly paused: boolean;
  /** Why the issue is paused; null if it is not. `person`: a user or an agent paused it. `failed`: a run finished as `failed`. `tooManyAttempts`: runs died or failed as often as the service allows. `questionExpired`: a question was not answered in time. `unknown`: it was paused before reasons were stored. */
  readonly pausedBecause:
    | "person"
    | "failed"
    | "tooManyAttempts"
    | "questionExpired"
    | "unknown"
    | null;
  /** Runs that died or failed since the issue was handed in or resumed, or a person set its status or agent. */
  readonly attempts: number;
  /** No heartbeat picks the issue up before this time; null for no such time. */
  readonly notBefore: string | null;
  /** Up to 32 labels, sorted. */
  readonly labels: ReadonlyArray<string>;
  /** The issue's id in another system, unique in the project; null for none. */
  readonly externalRef: string | null;
  /** 1 at creation, and 1 more with every change of the issue's own fields. `ETag` and `If-Match` carry it. */
  readonly version: number;
  /** Who created the issue. */
  readonly createdBy: Actor;
  /** When the issue was created. */
  readonly createdAt: string;
  /** When the issue's own fields changed last. */
  readonly updatedAt: string;
  /** When the issue was first `InProgress`; null if it never was. */
  readonly startedAt: string | null;
  /** When the issue was resolved; null if it is not resolved, or was reopened. */
  readonly resolvedAt: string | null;
  /** When the issue was closed; null if it is not closed. */
  readonly closedAt: string | null;
  /** Open issues that block it, without issues that the caller may not see. */
  readonly blockedByCount: number;
  /** Open issues that it blocks, without issues that the caller may not see. */
  readonly blocksCount: number;
  /** Questions that wait for an answer. */
  readonly openQuestions: number;
  /** The run that holds the issue; null for none. */
  readonly liveRun: {
    /** The run's id. */
    readonly runId: string;
    /** The agent that executes the run. */
    readonly agentId: string;
    /** When the lease expires unless it is renewed. */
    readonly leaseExpiresAt: string;
  } | null;
}

/** A server of the catalog that can be installed. */
export interface CatalogEntry {
  /** 1 to 32 characters of `a-z 0-9 -`. */
  readonly id: string;
  /** The name for people. */
  readonly name: string;
  /** What the server does. */
  readonly description: string;
  /** What kind of service the server gives access to. */
  readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
  /** `stdio` for a program on the host, `http` (Streamable HTTP) or `sse` for a remote server. */
  readonly transport: "stdio" | "http" | "sse";
  /** What the host needs to run the program; `none` for a remote server or a local program. */
  readonly runtime: "node" | "python" | "pipx" | "none";
  /** Whether the entry was vetted: its publisher is the one whose service it serves, or who makes the protocol. */
  readonly verified?: boolean | undefined;
  /** Where the entry is from: `builtin`, a `file` of the host, or `own` if an Owner created it. The service sets it. */
  readonly source?: "builtin" | "file" | "own" | undefined;
  /** What to do before the installation, for people. */
  readonly installInstructions: string;
  /** The server's page for people; null for none. */
  readonly homepage?: string | null | undefined;
  /** How to run the program, or how to reach the remote server. */
  readonly manifest:
    | {
        /** The package that contains the program; null for a program that is already on the host. */
        readonly package?: string | null | undefined;
        /** The exact version of the package; null without one. */
        readonly version?: string | null | undefined;
        /** The `sha512-...` that the registry publishes for the package; null if it is not checked. */
        readonly integrity?: string | null | undefined;
        /** A date: dependencies are resolved as of then, by npm and by pip 26 or newer. Null: as of the preparation. */
        readonly lockedAt?: string | null | undefined;
        /** The package's program, or a local one. */
        readonly command: string;
        /** The program's arguments. `${NAME}` is replaced by the value of that variable. */
        readonly args?: ReadonlyArray<string> | undefined;
        /** Fixed variables. `${HOME}` is the server's own home folder. */
        readonly env?: Readonly<Record<string, string>> | undefined;
        /** `shared`: one process for all agents. `agent`: one process per agent, for servers that hold an agent's state. */
        readonly isolation?: "shared" | "agent" | undefined;
        /** What the program may reach in addition to its package and its own folder. Null: nothing but the network, except that a local program runs without a sandbox under the sandbox setting `auto`. */
        readonly sandbox?: Sandbox | null | undefined;
      }
    | {
        /** The server's http or https URL. `${NAME}` is replaced by the value of that variable. */
        readonly url: string;
        /** Headers of every request. `${NAME}` is replaced by the value of that variable. */
        readonly headers?: Readonly<Record<string, string>> | undefined;
      };
  /** The variables that the server reads. */
  readonly envVars?: ReadonlyArray<EnvVar> | undefined;
}

/** An entry of the catalog, without its manifest. */
export interface CatalogEntrySummary {
  /** 1 to 32 characters of `a-z 0-9 -`. */
  readonly id: string;
  /** The name for people. */
  readonly name: string;
  /** What the server does. */
  readonly description: string;
  /** What kind of service the server gives access to. */
  readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
  /** `stdio` for a program on the host, `http` (Streamable HTTP) or `sse` for a remote server. */
  readonly transport: "stdio" | "http" | "sse";
  /** What the host needs to run the program; `none` for a remote server or a local program. */
  readonly runtime: "node" | "python" | "pipx" | "none";
  /** Whether the entry was vetted: its publisher is the one whose service it serves, or who makes the protocol. */
  readonly verified?: boolean | undefined;
  /** Where the entry is from: `builtin`, a `file` of the host, or `own` if an Owner created it. The service sets it. */
  readonly source?: "builtin" | "file" | "own" | undefined;
  /** What to do before the installation, for people. */
  readonly installInstructions: string;
}

/** The issue after a change, and how it was handed in instead. */
export interface ChangedIssue {
  /** The issue's id, created by the service. */
  readonly id: string;
  /** The project's id, chosen by the host. */
  readonly projectId: string;
  /** 1 to 256 UTF-16 units, trimmed. */
  readonly title: string;
  /** At most 65,536 UTF-16 units. */
  readonly description: string | null;
  /** `Open`: ready to be picked up. `InProgress`: an agent works on it. `WaitingOnDependency`: an open issue blocks it. `PendingReview`: handed in for review. `Resolved` and `Closed`: done; both free its dependents. */
  readonly status:
    | "Open"
    | "InProgress"
    | "WaitingOnDependency"
    | "PendingReview"
    | "Resolved"
    | "Closed";
  /** Heartbeats pick up urgent issues first. */
  readonly priority: "urgent" | "high" | "normal" | "low";
  /** The agent that works on the issue; null for none, and then no heartbeat picks it up. */
  readonly assignedAgentId: string | null;
  /** The person who is responsible for the issue; null for none. */
  readonly assigneeUserId: string | null;
  /** A goal of the host that the issue serves; null for none. */
  readonly goalId: string | null;
  /** True after a pause, a run that finished as `failed`, or too many attempts: no heartbeat picks the issue up until a person resumes it. */
  readonly paused: boolean;
  /** Why the issue is paused; null if it is not. `person`: a user or an agent paused it. `failed`: a run finished as `failed`. `tooManyAttempts`: runs died or failed as often as the service allows. `questionExpired`: a question was not answered in time. `unknown`: it was paused before reasons were stored. */
  readonly pausedBecause:
    | "person"
    | "failed"
    | "tooManyAttempts"
    | "questionExpired"
    | "unknown"
    | null;
  /** Runs that died or failed since the issue was handed in or resumed, or a person set its status or agent. */
  readonly attempts: number;
  /** No heartbeat picks the issue up before this time; null for no such time. */
  readonly notBefore: string | null;
  /** Up to 32 labels, sorted. */
  readonly labels: ReadonlyArray<string>;
  /** Texts of the host by key. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The issue's id in another system, unique in the project; null for none. */
  readonly externalRef: string | null;
  /** The first 100 links, oldest first, as seen from this issue. */
  readonly links: ReadonlyArray<IssueLink>;
  /** 1 at creation, and 1 more with every change of the issue's own fields. `ETag` and `If-Match` carry it. */
  readonly version: number;
  /** Who created the issue. */
  readonly createdBy: Actor;
  /** When the issue was created. */
  readonly createdAt: string;
  /** When the issue's own fields changed last. */
  readonly updatedAt: string;
  /** When the issue was first `InProgress`; null if it never was. */
  readonly startedAt: string | null;
  /** When the issue was resolved; null if it is not resolved, or was reopened. */
  readonly resolvedAt: string | null;
  /** When the issue was closed; null if it is not closed. */
  readonly closedAt: string | null;
  /** `review`: the agent resolved the issue, and its project lets agents only hand in for review. Absent otherwise. */
  readonly handedInAs?: "review" | undefined;
}

/** The part of a client's configuration that names its MCP servers. */
export interface ClientConfiguration {
  /** Servers by name, as Claude Desktop and Cursor write them. */
  readonly mcpServers?: Readonly<Record<string, unknown>> | null | undefined;
  /** Servers by name, as VS Code writes them. */
  readonly servers?: Readonly<Record<string, unknown>> | null | undefined;
  /** The text of Codex's `config.toml`, up to 64 Ki characters, of which only `mcp_servers` is read. Exactly one of `mcpServers`, `servers` and `toml`. */
  readonly toml?: string | null | undefined;
  /** What VS Code asks its user for. Ignored. */
  readonly inputs?: ReadonlyArray<unknown> | null | undefined;
}

/** A comment on an issue. */
export interface Comment {
  /** The comment's id. */
  readonly id: string;
  /** The issue that the comment is on. */
  readonly issueId: string;
  /** 1 to 65,536 UTF-16 units. */
  readonly content: string;
  /** `User` for a person, `Agent` for an agent, `System` for the service itself. */
  readonly authorType: "User" | "Agent" | "System";
  /** The user's, agent's or key's id. */
  readonly authorId: string;
  /** When the comment was created. */
  readonly createdAt: string;
}

/** The body that comments on an issue. */
export interface CommentCreate {
  /** 1 to 65,536 UTF-16 units. */
  readonly content: string;
  /** Default: what the key acts as, `User` for a user's key and `Agent` for an agent's. A request that acts for a run may also comment as `Agent`, in the name of the run's agent. Other values are refused. */
  readonly authorType?: "User" | "Agent" | "System" | null | undefined;
}

/** An issue that a plan created. */
export interface CreatedIssue {
  /** The issue's name in the plan. */
  readonly ref: string;
  readonly issue: Issue;
}

/** A variable that a server reads. */
export interface EnvVar {
  /** A letter or underscore, then letters, digits and underscores; up to 128 in all. */
  readonly name: string;
  /** What the value is, for the person who enters it. */
  readonly description: string;
  /** Whether the server needs a value. */
  readonly required: boolean;
  /** Whether an entry form has to hide the value. Every value is stored encrypted. */
  readonly secret: boolean;
  /** The value if none is given; null for none. */
  readonly default?: string | null | undefined;
}

/** Something that happened, stored in the same transaction as the change. */
export interface Event {
  /** The event's id. A subscription resumes after it. */
  readonly id: string;
  /** What happened. */
  readonly kind:
    | "issue.created"
    | "issue.updated"
    | "issue.statusChanged"
    | "issue.commented"
    | "issue.attached"
    | "issue.detached"
    | "issue.linked"
    | "issue.unlinked"
    | "issue.pickedUp"
    | "issue.deferred"
    | "issue.paused"
    | "issue.resumed"
    | "issue.stopped"
    | "issue.finished"
    | "issue.leaseExpired"
    | "issue.asked"
    | "issue.answered"
    | "issue.questionExpired"
    | "issue.questionWithdrawn"
    | "issue.deleted"
    | "project.updated"
    | "mcp.installed"
    | "mcp.updated"
    | "mcp.preparing"
    | "mcp.prepared"
    | "mcp.verified"
    | "mcp.enabled"
    | "mcp.disabled"
    | "mcp.failed"
    | "mcp.recovered"
    | "mcp.toolsChanged"
    | "mcp.accessChanged"
    | "mcp.uninstalled"
    | "mcp.catalogChanged"
    | "agent.registered"
    | "agent.updated"
    | "agent.deleted"
    | "key.created"
    | "key.deleted";
  /** The project that it happened in; null for none. */
  readonly projectId: string | null;
  /** The issue, project, installed server, agent or key that the event is about. */
  readonly subjectId: string;
  /** The user, agent or service that did it. */
  readonly actor: Actor;
  /** Details by kind. */
  readonly data: Readonly<Record<string, unknown>>;
  /** When it happened. */
  readonly createdAt: string;
}

/** How a run hands its issue in. */
export interface Finish {
  /** `resolved`: done. `review`: a person has to review it (`PendingReview`). `released`: given back, to be picked up again. `failed`: given back and paused, until a person resumes it, unless `retry` is true. */
  readonly outcome: "resolved" | "review" | "released" | "failed";
  /** Added to the issue in the name of the agent. 1 to 65,536 UTF-16 units. Default: null. */
  readonly comment?: string | null | undefined;
  /** With `failed`: whether the issue is tried again, after a delay, until it had as many attempts as the service allows. Default: false. */
  readonly retry?: boolean | null | undefined;
  /** With `released`: seconds until the issue may be picked up again, 0 to 604,800. Default: 0. */
  readonly retryAfterSeconds?: number | null | undefined;
}

/** What a host asks for one agent: I am alive; what do I work on, what do I stop? */
export interface Heartbeat {
  /** How many new issues the agent takes, 0 to 50. Default: 1. */
  readonly capacity?: number | null | undefined;
  /** How long the leases of started and renewed runs last, 5 to 86,400 seconds. Default: 300. */
  readonly leaseSeconds?: number | null | undefined;
  /** Ids of the runs whose leases are renewed, up to 1,000. Default: none. */
  readonly runs?: ReadonlyArray<string> | null | undefined;
}

/** What an agent has to do after a heartbeat. */
export interface HeartbeatAnswer {
  /** The agent that sent the heartbeat. */
  readonly agentId: string;
  /** Issues that the agent picked up with this heartbeat, each with its new run. */
  readonly started: ReadonlyArray<{
    /** The id of the new run. */
    readonly runId: string;
    /** When the lease expires unless it is renewed. */
    readonly leaseExpiresAt: string;
    /** 1, and 1 more for each run of the issue that died or failed before. */
    readonly attempt: number;
    /** The issue as it was picked up. */
    readonly issue: Issue;
    /** The newest 20 comments of the issue, oldest first. */
    readonly comments: ReadonlyArray<Comment>;
    /** Questions of the issue that were answered, expired or withdrawn since its previous run started, or ever for its first run: the newest 100, in the order in which they were closed. */
    readonly questions: ReadonlyArray<Question>;
  }>;
  /** Runs whose leases were renewed. */
  readonly renewed: ReadonlyArray<{
    /** The id of the run. */
    readonly runId: string;
    /** When the lease expires unless it is renewed again. */
    readonly leaseExpiresAt: string;
  }>;
  /** Runs that the agent has to stop at their next turn, or that hold their issue no longer. */
  readonly stop: ReadonlyArray<{
    /** The id of the run. */
    readonly runId: string;
    /** The run's issue; null for a run that is not this agent's. */
    readonly issueId: string | null;
    /** Why the run stops. */
    readonly reason:
      | "paused"
      | "blocked"
      | "reassigned"
      | "resolved"
      | "closed"
      | "deleted"
      | "statusChanged"
      | "agentPaused"
      | "projectPaused"
      | "leaseExpired"
      | "unknown";
  }>;
  /** Changes exactly when the agent's list of tools changes. */
  readonly toolsRevision: string;
}

/** What the host can run, and in which sandboxes. What is not detected has neither `version` nor `path`. */
export interface HostReport {
  /** Node.js, for packages of npm. */
  readonly node: {
    /** Whether the host has Node.js. */
    readonly detected: boolean;
    /** Its version. */
    readonly version?: string | undefined;
    /** The path of its program. */
    readonly path?: string | undefined;
  };
  /** Python, for packages of PyPI. */
  readonly python: {
    /** Whether the host has Python. */
    readonly detected: boolean;
    /** Its version. */
    readonly version?: string | undefined;
  };
  /** pipx, for packages of PyPI that are programs. */
  readonly pipx: {
    /** Whether the host has pipx. */
    readonly detected: boolean;
  };
  /** The sandbox that the service is configured for; `auto` chooses for each server. */
  readonly sandbox: string;
  /** The sandboxes by name: `direct`, `node`, `bubblewrap` and `docker`. */
  readonly sandboxes: Readonly<Record<string, SandboxReport>>;
}

/** What happened to one server of a configuration. */
export interface ImportResult {
  /** The name in the configuration. */
  readonly name: string;
  /** `installed` (disabled, and not granted to any agent), or `skipped`; `created` for the catalog entry of a `server.json`. */
  readonly status: "installed" | "skipped" | "created";
  /** The installed server; null if none was installed. */
  readonly server: InstalledServer | null;
  /** Why the server was skipped; null otherwise. */
  readonly reason:
    | "notInCatalogue"
    | "missingEnv"
    | "unknownEnv"
    | "runtimeMissing"
    | "forbiddenPath"
    | "invalid"
    | null;
  /** One sentence for people, never with a value; null if there is nothing to say. */
  readonly details: string | null;
  /** The id of the catalog entry that was `created`; missing otherwise. */
  readonly catalogId?: string | undefined;
}

/** Something that waits for a person. */
export interface InboxItem {
  /** `question`: an open question. `review`: an issue in `PendingReview`. `tooManyAttempts` and `failed`: an issue that is paused for that reason. `blockedChain`: an issue that blocks others and is not picked up, though no open issue blocks it. `agentSilent`: an agent without a heartbeat for 10 minutes, with an issue that it runs or could pick up. `serverError`: an MCP server with the status `error`. `toolsChanged`: an MCP server with withheld tools. */
  readonly kind:
    | "question"
    | "review"
    | "tooManyAttempts"
    | "failed"
    | "blockedChain"
    | "agentSilent"
    | "serverError"
    | "toolsChanged";
  /** `question`: when it was asked. Issues: when the issue's own fields changed last. `agentSilent`: the last heartbeat, or without any the registration. Servers: when the server changed last. */
  readonly since: string;
  /** The issue's priority. `agentSilent` and `serverError` are `high`, `toolsChanged` is `normal`. */
  readonly priority: "urgent" | "high" | "normal" | "low";
  /** The issue's project; null for agents and servers. */
  readonly projectId: string | null;
  /** The issue; null for agents and servers. */
  readonly issueId: string | null;
  /** The question; null for other kinds. */
  readonly questionId: string | null;
  /** The installed server; null for other kinds. */
  readonly serverId: string | null;
  /** The silent agent, or the issue's assigned agent; null for none. */
  readonly agentId: string | null;
  /** The issue's title, or the name of the agent or server. */
  readonly title: string;
  /** What a person has to know or do, in a sentence or two: for a question its first 500 UTF-16 units. */
  readonly detail: string;
}

/** An installed server, never with a value of its variables. */
export interface InstalledServer {
  /** The installed server's id. */
  readonly id: string;
  /** 1 to 32 characters of `a-z 0-9 -`, unique. It is the first part of the names of the server's tools. */
  readonly name: string;
  /** The catalog entry that the server was installed from. */
  readonly catalogId: string;
  /** `stdio` for a program on the host, `http` (Streamable HTTP) or `sse` for a remote server. */
  readonly transport: "stdio" | "http" | "sse";
  /** `enabled`: agents with access may call its tools. `disabled`: no agent may. `error`: a verification failed, or the server failed too often. A server that was enabled before is tried again automatically. */
  readonly status: "enabled" | "disabled" | "error";
  /** Since when and why the status is `error`; null in any other status. */
  readonly outage: Outage | null;
  /** The version of its package; null without one. */
  readonly version: string | null;
  /** Whether the catalog has another version, or an Owner changed the entry. */
  readonly updateAvailable: boolean;
  /** What the last verification found; null before the first one. */
  readonly lastVerification: LastVerification | null;
  /** What its program runs in; null for a remote server, or if the host lacks it. */
  readonly sandbox: string | null;
  /** The variables that the server reads, never with a value. */
  readonly env: ReadonlyArray<{
    /** The variable's name. */
    readonly name: string;
    /** Whether the variable has a value. */
    readonly isSet: boolean;
  }>;
  /** Whether a tool or the instructions changed or are new since the last acceptance, and are withheld until they are accepted. */
  readonly toolsChanged: boolean;
  /** SHA-256, in hex, of the names and digests of the tools that the server listed last, and of its instructions; null before its first list. `verify?accept=` takes it. */
  readonly toolsDigest: string | null;
  /** What the server tells models about its tools; null if it tells nothing. */
  readonly instructions: Instructions | null;
  /** An estimate of what the server's accepted tools cost an agent's model. */
  readonly tokens: number;
  /** The largest result of a call, in bytes. In place of a larger one, the call has a result with `isError` that has the size. */
  readonly maxResultBytes: number;
  /** How long an unused connection stays open, in seconds; 0: without end. */
  readonly idleSeconds: number;
  /** When the server was installed. */
  readonly createdAt: string;
  /** When the server changed last. */
  readonly updatedAt: string;
}

/** What a server tells models about its tools, and how it stands to what was accepted. */
export interface Instructions {
  /** `accepted`: agents read them. `changed`: agents read the accepted ones. `new`: agents read none until they are accepted. `gone`: the server has none any more, and agents read none. */
  readonly state: "accepted" | "changed" | "new" | "gone";
  /** SHA-256, in hex, of `current`, or of `accepted` if they are gone: what an acceptance names. */
  readonly digest: string;
  /** The instructions that were accepted; null for none. */
  readonly accepted: string | null;
  /** The instructions of the last connection; null if the server has none. */
  readonly current: string | null;
}

/** A unit of work that an agent executes. */
export interface Issue {
  /** The issue's id, created by the service. */
  readonly id: string;
  /** The project's id, chosen by the host. */
  readonly projectId: string;
  /** 1 to 256 UTF-16 units, trimmed. */
  readonly title: string;
  /** At most 65,536 UTF-16 units. */
  readonly description: string | null;
  /** `Open`: ready to be picked up. `InProgress`: an agent works on it. `WaitingOnDependency`: an open issue blocks it. `PendingReview`: handed in for review. `Resolved` and `Closed`: done; both free its dependents. */
  readonly status:
    | "Open"
    | "InProgress"
    | "WaitingOnDependency"
    | "PendingReview"
    | "Resolved"
    | "Closed";
  /** Heartbeats pick up urgent issues first. */
  readonly priority: "urgent" | "high" | "normal" | "low";
  /** The agent that works on the issue; null for none, and then no heartbeat picks it up. */
  readonly assignedAgentId: string | null;
  /** The person who is responsible for the issue; null for none. */
  readonly assigneeUserId: string | null;
  /** A goal of the host that the issue serves; null for none. */
  readonly goalId: string | null;
  /** True after a pause, a run that finished as `failed`, or too many attempts: no heartbeat picks the issue up until a person resumes it. */
  readonly paused: boolean;
  /** Why the issue is paused; null if it is not. `person`: a user or an agent paused it. `failed`: a run finished as `failed`. `tooManyAttempts`: runs died or failed as often as the service allows. `questionExpired`: a question was not answered in time. `unknown`: it was paused before reasons were stored. */
  readonly pausedBecause:
    | "person"
    | "failed"
    | "tooManyAttempts"
    | "questionExpired"
    | "unknown"
    | null;
  /** Runs that died or failed since the issue was handed in or resumed, or a person set its status or agent. */
  readonly attempts: number;
  /** No heartbeat picks the issue up before this time; null for no such time. */
  readonly notBefore: string | null;
  /** Up to 32 labels, sorted. */
  readonly labels: ReadonlyArray<string>;
  /** Texts of the host by key. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The issue's id in another system, unique in the project; null for none. */
  readonly externalRef: string | null;
  /** The first 100 links, oldest first, as seen from this issue. */
  readonly links: ReadonlyArray<IssueLink>;
  /** 1 at creation, and 1 more with every change of the issue's own fields. `ETag` and `If-Match` carry it. */
  readonly version: number;
  /** Who created the issue. */
  readonly createdBy: Actor;
  /** When the issue was created. */
  readonly createdAt: string;
  /** When the issue's own fields changed last. */
  readonly updatedAt: string;
  /** When the issue was first `InProgress`; null if it never was. */
  readonly startedAt: string | null;
  /** When the issue was resolved; null if it is not resolved, or was reopened. */
  readonly resolvedAt: string | null;
  /** When the issue was closed; null if it is not closed. */
  readonly closedAt: string | null;
}

/** The body that creates an issue. */
export interface IssueCreate {
  /** 1 to 256 UTF-16 units after trimming. */
  readonly title: string;
  /** What to do. At most 65,536 UTF-16 units. Default: null. */
  readonly description?: string | null | undefined;
  /** Default: `normal`. */
  readonly priority?: "urgent" | "high" | "normal" | "low" | null | undefined;
  /** The agent that is to work on the issue; an unknown agent is registered, or refused where the host accepts registered agents only. Default: null, and then no heartbeat picks the issue up. */
  readonly assignedAgentId?: string | null | undefined;
  /** The person who is responsible for the issue. Default: null. */
  readonly assigneeUserId?: string | null | undefined;
  /** A goal of the host that the issue serves. Default: null. */
  readonly goalId?: string | null | undefined;
  /** An issue that blocks the new one, which then waits for it. Default: null. */
  readonly blockedByIssueId?: string | null | undefined;
  /** No agent picks the issue up before this time. ISO 8601 with `Z` or an offset. Default: null. */
  readonly notBefore?: string | null | undefined;
  /** Up to 32 labels of 1 to 64 UTF-16 units after trimming. Default: none. */
  readonly labels?: ReadonlyArray<string> | null | undefined;
  /** Texts by up to 50 keys of 1 to 64 UTF-16 units; keys and values have at most 4 KiB. Default: none. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** The issue's id in another system, 1 to 256 UTF-16 units, which no other issue of the project has. Default: null. */
  readonly externalRef?: string | null | undefined;
}

/** Issues with what they wait for and what waits for them. */
export interface IssueGraph {
  /** Up to 500 issues: first where the graph starts, then with growing distance. */
  readonly nodes: ReadonlyArray<BriefIssue>;
  /** Every `Blocks` link between two of the nodes, oldest first. */
  readonly edges: ReadonlyArray<{
    /** The issue that blocks. */
    readonly from: string;
    /** The issue that is blocked. */
    readonly to: string;
  }>;
  /** Whether there are more issues, beyond `depth` or the limit of nodes. */
  readonly truncated: boolean;
}

/** A link between two issues, as seen from one of them. */
export interface IssueLink {
  /** The link's id. */
  readonly id: string;
  /** The issue that the link is seen from. */
  readonly issueId: string;
  /** The issue at the other end. */
  readonly targetIssueId: string;
  /** `Blocks`: this issue blocks the other. `BlockedBy`: the other issue blocks this one. `RelatedTo` and `DuplicateOf` have no effect. */
  readonly linkType: "Blocks" | "BlockedBy" | "RelatedTo" | "DuplicateOf";
  /** `outgoing` if this issue is the source of the link, `incoming` if it is the target. */
  readonly direction: "outgoing" | "incoming";
  /** Who created the link. */
  readonly createdBy: Actor;
  /** When the link was created. */
  readonly createdAt: string;
}

/** The body that changes an issue. An omitted field is left alone. */
export interface IssueUpdate {
  /** 1 to 256 UTF-16 units after trimming. Null is ignored. */
  readonly title?: string | null | undefined;
  /** At most 65,536 UTF-16 units. Null clears it. */
  readonly description?: string | null | undefined;
  /** The new status, which also ends a pause; from a person, it sets `attempts` to 0 and clears `notBefore`. Open blockers forbid every status except `WaitingOnDependency`, `Resolved` and `Closed`; open dependents forbid `Closed`. Null is ignored. */
  readonly status?:
    | "Open"
    | "InProgress"
    | "WaitingOnDependency"
    | "PendingReview"
    | "Resolved"
    | "Closed"
    | null
    | undefined;
  /** Null is ignored. */
  readonly priority?: "urgent" | "high" | "normal" | "low" | null | undefined;
  /** The agent that is to work on the issue. Another agent, or null, stops the current run at its next turn. An unknown agent is registered, or refused where the host accepts registered agents only. */
  readonly assignedAgentId?: string | null | undefined;
  /** The person who is responsible for the issue. Null clears it. */
  readonly assigneeUserId?: string | null | undefined;
  /** A goal of the host that the issue serves. Null clears it. */
  readonly goalId?: string | null | undefined;
  /** No agent picks the issue up before this time. ISO 8601 with `Z` or an offset. Null clears it. */
  readonly notBefore?: string | null | undefined;
  /** Up to 32 labels of 1 to 64 UTF-16 units after trimming. Replaces all labels; null removes them. */
  readonly labels?: ReadonlyArray<string> | null | undefined;
  /** Texts by up to 50 keys of 1 to 64 UTF-16 units; keys and values have at most 4 KiB. Replaces all of it; null removes it. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** The issue's id in another system, 1 to 256 UTF-16 units, which no other issue of the project has. Null clears it. */
  readonly externalRef?: string | null | undefined;
}

/** What the last verification found, and when. */
export interface LastVerification {
  /** `ok` if the server started and listed its tools, otherwise `error`. */
  readonly status: "ok" | "error";
  /** The response time in milliseconds and the number of tools, or the reason of the failure. */
  readonly details: string;
  /** Names of the tools, in the server's order; missing after a failure. */
  readonly capabilities?: ReadonlyArray<string> | undefined;
  /** An estimate of what these tools cost a model; null after a failure. */
  readonly tokens: number | null;
  /** When the verification finished. */
  readonly verifiedAt: string;
}

/** The body that links two issues. */
export interface LinkCreate {
  /** The issue at the other end. */
  readonly targetIssueId: string;
  /** `Blocks`: this issue blocks the other. `BlockedBy`: the other issue blocks this one, which then waits. `RelatedTo` and `DuplicateOf` have no effect. */
  readonly linkType: "Blocks" | "BlockedBy" | "RelatedTo" | "DuplicateOf";
}

/** A login session of a browser. */
export interface LoginSession {
  /** The session's id. It does not start a session. */
  readonly id: string;
  /** The key that started the session. */
  readonly keyId: string;
  /** The signed-in user. */
  readonly principal: Principal;
  /** When the session was started. */
  readonly createdAt: string;
  /** When the session expires without further use: 12 hours after its last use. */
  readonly expiresAt: string;
  /** Whether it is the session of this request. */
  readonly current: boolean;
}

/** Since when and why a server is in `error`, and when it is tried again. */
export interface Outage {
  /** When it failed first. It has not worked since then. */
  readonly since: string;
  /** Why it failed last. */
  readonly reason: string;
  /** How often the service tried it again automatically since then. */
  readonly attempts: number;
  /** When the service tries it again automatically; null for a server that was not enabled: verify or enable it. */
  readonly retryAt: string | null;
}

/** Issues and what they wait for. */
export interface Plan {
  /** Up to 500 issues. */
  readonly issues: ReadonlyArray<PlannedIssue>;
}

/** An issue of a plan. */
export interface PlannedIssue {
  /** The issue's name in the plan, unique: 1 to 64 UTF-16 units, not starting with `iss_`. */
  readonly ref: string;
  /** 1 to 256 UTF-16 units after trimming. */
  readonly title: string;
  /** What to do. At most 65,536 UTF-16 units. Default: null. */
  readonly description?: string | null | undefined;
  /** Default: `normal`. */
  readonly priority?: "urgent" | "high" | "normal" | "low" | null | undefined;
  /** The agent that is to work on the issue; an unknown agent is registered, or refused where the host accepts registered agents only. Default: null, and then no heartbeat picks the issue up. */
  readonly assignedAgentId?: string | null | undefined;
  /** The person who is responsible for the issue. Default: null. */
  readonly assigneeUserId?: string | null | undefined;
  /** A goal of the host that the issue serves. Default: null. */
  readonly goalId?: string | null | undefined;
  /** One more entry of `blockedBy`. Default: null. */
  readonly blockedByIssueId?: string | null | undefined;
  /** No agent picks the issue up before this time. ISO 8601 with `Z` or an offset. Default: null. */
  readonly notBefore?: string | null | undefined;
  /** Up to 32 labels of 1 to 64 UTF-16 units after trimming. Default: none. */
  readonly labels?: ReadonlyArray<string> | null | undefined;
  /** Texts by up to 50 keys of 1 to 64 UTF-16 units; keys and values have at most 4 KiB. Default: none. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** The issue's id in another system, 1 to 256 UTF-16 units, which no other issue of the project has. Default: null. */
  readonly externalRef?: string | null | undefined;
  /** What the issue waits for: names of issues of the plan, and ids of issues (`iss_...`). Default: none. */
  readonly blockedBy?: ReadonlyArray<string> | null | undefined;
}

/** Who makes a call. */
export interface Principal {
  /** `User` for a person, `Agent` for an agent, `System` for the service itself. */
  readonly type: "User" | "Agent" | "System";
  /** The user's, agent's or key's id. */
  readonly id: string;
  /** `Metrics` reads the metrics and nothing else; `Viewer` reads; `Editor` also changes issues and runs agents; `Admin` also manages agents, keys and MCP servers; `Owner` also manages Owner keys. */
  readonly role: "Metrics" | "Viewer" | "Editor" | "Admin" | "Owner";
  /** The projects that the principal may see; null for all. */
  readonly projects: ReadonlyArray<string> | null;
  /** The agent that the principal acts as; null for none. */
  readonly agentId: string | null;
  /** The user that the principal acts as; null for none. */
  readonly userId: string | null;
}

/** A project of the host. */
export interface Project {
  /** The project's id, chosen by the host. */
  readonly id: string;
  /** While true, no heartbeat claims an issue of the project. */
  readonly paused: boolean;
  /** How agents hand in. `resolve`: agents resolve their own work, and people end reviews. `review`: as `resolve`, but what an agent resolves becomes a review. `approve`: agents end reviews too. */
  readonly agentsMay: "resolve" | "review" | "approve";
}

/** A project and the state of its issues. */
export interface ProjectSummary {
  /** The project's id, chosen by the host. */
  readonly id: string;
  /** The project's issues by status. */
  readonly counts: StatusCounts;
  /** While true, no heartbeat claims an issue of the project. */
  readonly paused: boolean;
  /** How agents hand in. `resolve`: agents resolve their own work, and people end reviews. `review`: as `resolve`, but what an agent resolves becomes a review. `approve`: agents end reviews too. */
  readonly agentsMay: "resolve" | "review" | "approve";
  /** The time of the project's newest retained event, or of the last change of an issue's own fields if that is later; null without both. */
  readonly lastActivityAt: string | null;
}

/** The body that changes a project. */
export interface ProjectUpdate {
  /** True stops the live runs of the project's issues at their next turn and claims none of its issues; false ends the pause. Omitted or null: left alone. */
  readonly paused?: boolean | null | undefined;
  /** How agents hand in: `resolve` (the default of a project), `review` or `approve`. Omitted or null: left alone. */
  readonly agentsMay?: "resolve" | "review" | "approve" | null | undefined;
}

/** A question on an issue to a person. */
export interface Question {
  /** The question's id. */
  readonly id: string;
  /** The issue that the question is about. */
  readonly issueId: string;
  /** The run that held the issue when its agent asked; null if the caller had no live run. */
  readonly runId: string | null;
  /** Who asked. */
  readonly askedBy: Actor;
  /** `text`: any text is an answer. `choice`: the answer is one of `options`. `confirm`: the answer is `yes` or `no`. */
  readonly kind: "text" | "choice" | "confirm";
  /** The question, 1 to 8,192 UTF-16 units. */
  readonly prompt: string;
  /** The answers to choose from; null unless the kind is `choice`. */
  readonly options: ReadonlyArray<string> | null;
  /** Whether the issue waits for the answer: while the question is open, no agent picks the issue up. */
  readonly blocking: boolean;
  /** `open`: waits for an answer. `answered`: has one. `expired`: no answer came in time. `withdrawn`: no answer is needed any longer. */
  readonly status: "open" | "answered" | "expired" | "withdrawn";
  /** The answer, 1 to 32,768 UTF-16 units; null unless the status is `answered`. */
  readonly answer: string | null;
  /** Who answered; null unless the status is `answered`. */
  readonly answeredBy: Actor | null;
  /** When the question was asked. */
  readonly createdAt: string;
  /** When the question expires without an answer; null for never. */
  readonly expiresAt: string | null;
  /** When the question was answered; null unless the status is `answered`. */
  readonly answeredAt: string | null;
}

/** The body that answers a question. */
export interface QuestionAnswer {
  /** 1 to 32,768 UTF-16 units. For a `choice` one of its options, for a `confirm` `yes` or `no`. */
  readonly answer: string;
}

/** The body that asks a question. */
export interface QuestionCreate {
  /** The question, 1 to 8,192 UTF-16 units. */
  readonly prompt: string;
  /** `text`: any text is an answer. `choice`: the answer is one of `options`. `confirm`: the answer is `yes` or `no`. Default: `text`. */
  readonly kind?: "text" | "choice" | "confirm" | null | undefined;
  /** With the kind `choice`, and only then: 2 to 10 different answers of 1 to 200 UTF-16 units. */
  readonly options?: ReadonlyArray<string> | null | undefined;
  /** Whether the issue waits for the answer: while the question is open, no agent picks the issue up. Default: true. */
  readonly blocking?: boolean | null | undefined;
  /** Seconds until the question expires, 60 to 2,592,000. Default: it never does. */
  readonly expiresInSeconds?: number | null | undefined;
  /** What follows if no answer comes in time. `continue`: the issue can be picked up again. `pause`: the issue is paused, and its run has to stop. Default: `continue`. */
  readonly onExpiry?: "continue" | "pause" | null | undefined;
  /** The caller's name for the question, 1 to 64 UTF-16 units. While a question of the issue with this key is open, the same request returns it instead of asking again. Default: null. */
  readonly key?: string | null | undefined;
}

/** Whether an issue is ready to be picked up, and why not. */
export interface Readiness {
  /** Whether the assigned agent's next heartbeat would pick the issue up. */
  readonly ready: boolean;
  /** Every reason why the issue is not, or may not be, picked up. */
  readonly reasons: ReadonlyArray<{
    /** `notOpen`: the status is neither `Open` nor `InProgress`. `paused`: a person has to resume it. `tooManyAttempts`: it is paused because its runs died or failed too often. `notBefore`: it is deferred to a later time. `blocked`: a blocker is open. `awaitingAnswer`: a blocking question is open. `agentPaused`: its agent is paused. `projectPaused`: its project is paused. `unassigned`: it has no agent. `running`: a run holds it. `leaseExpired`: the last run died, which leaves `ready` true. `agentSilent`: the agent has sent no heartbeat for 10 minutes, which leaves `ready` true. */
    readonly code:
      | "notOpen"
      | "paused"
      | "tooManyAttempts"
      | "notBefore"
      | "blocked"
      | "agentPaused"
      | "projectPaused"
      | "awaitingAnswer"
      | "unassigned"
      | "running"
      | "leaseExpired"
      | "agentSilent";
    /** One sentence for people. */
    readonly detail: string;
    /** `blocked`: `blockers`, the open blockers, and `roots`, the open ends of the chain, each up to 20 visible issues with `id`, `title`, `status` and `assignedAgentId`. `running` and `leaseExpired`: `run` with `runId`, `agentId`, `startedAt` and `leaseExpiresAt`. `notBefore`: `notBefore`. `tooManyAttempts`: `attempts`. `awaitingAnswer`: `questionIds`. `agentSilent`: `lastHeartbeatAt`, null without any heartbeat. Otherwise null. */
    readonly data: Readonly<Record<string, unknown>> | null;
  }>;
}

/** One agent's execution of one issue, from pick-up to finish. */
export interface Run {
  /** The run's id, which also fences the issue: only this run can hand it in. */
  readonly id: string;
  /** The agent that executes the run. */
  readonly agentId: string;
  /** The issue that the run executes. */
  readonly issueId: string;
  /** `active`: holds the issue. `stopping`: holds the issue, and stops at its next turn. `ended`: holds nothing, because it finished, stopped, or its lease expired. */
  readonly status: "active" | "stopping" | "ended";
  /** How the agent handed the issue in; null if it did not. */
  readonly outcome: "resolved" | "review" | "released" | "failed" | null;
  /** 1, and 1 more for each run of the issue that died or failed before. */
  readonly attempt: number;
  /** Why the run had, or has, to stop; null while it may continue. */
  readonly stopReason:
    | "paused"
    | "blocked"
    | "reassigned"
    | "resolved"
    | "closed"
    | "deleted"
    | "statusChanged"
    | "agentPaused"
    | "projectPaused"
    | "leaseExpired"
    | "unknown"
    | null;
  /** When the agent picked the issue up. */
  readonly startedAt: string;
  /** When the lease expires unless a heartbeat or turn renews it. Then another run may start. */
  readonly leaseExpiresAt: string;
  /** When the run ended; null while it has not. */
  readonly endedAt: string | null;
}

/** What a program may reach in addition to its package and its own folder. */
export interface Sandbox {
  /** Whether the program may use the network. */
  readonly network?: boolean | undefined;
  /** Files and folders that the program may read. `${NAME}` is replaced by the value of that variable; a path whose variable has no value is left out. */
  readonly read?: ReadonlyArray<string> | undefined;
  /** Files and folders that the program may read and write, in the same form. */
  readonly write?: ReadonlyArray<string> | undefined;
  /** Whether a JavaScript program may start worker threads. */
  readonly workers?: boolean | undefined;
  /** Whether the program starts other programs. */
  readonly childProcesses?: boolean | undefined;
}

/** Whether the host has a sandbox. */
export interface SandboxReport {
  /** Whether a program can be started in the sandbox. */
  readonly detected: boolean;
  /** Its version. */
  readonly version?: string | undefined;
  /** Why no program can be started in it. */
  readonly reason?: string | undefined;
}

/** The body that installs a server. */
export interface ServerInstall {
  /** The catalog entry to install. */
  readonly catalogId: string;
  /** Values by variable name, each up to 65,536 characters without line ends. Null leaves a variable without a value. */
  readonly envValues?: Readonly<Record<string, string | null>> | null | undefined;
  /** 1 to 32 characters of `a-z 0-9 -`. Default: the entry's id, with a number if that is taken. */
  readonly name?: string | null | undefined;
  /** The largest result of a call, 1 to 33,554,432 bytes. In place of a larger one, the call has a result with `isError` that has the size. Null: 4,194,304, the default. */
  readonly maxResultBytes?: number | null | undefined;
  /** How long an unused connection stays open, 0 to 31,536,000 seconds; 0: without end. Null: 300, the default. */
  readonly idleSeconds?: number | null | undefined;
}

/** A `server.json` of the official registry of MCP servers, unchanged, for an Owner's key: the first of `packages` (npm or pypi, with the transport `stdio`), else of `remotes`, that can be used becomes a catalog entry. */
export interface ServerJson {
  /** Required, such as `io.github.ada/weather`. */
  readonly name?: string | undefined;
  /** Required: the version of the server. */
  readonly version?: string | undefined;
}

/** Tool calls of an installed server. Durations are at most 10 % off. */
export interface ServerStatistics {
  /** The installed server. */
  readonly serverId: string;
  /** Its name. */
  readonly name: string;
  /** Tool calls that reached the server. */
  readonly calls: number;
  /** Calls of these that failed, timed out, or returned an error. */
  readonly errors: number;
  /** Half of the calls took at most this long, in milliseconds; null without any. */
  readonly p50: number | "Infinity" | "-Infinity" | "NaN" | null;
  /** 95 % of the calls took at most this long, in milliseconds; null without any. */
  readonly p95: number | "Infinity" | "-Infinity" | "NaN" | null;
}

/** A tool of an installed server. */
export interface ServerTool {
  /** The tool's name at its server. */
  readonly name: string;
  /** `accepted`: agents may call it. `changed` and `new`: withheld until a verification accepts it. `gone`: the server no longer lists it. `invalid`: withheld, because clients could not read its definition. `blocked`: withheld by an Admin, whatever the server lists. */
  readonly state: "accepted" | "changed" | "new" | "gone" | "invalid" | "blocked";
  /** Why the tool is `invalid`; null in other states. */
  readonly reason: string | null;
  /** SHA-256, in hex, of `current`, or of `accepted` if the server no longer lists the tool: what an acceptance names. Null if neither is known. */
  readonly digest: string | null;
  /** An estimate of what the definition costs a model: its characters, divided by 4. */
  readonly tokens: number;
  /** The definition that was accepted; null for none. */
  readonly accepted: ToolDefinition | null;
  /** The definition that the server listed last, repaired; null if the server no longer lists it, or if it is too large. */
  readonly current: ToolDefinition | null;
}

/** The body that changes an installed server. Omitted fields stay as they are. */
export interface ServerUpdate {
  /** Values by variable name, each up to 65,536 characters without line ends. They are merged with the stored ones; null removes an optional value. */
  readonly envValues?: Readonly<Record<string, string | null>> | null | undefined;
  /** 1 to 32 characters of `a-z 0-9 -`. */
  readonly name?: string | null | undefined;
  /** `catalog` moves to the catalog's version, if that verifies. */
  readonly version?: "catalog" | null | undefined;
  /** The largest result of a call, 1 to 33,554,432 bytes. In place of a larger one, the call has a result with `isError` that has the size. Null: 4,194,304, the default. */
  readonly maxResultBytes?: number | null | undefined;
  /** How long an unused connection stays open, 0 to 31,536,000 seconds; 0: without end. Null: 300, the default. */
  readonly idleSeconds?: number | null | undefined;
}

/** The body that starts a session. */
export type SessionCreate =
  | {
      /** An API key of a user, 1 to 4,096 characters. */
      readonly apiKey: string;
    }
  | {
      /** The token of the link that `quartermaster serve` prints to a terminal, 1 to 4,096 characters. */
      readonly signInToken: string;
    };

/** A new session, with its secret. */
export interface SessionCreated {
  /** Who the caller is. */
  readonly principal: Principal;
  /** When the session, token or key expires; null for a key that never does. */
  readonly expiresAt: string | null;
  /** To be sent as `Quartermaster-Session` with every write by cookie. No other response contains it. */
  readonly sessionSecret: string;
}

/** Who the caller is, and until when. */
export interface SessionInfo {
  /** Who the caller is. */
  readonly principal: Principal;
  /** When the session, token or key expires; null for a key that never does. */
  readonly expiresAt: string | null;
}

/** A short-lived bearer token for the session's principal. */
export interface SessionToken {
  /** To be sent as `Authorization: Bearer <token>`. */
  readonly token: string;
  /** 15 minutes after its creation. The token also ends with its session. */
  readonly expiresAt: string;
}

/** What happened, in numbers. */
export interface Statistics {
  /** The window that was asked for. */
  readonly window: "24h" | "7d" | "30d";
  /** The start of the window. */
  readonly from: string;
  /** The end of the window: when the current hour or day ends. */
  readonly to: string;
  /** Everything before this timestamp is counted. Usually at most a few seconds ago; earlier while a server counts a log that it has not counted before. */
  readonly asOf: string;
  /** How long each element of `series` is. */
  readonly bucket: "hour" | "day";
  /** How many issues have each status now. */
  readonly issues: StatusCounts;
  /** Each hour or day of the window, oldest first. */
  readonly series: ReadonlyArray<{
    /** When the hour or day starts. */
    readonly at: string;
    /** Issues that were created. */
    readonly created: number;
    /** Changes of a status to Resolved. */
    readonly resolved: number;
    /** Changes of a status to Closed. */
    readonly closed: number;
    /** Runs that finished as `failed`. */
    readonly failed: number;
    /** Runs whose lease expired. */
    readonly expired: number;
  }>;
  /** How long issues stayed in each status, once they left it. */
  readonly timeInStatus: {
    /** Stays in Open that ended in the window. */
    readonly Open: TimeInStatus;
    /** Stays in InProgress that ended in the window. */
    readonly InProgress: TimeInStatus;
    /** Stays in WaitingOnDependency that ended in the window. */
    readonly WaitingOnDependency: TimeInStatus;
    /** Stays in PendingReview that ended in the window. */
    readonly PendingReview: TimeInStatus;
    /** Stays in Resolved that ended in the window. */
    readonly Resolved: TimeInStatus;
    /** Stays in Closed that ended in the window. */
    readonly Closed: TimeInStatus;
  };
  /** Runs of the window. */
  readonly runs: {
    /** Runs that started in the window. */
    readonly started: number;
    /** Runs that finished as `resolved`. */
    readonly resolved: number;
    /** Runs that finished as `review`. */
    readonly review: number;
    /** Runs that finished as `released`. */
    readonly released: number;
    /** Runs that finished as `failed`. */
    readonly failed: number;
    /** Runs whose lease expired. */
    readonly expired: number;
  };
  /** Agents now, whatever the project. */
  readonly agents: {
    /** Agents with a heartbeat in the last 10 minutes. */
    readonly active: number;
    /** Registered agents without one. */
    readonly silent: number;
  };
  /** Installed servers, oldest first. Null unless the caller is an Admin that is bound to no project and asks without `projectId`. */
  readonly servers: ReadonlyArray<ServerStatistics> | null;
}

/** How many issues have each status. */
export interface StatusCounts {
  /** How many issues are Open. */
  readonly Open: number;
  /** How many issues are InProgress. */
  readonly InProgress: number;
  /** How many issues are WaitingOnDependency. */
  readonly WaitingOnDependency: number;
  /** How many issues are PendingReview. */
  readonly PendingReview: number;
  /** How many issues are Resolved. */
  readonly Resolved: number;
  /** How many issues are Closed. */
  readonly Closed: number;
}

/** How long issues stayed in a status. At most 10 % off. */
export interface TimeInStatus {
  /** Half of the stays were at most this long, in seconds; null without any. */
  readonly median: number | "Infinity" | "-Infinity" | "NaN" | null;
  /** 90 % of the stays were at most this long, in seconds; null without any. */
  readonly p90: number | "Infinity" | "-Infinity" | "NaN" | null;
}

/** The body that accepts tools as they were shown. */
export interface ToolAcceptance {
  /** Up to 10,000 tools. */
  readonly tools: ReadonlyArray<{
    /** The tool's name at its server. */
    readonly name: string;
    /** Its `digest` in the list of the server's tools. */
    readonly digest: string;
  }>;
  /** The `digest` of the installed server's `instructions`, to accept them as well. Default: they stay as they are. */
  readonly instructions?: string | null | undefined;
}

/** The record of a tool call, without its arguments and its result. */
export interface ToolCall {
  /** The record's id. */
  readonly id: string;
  /** The agent that called. */
  readonly agentId: string;
  /** The installed server; null if there was no such tool. */
  readonly serverId: string | null;
  /** The tool's name at its server; the called name if there was no such tool. */
  readonly tool: string;
  /** When the call started. */
  readonly startedAt: string;
  /** In milliseconds. */
  readonly durationMs: number;
  /** `ok`; `error`: the tool or its server reported an error; `cancelled`; or why the call could not be made. */
  readonly outcome:
    | "ok"
    | "error"
    | "cancelled"
    | "unknownTool"
    | "notGranted"
    | "notEnabled"
    | "failing"
    | "withheld"
    | "timeout"
    | "crashed"
    | "agentPaused";
  /** Size of the arguments as JSON. */
  readonly requestBytes: number;
  /** Size of the result as JSON. */
  readonly responseBytes: number;
}

/** The body that calls a tool. */
export interface ToolCallRequest {
  /** The tool's name, as the agent's list has it. */
  readonly name: string;
  /** Arguments by the tool's input schema. Default: none. */
  readonly arguments?: Readonly<Record<string, unknown>> | null | undefined;
  /** The run that the call acts for. Default: the run of `Quartermaster-Run`, or none. */
  readonly runId?: string | undefined;
}

/** The result of a tool call. */
export interface ToolCallResult {
  /** Content blocks, as MCP defines them. */
  readonly content: ReadonlyArray<Readonly<Record<string, unknown>>>;
  /** The result as an object; null for none. */
  readonly structuredContent: Readonly<Record<string, unknown>> | null;
  /** Whether the tool failed. */
  readonly isError: boolean;
}

/** The definition of a tool, with every property that its server listed. */
export type ToolDefinition = Readonly<Record<string, unknown>>;

/** The body that blocks or unblocks tools of a server. */
export interface ToolNames {
  /** Up to 10,000 names of tools at their server, also of tools that it has not listed yet. */
  readonly names: ReadonlyArray<string>;
}

/** The body that blocks or unblocks tools of a server. */
export interface ToolNames_1 {
  /** Up to 10,000 names of tools at their server, also of tools that it has not listed yet. */
  readonly names: ReadonlyArray<string>;
}

/** What an agent has to do after a turn. */
export interface TurnAnswer {
  /** `continue`, or `stop`: leave the issue as it is. The run has ended then. */
  readonly action: "continue" | "stop";
  /** Why the run has to stop; null to continue. */
  readonly reason:
    | "paused"
    | "blocked"
    | "reassigned"
    | "resolved"
    | "closed"
    | "deleted"
    | "statusChanged"
    | "agentPaused"
    | "projectPaused"
    | "leaseExpired"
    | "unknown"
    | null;
  /** Changes exactly when the agent's list of tools changes. */
  readonly toolsRevision: string;
  /** Comments by others since the run's last turn, oldest first. At most 500; the rest follows at the next turn. */
  readonly comments: ReadonlyArray<Comment>;
}

/** What a verification found. */
export interface VerifyResult {
  /** `ok` if the server started and listed its tools, otherwise `error`. */
  readonly status: "ok" | "error";
  /** The response time in milliseconds and the number of tools, or the reason of the failure. */
  readonly details: string;
  /** Names of the tools, in the server's order; missing after a failure. */
  readonly capabilities?: ReadonlyArray<string> | undefined;
  /** An estimate of what these tools cost a model; null after a failure. */
  readonly tokens: number | null;
}
