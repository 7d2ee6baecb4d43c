// Written by `npm run openapi` from the contract in packages/http/src/api.

/** The access of one agent to one server. */
export interface AccessEntry {
  /** The agent's id. */
  readonly agentId: string;
  /** Whether the agent may use the server. */
  readonly granted: boolean;
  /** The server's own names of the tools that the agent may use; null for all tools. */
  readonly tools: ReadonlyArray<string> | null;
  /** Restricts these tools to tools whose accepted definition has `annotations.readOnlyHint: true`. */
  readonly readOnly: boolean;
  /** The largest number of calls within 60 seconds, per node; null for no limit. */
  readonly callsPerMinute: number | null;
  /** The largest number of calls in flight, per node; null for no limit. */
  readonly maxConcurrentCalls: number | null;
  /** Estimated tokens that the definitions of the agent's tools from this server cost its model; 0 without access. */
  readonly tokens: number;
}

/** The body of a request that grants and revokes access to a server. */
export interface AccessUpdate {
  /** Up to 10,000 agents. The access of other agents does not change. */
  readonly entries: ReadonlyArray<{
    /** The agent's id. */
    readonly agentId: string;
    /** Whether the agent may use the server. */
    readonly granted: boolean;
    /** The server's own names of the tools that the agent may use; null for all tools. Omitted: no change. */
    readonly tools?: ReadonlyArray<string> | null | undefined;
    /** Restricts these tools to tools whose accepted definition has `annotations.readOnlyHint: true`. Omitted: no change. */
    readonly readOnly?: boolean | null | undefined;
    /** The largest number of calls within 60 seconds, 1 to 100,000, counted per node; null for no limit. Omitted: no change. */
    readonly callsPerMinute?: number | null | undefined;
    /** The largest number of calls in flight, 1 to 100,000, counted per node; null for no limit. Omitted: no change. */
    readonly maxConcurrentCalls?: number | null | undefined;
  }>;
}

/** One entry of an issue's timeline. */
export interface Activity {
  /** The id of the entry, and of the event that reported it. */
  readonly id: string;
  /** The issue that the timeline belongs to. */
  readonly issueId: string;
  /** The kind of change. */
  readonly kind:
    | "created"
    | "updated"
    | "statusChanged"
    | "commented"
    | "commentEdited"
    | "commentDeleted"
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
    | "questionWithdrawn"
    | "effectSettled"
    | "effectsReset";
  /** The user, agent or service that made the change. */
  readonly actor: Actor;
  /** Details, which depend on the kind, such as `from`, `to` and `cause` of a status change, or `runId` of a run. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The time of the change. */
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
  /** 1 to 128 characters; the id by default. */
  readonly name: string;
  /** The time of the last heartbeat; null before the first one. */
  readonly lastHeartbeatAt: string | null;
  /** While true, the agent gets no issues and cannot call MCP tools. */
  readonly paused: boolean;
  /** `direct`: `tools/list` of `/mcp` lists each granted tool. `search`: it lists three tools that search for, describe and call them. */
  readonly toolMode: "direct" | "search";
  /** Whether the agent calls MCP tools and reads resources only while a run of it is live, and the call acts for that run. */
  readonly callsNeedRun: boolean;
  /** The reason why the agent's runner currently starts no issues; null if it starts them, or sent no heartbeat for two hours. */
  readonly note: string | null;
  /** Runs that have not ended and whose lease has not expired. */
  readonly activeRuns: number;
  /** When the agent was registered. */
  readonly createdAt: string;
}

/** Runs of an agent, and what became of its reviews. `median` is accurate to 10 %. */
export interface AgentNumbers {
  /** The number of runs that started. */
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
  /** The number of its reviews that ended as Resolved. */
  readonly accepted: number;
  /** The number of its reviews after which there is more to do. */
  readonly returned: number;
  /** The median time from the start of a run to its hand-in, in seconds; null without any. */
  readonly median: number | "Infinity" | "-Infinity" | "NaN" | null;
}

/** Statistics of an agent. */
export interface AgentStatistics {
  /** The agent. */
  readonly agentId: string;
  /** The numbers of the window. */
  readonly current: AgentNumbers;
  /** The numbers of the same time before the window. */
  readonly previous: AgentNumbers;
}

/** A tool that an agent may use now. */
export interface AgentTool {
  /** The name for calls: `<server>__<tool>`, at most 64 characters. */
  readonly name: string;
  /** The installed server's name. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** The display name; null if there is none. */
  readonly title: string | null;
  /** A description of the tool; null if the server has none. */
  readonly description: string | null;
  /** JSON Schema of the tool's arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The server's hints about the behavior of the tool, as MCP defines them; null if there are none. */
  readonly annotations: Readonly<Record<string, unknown>> | null;
}

/** The tools that an agent may use now. */
export interface AgentToolList {
  /** Changes exactly when the agent's tools change, whatever the filter. */
  readonly revision: string;
  /** Estimated tokens that the definitions of all tools cost the agent's model, whatever the filter. */
  readonly tokens: number;
  /** The tools of all enabled servers that the agent has access to; with a filter, the matching tools. */
  readonly tools: ReadonlyArray<AgentTool>;
}

/** The body that registers or changes an agent. */
export interface AgentUpdate {
  /** 1 to 128 characters after trimming. Omitted or null: the name does not change. */
  readonly name?: string | null | undefined;
  /** True pauses the agent: its live runs stop at their next turn, and it gets no issues and cannot call MCP tools. False resumes it. Omitted or null: no change. Default for a new agent: false. */
  readonly paused?: boolean | null | undefined;
  /** The way in which `tools/list` of `/mcp` shows the granted tools. Omitted or null: no change. Default for a new agent: `direct`. */
  readonly toolMode?: "direct" | "search" | null | undefined;
  /** Whether calls of MCP tools and resources need a live run. Omitted or null: no change. Default for a new agent: false. */
  readonly callsNeedRun?: boolean | null | undefined;
}

/** An API key, without its secret. */
export interface ApiKey {
  /** The key's id. */
  readonly id: string;
  /** 1 to 128 characters. */
  readonly name: string;
  /** The role of the key: `Metrics` can only read metrics; `Viewer` reads; `Editor` also changes issues and runs agents; `Admin` also manages agents, keys and MCP servers; `Owner` also manages Owner keys. */
  readonly role: "Metrics" | "Viewer" | "Editor" | "Admin" | "Owner";
  /** The projects that the key may see; null for all. */
  readonly projects: ReadonlyArray<string> | null;
  /** The agent that the key acts as; null for none. */
  readonly agentId: string | null;
  /** The user that the key acts as; null for an agent, and for a user with the id of the key. */
  readonly userId: string | null;
  /** When the key was created. */
  readonly createdAt: string;
  /** When the key expires; null if it never does. */
  readonly expiresAt: string | null;
  /** When the key was last used, to the minute; null if it never was. */
  readonly lastUsedAt: string | null;
}

/** The body of a request that creates an API key. */
export interface ApiKeyCreate {
  /** 1 to 128 characters after trimming. */
  readonly name: string;
  /** The role of the key, which cannot be above the role of the caller. An agent key is `Viewer` or `Editor`. A `Metrics` key has no `projects`, `agentId` or `userId`. */
  readonly role: "Metrics" | "Viewer" | "Editor" | "Admin" | "Owner";
  /** The projects that the key may see, 1 to 1,000. Default: null, which means all. */
  readonly projects?: ReadonlyArray<string> | null | undefined;
  /** The agent that the key acts as; not together with `userId`. Default: null. */
  readonly agentId?: string | null | undefined;
  /** The user that the key acts as. Default: null, which means a user with the id of the key. */
  readonly userId?: string | null | undefined;
  /** When the key expires: ISO 8601 with `Z` or an offset. Default: null, which means never. */
  readonly expiresAt?: string | null | undefined;
}

/** A new API key, with its secret. */
export interface ApiKeyCreated {
  /** The key's id. */
  readonly id: string;
  /** 1 to 128 characters. */
  readonly name: string;
  /** The role of the key: `Metrics` can only read metrics; `Viewer` reads; `Editor` also changes issues and runs agents; `Admin` also manages agents, keys and MCP servers; `Owner` also manages Owner keys. */
  readonly role: "Metrics" | "Viewer" | "Editor" | "Admin" | "Owner";
  /** The projects that the key may see; null for all. */
  readonly projects: ReadonlyArray<string> | null;
  /** The agent that the key acts as; null for none. */
  readonly agentId: string | null;
  /** The user that the key acts as; null for an agent, and for a user with the id of the key. */
  readonly userId: string | null;
  /** When the key was created. */
  readonly createdAt: string;
  /** When the key expires; null if it never does. */
  readonly expiresAt: string | null;
  /** When the key was last used, to the minute; null if it never was. */
  readonly lastUsedAt: string | null;
  /** The key, `qm_<keyId>_<secret>`. No other response contains it. */
  readonly key: string;
}

/** The name of an API key. */
export interface ApiKeyName {
  /** The key's id. */
  readonly id: string;
  /** 1 to 128 characters. */
  readonly name: string;
}

/** A file attached to an issue, without its bytes. */
export interface Attachment {
  /** The attachment's id. */
  readonly id: string;
  /** The issue that the file is attached to. */
  readonly issueId: string;
  /** The last path segment of the uploaded name, without control characters. At most 255 characters. */
  readonly fileName: string;
  /** The media type that the upload specified. */
  readonly contentType: string;
  /** The size in bytes. */
  readonly size: number;
  /** The SHA-256 hash of the bytes, in lower-case hex. */
  readonly sha256: string;
  /** The root-relative path of the download. */
  readonly downloadUrl: string;
  /** The user, agent or key that uploaded the file. */
  readonly uploadedBy: Actor;
  /** When the file was uploaded. */
  readonly createdAt: string;
}

/** An entry of the audit log. */
export interface AuditEntry {
  /** The time of the change. */
  readonly at: string;
  /** The user or agent that made the change. */
  readonly actor: Actor;
  /** The API key of the request, or the key of its session; null without a key. */
  readonly keyId: string | null;
  /** The network address of the client; null for a change in process. */
  readonly address: string | null;
  /** The first 200 characters of the client's `User-Agent`; null if it sent none. */
  readonly userAgent: string | null;
  /** The change: the kind of its subject, and a verb. */
  readonly action:
    | "key.created"
    | "key.deleted"
    | "session.created"
    | "session.deleted"
    | "access.granted"
    | "access.revoked"
    | "access.changed"
    | "server.installed"
    | "server.updated"
    | "server.authorized"
    | "server.enabled"
    | "server.disabled"
    | "server.uninstalled"
    | "server.toolsAccepted"
    | "server.toolsBlocked"
    | "server.toolsUnblocked"
    | "catalogEntry.created"
    | "catalogEntry.updated"
    | "catalogEntry.deleted"
    | "agent.updated"
    | "agent.deleted"
    | "project.created"
    | "project.updated"
    | "project.deleted"
    | "webhook.created"
    | "webhook.updated"
    | "webhook.rotated"
    | "webhook.deleted";
  /** The subject of the change. */
  readonly subject: AuditSubject;
  /** The names of what changed, never the values: fields, variables, tools, or for access the agents. */
  readonly changes: ReadonlyArray<string>;
}

/** The subject of an entry of the audit log. */
export interface AuditSubject {
  /** The kind of the subject. */
  readonly type: "key" | "session" | "server" | "catalogEntry" | "agent" | "project" | "webhook";
  /** The id of the subject. */
  readonly id: string;
  /** The name of the subject at that time; null if it had none. */
  readonly name: string | null;
}

/** An issue without its description, links and metadata, and with its live run and the numbers of blockers, blocked issues and questions. */
export interface BriefIssue {
  /** The issue's id, created by the service. */
  readonly id: string;
  /** The issue's short id, such as `SHOP-142`: its project's prefix and its number. Requests take it in any letter case where they take the id. */
  readonly key: string;
  /** The project's id, chosen by the host. */
  readonly projectId: string;
  /** 1 to 256 characters, trimmed. */
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
  /** The agent that works on the issue. While it is null, no heartbeat picks the issue up. */
  readonly assignedAgentId: string | null;
  /** The person who owns or reviews the issue; null if there is none. */
  readonly assigneeUserId: string | null;
  /** The host's goal that the issue serves; null if there is none. */
  readonly goalId: string | null;
  /** True after a pause, after a run that finished as `failed`, and after too many attempts. No heartbeat picks the issue up until a person resumes it. */
  readonly paused: boolean;
  /** The reason for the pause; null if the issue is not paused. `person`: a user or an agent paused it. `failed`: a run finished as `failed`. `tooManyAttempts`: the number of runs that died or failed reached the limit of the service. `questionExpired`: a question was not answered in time. `unknown`: it was paused before reasons were stored. */
  readonly pausedBecause:
    | "person"
    | "failed"
    | "tooManyAttempts"
    | "questionExpired"
    | "unknown"
    | null;
  /** The number of runs that died or failed since the issue was last handed in or resumed, or since a person last set its status or agent. */
  readonly attempts: number;
  /** No heartbeat picks the issue up before this time; null if it can be picked up at any time. */
  readonly notBefore: string | null;
  /** Up to 32 labels, in alphabetical order. */
  readonly labels: ReadonlyArray<string>;
  /** The issue's id in another system, unique in the project; null if it has none. */
  readonly externalRef: string | null;
  /** 1 at creation; every change of the issue's own fields adds 1. `ETag` and `If-Match` carry it. */
  readonly version: number;
  /** The user, agent or key that created the issue. */
  readonly createdBy: Actor;
  /** When the issue was created. */
  readonly createdAt: string;
  /** When the issue's own fields last changed. */
  readonly updatedAt: string;
  /** When the issue first became `InProgress`; null if it never did. */
  readonly startedAt: string | null;
  /** When the issue was resolved; null if it is not resolved, or was reopened. */
  readonly resolvedAt: string | null;
  /** When the issue was closed; null if it is not closed. */
  readonly closedAt: string | null;
  /** The number of open issues that block this one, without issues that the caller may not see. */
  readonly blockedByCount: number;
  /** The number of open issues that this one blocks, without issues that the caller may not see. */
  readonly blocksCount: number;
  /** The number of open questions. */
  readonly openQuestions: number;
  /** The run that holds the issue; null if there is none. */
  readonly liveRun: {
    /** The run's id. */
    readonly runId: string;
    /** The agent that executes the run. */
    readonly agentId: string;
    /** When the lease expires unless it is renewed. */
    readonly leaseExpiresAt: string;
  } | null;
  /** With `q`: the fields with a word. */
  readonly matchedIn?:
    | ReadonlyArray<"key" | "title" | "labels" | "description" | "files" | "comments">
    | undefined;
  /** With `q`: text around the first match. Matches are between U+0002 and U+0003. */
  readonly snippet?: string | null | undefined;
}

/** The body of a request that makes the same change to many issues. */
export interface Bulk {
  /** 1 to 200 issues, changed in this order. */
  readonly items: ReadonlyArray<{
    /** The issue. */
    readonly issueId: string;
    /** The version that the issue must have, as `If-Match`. Default: any. */
    readonly version?: number | null | undefined;
  }>;
  readonly change: BulkChange;
  /** With the action `close`: closes issues although open dependents wait for them. Default: false. */
  readonly force?: boolean | null | undefined;
  /** With the action `delete`: must be true, since a deletion is permanent. */
  readonly confirm?: boolean | null | undefined;
}

/** The change of each issue: the body of an update, an action, or the end of a review. */
export interface BulkChange {
  /** 1 to 256 characters after trimming. Null is ignored. */
  readonly title?: string | null | undefined;
  /** At most 65,536 characters. Null clears it. */
  readonly description?: string | null | undefined;
  /** The new status. It also ends a pause, and if a person sets it, it resets `attempts` to 0 and clears `notBefore`. Open blockers forbid every status except `WaitingOnDependency`, `Resolved` and `Closed`; open dependents forbid `Closed`. Null is ignored. */
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
  /** The agent that executes the issue. A change to another agent or null stops the current run at its next turn. An unknown agent is registered, or rejected if the host accepts only registered agents. */
  readonly assignedAgentId?: string | null | undefined;
  /** The person who owns or reviews the issue. Null clears it. */
  readonly assigneeUserId?: string | null | undefined;
  /** The host's goal that the issue serves. Null clears it. */
  readonly goalId?: string | null | undefined;
  /** No agent picks the issue up before this time. ISO 8601 with `Z` or an offset. Null clears it. */
  readonly notBefore?: string | null | undefined;
  /** Up to 32 labels of 1 to 64 characters after trimming. Replaces all labels; null removes them. */
  readonly labels?: ReadonlyArray<string> | null | undefined;
  /** Up to 50 keys of 1 to 64 characters, each with a text; at most 4 KiB for all keys and values together. Replaces all of it; null removes it. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** The issue's id in another system, 1 to 256 characters, which no other issue of the project has. Null clears it. */
  readonly externalRef?: string | null | undefined;
  /** Another project, to which the issue moves: it gets a key of that project, and its earlier keys keep working. No run may hold it. Agents cannot move issues. Null is ignored. */
  readonly projectId?: string | null | undefined;
  /** The action on each issue. It excludes every other field. */
  readonly action?: "pause" | "resume" | "close" | "delete" | null | undefined;
  /** The end of a review: `approve` resolves each issue, `changes` opens it again. It excludes every other field. */
  readonly review?: "approve" | "changes" | null | undefined;
}

/** The outcome of one issue. */
export interface BulkResult {
  /** The issue's id; the text of the request if it names no issue. */
  readonly issueId: string;
  /** The key with which the request named the issue, as it was sent. Absent if it sent the id. */
  readonly issueKey?: string | undefined;
  /** The HTTP status of a request that changes only this issue. */
  readonly status: number;
  /** The problem document of that request, with the members of its type. Absent if the change was made. */
  readonly problem?:
    | {
        /** The URN of the problem. */
        readonly type: string;
        /** The name of the problem. */
        readonly title: string;
        /** The HTTP status. */
        readonly status: number;
        /** The cause, and the next step. */
        readonly detail: string;
      }
    | undefined;
}

/** A server in the catalog, which can be installed. */
export interface CatalogEntry {
  /** 1 to 32 characters of `a-z 0-9 -`. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  /** The purpose of the server. */
  readonly description: string;
  /** The kind of service that the server gives access to. */
  readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
  /** `stdio` for a program on the host, `http` (Streamable HTTP) or `sse` for a remote server. */
  readonly transport: "stdio" | "http" | "sse";
  /** The runtime that the program needs; `none` for a remote server or a local program. */
  readonly runtime: "node" | "python" | "pipx" | "none";
  /** Whether the entry was vetted: its server is published by the vendor of the service or by the maintainers of MCP. */
  readonly verified?: boolean | undefined;
  /** The source of the entry: `builtin`, a `file` of the host, or `own` for an entry that an Owner created. The service sets it. */
  readonly source?: "builtin" | "file" | "own" | undefined;
  /** Steps for a person to take before the installation. */
  readonly installInstructions: string;
  /** The server's website; null if it has none. */
  readonly homepage?: string | null | undefined;
  /** The program to run, or the remote server to connect to. */
  readonly manifest:
    | {
        /** The package that contains the program; null for a program that is already on the host. */
        readonly package?: string | null | undefined;
        /** The exact version of the package; null if there is no package. */
        readonly version?: string | null | undefined;
        /** The `sha512-...` that the registry publishes for the package; null if it is not checked. */
        readonly integrity?: string | null | undefined;
        /** A date or a timestamp: dependencies are resolved as of then, by npm and by pip 26 or newer. Null: as of the preparation; for an entry that an Owner creates, as of its creation. */
        readonly lockedAt?: string | null | undefined;
        /** The program of the package, or a local program. */
        readonly command: string;
        /** The program's arguments. `${NAME}` is replaced by the value of that variable. */
        readonly args?: ReadonlyArray<string> | undefined;
        /** Fixed variables. `${HOME}` is the server's own home folder. */
        readonly env?: Readonly<Record<string, string>> | undefined;
        /** `shared`: one process for all agents. `agent`: one process per agent, for servers that hold state of an agent. */
        readonly isolation?: "shared" | "agent" | undefined;
        /** Whether the process holds state that all agents share: with isolation `shared`, one node runs it for all nodes. */
        readonly state?: boolean | undefined;
        /** The files and permissions of the program, in addition to its package and its own folder. Null: only the network, except that a local program runs without a sandbox under the sandbox setting `auto`. */
        readonly sandbox?: Sandbox | null | undefined;
      }
    | {
        /** The server's http or https URL. `${NAME}` is replaced by the value of that variable. */
        readonly url: string;
        /** The headers of every request. `${NAME}` is replaced by the value of that variable. */
        readonly headers?: Readonly<Record<string, string>> | undefined;
      };
  /** The variables that the server reads. */
  readonly envVars?: ReadonlyArray<EnvVar> | undefined;
}

/** An entry of the catalog, without its manifest. */
export interface CatalogEntrySummary {
  /** 1 to 32 characters of `a-z 0-9 -`. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  /** The purpose of the server. */
  readonly description: string;
  /** The kind of service that the server gives access to. */
  readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
  /** `stdio` for a program on the host, `http` (Streamable HTTP) or `sse` for a remote server. */
  readonly transport: "stdio" | "http" | "sse";
  /** The runtime that the program needs; `none` for a remote server or a local program. */
  readonly runtime: "node" | "python" | "pipx" | "none";
  /** Whether the entry was vetted: its server is published by the vendor of the service or by the maintainers of MCP. */
  readonly verified?: boolean | undefined;
  /** The source of the entry: `builtin`, a `file` of the host, or `own` for an entry that an Owner created. The service sets it. */
  readonly source?: "builtin" | "file" | "own" | undefined;
  /** Steps for a person to take before the installation. */
  readonly installInstructions: string;
}

/** The issue after a change, and how it was handed in instead. */
export interface ChangedIssue {
  /** The issue's id, created by the service. */
  readonly id: string;
  /** The issue's short id, such as `SHOP-142`: its project's prefix and its number. Requests take it in any letter case where they take the id. */
  readonly key: string;
  /** The project's id, chosen by the host. */
  readonly projectId: string;
  /** 1 to 256 characters, trimmed. */
  readonly title: string;
  /** At most 65,536 characters. */
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
  /** The agent that works on the issue. While it is null, no heartbeat picks the issue up. */
  readonly assignedAgentId: string | null;
  /** The person who owns or reviews the issue; null if there is none. */
  readonly assigneeUserId: string | null;
  /** The host's goal that the issue serves; null if there is none. */
  readonly goalId: string | null;
  /** True after a pause, after a run that finished as `failed`, and after too many attempts. No heartbeat picks the issue up until a person resumes it. */
  readonly paused: boolean;
  /** The reason for the pause; null if the issue is not paused. `person`: a user or an agent paused it. `failed`: a run finished as `failed`. `tooManyAttempts`: the number of runs that died or failed reached the limit of the service. `questionExpired`: a question was not answered in time. `unknown`: it was paused before reasons were stored. */
  readonly pausedBecause:
    | "person"
    | "failed"
    | "tooManyAttempts"
    | "questionExpired"
    | "unknown"
    | null;
  /** The number of runs that died or failed since the issue was last handed in or resumed, or since a person last set its status or agent. */
  readonly attempts: number;
  /** No heartbeat picks the issue up before this time; null if it can be picked up at any time. */
  readonly notBefore: string | null;
  /** Up to 32 labels, in alphabetical order. */
  readonly labels: ReadonlyArray<string>;
  /** The host's own values, by key. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The issue's id in another system, unique in the project; null if it has none. */
  readonly externalRef: string | null;
  /** The first 100 links, oldest first, as seen from this issue. */
  readonly links: ReadonlyArray<IssueLink>;
  /** 1 at creation; every change of the issue's own fields adds 1. `ETag` and `If-Match` carry it. */
  readonly version: number;
  /** The user, agent or key that created the issue. */
  readonly createdBy: Actor;
  /** When the issue was created. */
  readonly createdAt: string;
  /** When the issue's own fields last changed. */
  readonly updatedAt: string;
  /** When the issue first became `InProgress`; null if it never did. */
  readonly startedAt: string | null;
  /** When the issue was resolved; null if it is not resolved, or was reopened. */
  readonly resolvedAt: string | null;
  /** When the issue was closed; null if it is not closed. */
  readonly closedAt: string | null;
  /** `review`: the agent resolved the issue, and its project lets agents only hand in for review. `released`: a blocking question of the run is open, so its work is not done. Absent otherwise. */
  readonly handedInAs?: "review" | "released" | undefined;
  /** The open questions that made the hand-in a release. Absent otherwise. */
  readonly questionIds?: ReadonlyArray<string> | undefined;
}

/** The part of a client's configuration that names its MCP servers. */
export interface ClientConfiguration {
  /** Servers by name, as Claude Desktop and Cursor write them. */
  readonly mcpServers?: Readonly<Record<string, unknown>> | null | undefined;
  /** Servers by name, as VS Code writes them. */
  readonly servers?: Readonly<Record<string, unknown>> | null | undefined;
  /** The text of Codex's `config.toml`, up to 64 Ki characters, Only `mcp_servers` is read. Exactly one of `mcpServers`, `servers` and `toml`. */
  readonly toml?: string | null | undefined;
  /** The inputs that VS Code asks its user for. Ignored. */
  readonly inputs?: ReadonlyArray<unknown> | null | undefined;
}

/** A comment on an issue. */
export interface Comment {
  /** The comment's id. */
  readonly id: string;
  /** The issue that the comment is on. */
  readonly issueId: string;
  /** 1 to 65,536 characters; empty if the comment was deleted. */
  readonly content: string;
  /** `User` for a person, `Agent` for an agent, `System` for the service itself. */
  readonly authorType: "User" | "Agent" | "System";
  /** The user's, agent's or key's id. */
  readonly authorId: string;
  /** When the comment was created. */
  readonly createdAt: string;
  /** 1 for a new comment, and 1 more after each edit and after the deletion. */
  readonly version: number;
  /** When the text was last edited; null if it never was. */
  readonly editedAt: string | null;
  /** When the comment was deleted; null if it was not. */
  readonly deletedAt: string | null;
  /** The user or agent that deleted the comment; null if it was not deleted. */
  readonly deletedBy: Actor | null;
  /** Whether the comment cannot be edited or deleted: hand-ins, answers, comments of the service, and deleted comments. */
  readonly fixed: boolean;
}

/** The body of a request that adds a comment. */
export interface CommentCreate {
  /** 1 to 65,536 characters, not only white space. */
  readonly content: string;
  /** Default: the type that the key acts as, `User` for a user key and `Agent` for an agent key. A request that acts for a run can also comment as `Agent`, in the name of the run's agent. Other values are rejected. */
  readonly authorType?: "User" | "Agent" | "System" | null | undefined;
}

/** The body of a request that edits a comment. */
export interface CommentUpdate {
  /** 1 to 65,536 characters, not only white space. */
  readonly content: string;
}

/** A text that a comment has or had. */
export interface CommentVersion {
  /** The version of the comment. */
  readonly version: number;
  /** The text in this version; empty in the version of the deletion. */
  readonly content: string;
  /** The user or agent that wrote this version. */
  readonly editedBy: Actor;
  /** When this version was written. */
  readonly editedAt: string;
}

/** An issue that a plan created. */
export interface CreatedIssue {
  /** The issue's name in the plan. */
  readonly ref: string;
  readonly issue: Issue;
  /** The project and the agent that the request created. */
  readonly created: {
    /** The id of the project, if the request created it; null otherwise. */
    readonly project: string | null;
    /** The id of the agent, if the request registered it; null otherwise. */
    readonly agent: string | null;
  };
  /** Facts that the caller may not expect; empty if there are none. */
  readonly warnings: ReadonlyArray<string>;
}

/** A description that an issue has or had. */
export interface DescriptionVersion {
  /** The version that the issue had with this description first. */
  readonly version: number;
  /** The description in this version; null if the issue had none. */
  readonly description: string | null;
  /** The user or agent that wrote the description. */
  readonly actor: Actor;
  /** When the description was written. */
  readonly createdAt: string;
}

/** The decision on an effect whose reply was lost. */
export interface EffectSettle {
  /** Whether the effect took place. */
  readonly happened: boolean;
  /** The evidence, 1 to 2,000 characters. Equal calls get it as their result. */
  readonly note: string;
}

/** A variable that a server reads. */
export interface EnvVar {
  /** A letter or underscore, then letters, digits and underscores; up to 128 in all. */
  readonly name: string;
  /** Describes the value to the person who enters it. */
  readonly description: string;
  /** Whether the server needs a value. */
  readonly required: boolean;
  /** Whether a form has to hide the value. Every value is stored encrypted. */
  readonly secret: boolean;
  /** The default value; null if there is none. */
  readonly default?: string | null | undefined;
}

/** The record of a change, stored in the same transaction as the change. */
export interface Event {
  /** The event's id. A subscription resumes after it, unless its kind is `run.logged`: such an event is not stored. */
  readonly id: string;
  /** The kind of change. */
  readonly kind:
    | "issue.created"
    | "issue.updated"
    | "issue.statusChanged"
    | "issue.commented"
    | "issue.commentEdited"
    | "issue.commentDeleted"
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
    | "issue.effectSettled"
    | "issue.effectsReset"
    | "issue.effectSent"
    | "issue.effectEnded"
    | "issue.deleted"
    | "project.updated"
    | "project.deleted"
    | "view.created"
    | "view.updated"
    | "view.deleted"
    | "run.takenOver"
    | "run.logged"
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
    | "key.deleted"
    | "webhook.created"
    | "webhook.updated"
    | "webhook.failing"
    | "webhook.deleted";
  /** The project of the change; null if it has none. */
  readonly projectId: string | null;
  /** The issue, project, saved view, run, installed server, agent, key or webhook that the event is about. */
  readonly subjectId: string;
  /** The key of the issue of the change; null if it has none. */
  readonly issueKey: string | null;
  /** The user, agent or service that made the change. */
  readonly actor: Actor;
  /** Details, which depend on `kind`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The time of the change. */
  readonly createdAt: string;
}

/** The record of a change, stored in the same transaction as the change. */
export interface Event_1 {
  /** The event's id. A subscription resumes after it, unless its kind is `run.logged`: such an event is not stored. */
  readonly id: string;
  /** The kind of change. */
  readonly kind:
    | "issue.created"
    | "issue.updated"
    | "issue.statusChanged"
    | "issue.commented"
    | "issue.commentEdited"
    | "issue.commentDeleted"
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
    | "issue.effectSettled"
    | "issue.effectsReset"
    | "issue.effectSent"
    | "issue.effectEnded"
    | "issue.deleted"
    | "project.updated"
    | "project.deleted"
    | "view.created"
    | "view.updated"
    | "view.deleted"
    | "run.takenOver"
    | "run.logged"
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
    | "key.deleted"
    | "webhook.created"
    | "webhook.updated"
    | "webhook.failing"
    | "webhook.deleted";
  /** The project of the change; null if it has none. */
  readonly projectId: string | null;
  /** The issue, project, saved view, run, installed server, agent, key or webhook that the event is about. */
  readonly subjectId: string;
  /** The key of the issue of the change; null if it has none. */
  readonly issueKey: string | null;
  /** The user, agent or service that made the change. */
  readonly actor: Actor;
  /** Details, which depend on `kind`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The time of the change. */
  readonly createdAt: string;
}

/** A hit of the search. */
export interface Finding {
  /** The kind of the hit. */
  readonly kind: "issue" | "project" | "agent" | "server";
  /** Its id. */
  readonly id: string;
  /** An issue's key; otherwise null. */
  readonly key: string | null;
  /** The project of an issue, or the project itself; otherwise null. */
  readonly projectId: string | null;
  /** Its title or name. */
  readonly title: string;
  /** The fields with a word. */
  readonly matchedIn: ReadonlyArray<
    "key" | "title" | "labels" | "description" | "files" | "comments"
  >;
  /** Text around the first match. Matches are between U+0002 and U+0003. */
  readonly snippet: string | null;
}

/** The body of a request that finishes a run. */
export interface Finish {
  /** `resolved`: the work is done. `review`: a person has to review it (`PendingReview`). `released`: the issue can be picked up again. `failed`: the issue is paused until a person resumes it, or tried again if `retry` is true. */
  readonly outcome: "resolved" | "review" | "released" | "failed";
  /** A comment of the agent, added to the issue. 1 to 65,536 characters, not only white space. Default: null. */
  readonly comment?: string | null | undefined;
  /** With `failed`: whether to try the issue again after a delay, up to the service's limit of attempts. Default: false. */
  readonly retry?: boolean | null | undefined;
  /** With `released`: seconds until the issue may be picked up again, 0 to 604,800. Default: 0. */
  readonly retryAfterSeconds?: number | null | undefined;
  /** With `released`: whether the issue keeps its number of attempts, instead of starting with 0 again. Default: false. */
  readonly keepAttempts?: boolean | null | undefined;
  /** The exit code of the command that worked. Default: null. */
  readonly exitCode?: number | null | undefined;
  /** Tokens and cost since the last report, up to 50 reports. They count even if the request is refused because the run ended at most 10 minutes ago. Default: none. */
  readonly usage?: ReadonlyArray<UsageReport> | null | undefined;
}

/** The reported usage of a group of runs. A sum stops at 9,007,199,254,740,991. */
export interface GroupUsage {
  /** The agent, project, model or issue, or the day in UTC, such as 2026-11-25. */
  readonly key: string;
  /** The runs, including runs without usage. */
  readonly runs: number;
  /** The requests to models. */
  readonly requests: number;
  /** The input tokens, including tokens of caches. */
  readonly inputTokens: number;
  /** The output tokens, including reasoning. */
  readonly outputTokens: number;
  /** The input tokens that were read from caches. */
  readonly cacheReadTokens: number;
  /** The input tokens that were written to caches. */
  readonly cacheWriteTokens: number;
  /** The output tokens of reasoning. */
  readonly reasoningTokens: number;
  /** The known cost, in millionths of a US dollar. */
  readonly costMicros: number;
  /** The requests whose cost is not known. */
  readonly requestsWithoutCost: number;
  /** The runs that reported nothing. Always 0 for a model. */
  readonly runsWithoutUsage: number;
}

/** A runner that starts no issues for now, for example because of a usage limit. */
export interface Halted {
  /** The reason, and what a person has to do about it. 1 to 500 characters. */
  readonly reason: string;
  /** When the runner tries again. Default: null, which means that it does not know. */
  readonly until?: string | null | undefined;
  /** The runs that died or failed because of it, up to 100 ids. Their issues get the attempt back, and the pause `tooManyAttempts` that it caused ends, unless a person changed the issue since. Default: none. */
  readonly runs?: ReadonlyArray<string> | null | undefined;
}

/** The periodic call of a host for one agent: reports that the agent is alive, and asks for issues to start and runs to stop. */
export interface Heartbeat {
  /** The largest number of new issues to pick up, 0 to 50. Default: 1. */
  readonly capacity?: number | null | undefined;
  /** The duration of the leases of started and renewed runs, 5 to 86,400 seconds. Default: 300. */
  readonly leaseSeconds?: number | null | undefined;
  /** The runs whose leases are renewed, up to 1,000: ids, or `{ runId, note? }`. Default: none. */
  readonly runs?:
    | ReadonlyArray<
        | string
        | {
            /** The id of the run. */
            readonly runId: string;
            /** The work that the agent does now, 1 to 2,000 characters. The run shows the newest note, and its timeline all. Default: none. */
            readonly note?: string | null | undefined;
          }
      >
    | null
    | undefined;
  /** Says that the runner starts no issues for now. Send it with every heartbeat until the runner works again. Default: null. */
  readonly halted?: Halted | null | undefined;
}

/** The response to a heartbeat: issues to start and runs to stop. */
export interface HeartbeatAnswer {
  /** The agent that sent the heartbeat. */
  readonly agentId: string;
  /** Issues that the agent picked up with this heartbeat, each with its new run. */
  readonly started: ReadonlyArray<{
    /** The id of the new run. */
    readonly runId: string;
    /** When the lease expires unless it is renewed. */
    readonly leaseExpiresAt: string;
    /** 1 for the first attempt, and 1 more for each earlier run of the issue that died or failed. */
    readonly attempt: number;
    /** The issue at the time of its pick-up. */
    readonly issue: Issue;
    /** The newest 20 comments on the issue, oldest first. */
    readonly comments: ReadonlyArray<Comment>;
    /** The newest 100 questions that were answered, expired or withdrawn since the previous run of the issue started (for its first run: all), in the order in which they were closed. */
    readonly questions: ReadonlyArray<Question>;
    /** The newest 50 calls for the issue of tools that happen once, newest first: an equal call returns the recorded result. */
    readonly effects: ReadonlyArray<NewestEffect>;
  }>;
  /** Runs whose leases were renewed. */
  readonly renewed: ReadonlyArray<{
    /** The id of the run. */
    readonly runId: string;
    /** When the lease expires unless it is renewed again. */
    readonly leaseExpiresAt: string;
  }>;
  /** Runs that the agent has to stop at their next turn, and runs that no longer hold their issue. */
  readonly stop: ReadonlyArray<{
    /** The id of the run. */
    readonly runId: string;
    /** The run's issue; null if the run is not the agent's. */
    readonly issueId: string | null;
    /** The reason why the run has to stop. */
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
      | "takenOver"
      | "budget"
      | "unknown";
  }>;
  /** Changes exactly when the agent's list of tools changes. */
  readonly toolsRevision: string;
}

/** The runtimes and sandboxes of the host. A runtime or sandbox that is not detected has neither `version` nor `path`. */
export interface HostReport {
  /** Node.js, for packages of npm. */
  readonly node: {
    /** Whether the host has Node.js. */
    readonly detected: boolean;
    /** Its version. */
    readonly version?: string | undefined;
    /** The path of the program. */
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
  /** The configured sandbox; with `auto` the service chooses one for each server. */
  readonly sandbox: string;
  /** The sandboxes by name: `direct`, `node`, `bubblewrap` and `docker`. */
  readonly sandboxes: Readonly<Record<string, SandboxReport>>;
}

/** The result for one server of a configuration. */
export interface ImportResult {
  /** The name in the configuration. */
  readonly name: string;
  /** `installed` (disabled, and not granted to any agent), or `skipped`; `created` for the catalog entry of a `server.json`. */
  readonly status: "installed" | "skipped" | "created";
  /** The installed server; null if none was installed. */
  readonly server: InstalledServer | null;
  /** The reason why the server was skipped; null otherwise. */
  readonly reason:
    | "notInCatalogue"
    | "missingEnv"
    | "unknownEnv"
    | "runtimeMissing"
    | "forbiddenPath"
    | "invalid"
    | null;
  /** One sentence for people, which never contains a value of a variable; null if there is nothing to report. */
  readonly details: string | null;
  /** The id of the catalog entry that was `created`; missing otherwise. */
  readonly catalogId?: string | undefined;
}

/** Items of the inbox that one action answers. */
export interface InboxGroup {
  /** The group's id, which is equal for equal causes and differs for each caller. */
  readonly group: string;
  /** The kind of its items. */
  readonly kind:
    | "question"
    | "review"
    | "mentioned"
    | "tooManyAttempts"
    | "failed"
    | "effectUnknown"
    | "blockedChain"
    | "agentSilent"
    | "runnerHalted"
    | "serverError"
    | "toolsChanged"
    | "webhookFailing";
  /** The number of its items. */
  readonly count: number;
  /** The first line that the items have in common, up to 200 characters: of the newest hand-in comment of a failed issue, or of a runner's reason. Null for other kinds, and without a comment. */
  readonly line: string | null;
  /** The highest priority of its items. */
  readonly priority: "urgent" | "high" | "normal" | "low";
  /** `since` of its first item. */
  readonly since: string;
  /** The ids of its first 200 items, by which they are snoozed. */
  readonly ids: ReadonlyArray<string>;
  /** Its first 3 items. */
  readonly items: ReadonlyArray<InboxItem>;
}

/** An item that needs a person. */
export interface InboxItem {
  /** `question`: an open question. `review`: an issue in `PendingReview`. `mentioned`: an issue with a comment or description that mentions the caller as `@id`, until the caller comments on it or dismisses it. `tooManyAttempts` and `failed`: an issue that is paused for that reason. `effectUnknown`: a call under `once` whose reply was lost and is not settled. `blockedChain`: an issue that blocks other issues and is not picked up, although no open issue blocks it. `agentSilent`: an agent without a heartbeat for 10 minutes, with an issue that it runs or could pick up. `runnerHalted`: an agent whose runner starts no issues for now, such as at a usage limit. `serverError`: an MCP server with the status `error`. `toolsChanged`: an MCP server with withheld tools. `webhookFailing`: a webhook with the status `failing`. */
  readonly kind:
    | "question"
    | "review"
    | "mentioned"
    | "tooManyAttempts"
    | "failed"
    | "effectUnknown"
    | "blockedChain"
    | "agentSilent"
    | "runnerHalted"
    | "serverError"
    | "toolsChanged"
    | "webhookFailing";
  /** `question`: when it was asked. `mentioned`: when the caller was last mentioned. `effectUnknown`: when it was sent. Issues: when the issue's own fields last changed. `agentSilent`: the last heartbeat or the registration. `runnerHalted`: the first heartbeat that said so. Servers and webhooks: when they last changed. */
  readonly since: string;
  /** The issue's priority. `agentSilent`, `runnerHalted`, `serverError` and `webhookFailing` are `high`, `toolsChanged` is `normal`. */
  readonly priority: "urgent" | "high" | "normal" | "low";
  /** The issue's project; null for agents and servers. */
  readonly projectId: string | null;
  /** The issue; null for agents and servers. */
  readonly issueId: string | null;
  /** The issue's key; null for agents and servers. */
  readonly issueKey: string | null;
  /** The question; null for other kinds. */
  readonly questionId: string | null;
  /** The call of an effect; null for other kinds. */
  readonly callId: string | null;
  /** The installed server, also of an effect; null for other kinds. */
  readonly serverId: string | null;
  /** The silent agent, the agent of the runner, or the agent of the issue; null if there is none. */
  readonly agentId: string | null;
  /** The comment that mentions the caller; missing for a description and for other kinds. */
  readonly commentId?: string | undefined;
  /** The webhook; missing for other kinds. */
  readonly webhookId?: string | undefined;
  /** The number of open issues that wait for the issue, directly and through others, counted up to 100. Null for agents and servers, and after the first 500 items. */
  readonly blocks: number | null;
  /** The issue's title, or the name of the agent, server or webhook. */
  readonly title: string;
  /** One or two sentences about what a person has to know or do. For a question or a text that mentions the caller: its first 500 characters. */
  readonly detail: string;
}

/** The body of a request that hides items of the inbox for a time. */
export interface InboxSnooze {
  /** 1 to 1000 items. Items that are gone are ignored. */
  readonly items: ReadonlyArray<{
    /** The item's kind. */
    readonly kind:
      | "question"
      | "review"
      | "mentioned"
      | "tooManyAttempts"
      | "failed"
      | "effectUnknown"
      | "blockedChain"
      | "agentSilent"
      | "runnerHalted"
      | "serverError"
      | "toolsChanged"
      | "webhookFailing";
    /** The item's `questionId`, else its `issueId` (or the issue's key), `serverId`, `webhookId` or `agentId`. */
    readonly id: string;
  }>;
  /** The time until which the items are hidden, at most 30 days from now. ISO 8601 with `Z` or an offset. Null shows them again. */
  readonly until: string | null;
}

/** An installed server, without the values of its variables. */
export interface InstalledServer {
  /** The installed server's id. */
  readonly id: string;
  /** 1 to 32 characters of `a-z 0-9 -`, unique. The names of the server's tools start with it. */
  readonly name: string;
  /** The catalog entry that the server was installed from. */
  readonly catalogId: string;
  /** `stdio` for a program on the host, `http` (Streamable HTTP) or `sse` for a remote server. */
  readonly transport: "stdio" | "http" | "sse";
  /** `enabled`: agents with access can call its tools. `disabled`: no agent can. `error`: a verification failed, or the server failed too often; a server that was enabled before is retried automatically. */
  readonly status: "enabled" | "disabled" | "error";
  /** The start and reason of the status `error`; null in any other status. */
  readonly outage: Outage | null;
  /** The version of the package; null if the server has none. */
  readonly version: string | null;
  /** Whether the catalog has another version, or an Owner changed the entry. */
  readonly updateAvailable: boolean;
  /** The last verification; null before the first one. */
  readonly lastVerification: LastVerification | null;
  /** The sandbox in which the program runs; null for a remote server, or if the host does not have the sandbox. */
  readonly sandbox: string | null;
  /** The variables that the server reads, without their values. */
  readonly env: ReadonlyArray<{
    /** The variable's name. */
    readonly name: string;
    /** Whether the variable has a value. */
    readonly isSet: boolean;
  }>;
  /** Whether a tool or the instructions changed or are new since the last acceptance, and are withheld until they are accepted. */
  readonly toolsChanged: boolean;
  /** The SHA-256 hash, in hex, of the names and digests of the tools that the server listed last, and of its instructions; null before the first list. Pass it to `verify?accept=`. */
  readonly toolsDigest: string | null;
  /** The server's instructions to models about its tools; null if it has none. */
  readonly instructions: Instructions | null;
  /** Estimated tokens that the definitions of the server's accepted tools cost an agent's model. */
  readonly tokens: number;
  /** The largest result of a call, in bytes. A larger result is replaced with a result with `isError` that reports the size. */
  readonly maxResultBytes: number;
  /** The time after which an unused connection is closed, in seconds; 0: never. */
  readonly idleSeconds: number;
  /** The time after which a call without progress ends, in seconds; null for the default of the service. */
  readonly callTimeoutSeconds: number | null;
  /** The time after which a call ends even with progress, in seconds. */
  readonly callMaxSeconds: number;
  /** Effects of the settings that an Admin may not expect; empty if there are none. */
  readonly warnings: ReadonlyArray<string>;
  /** The tools whose calls are effects, which happen once per issue. */
  readonly once: ReadonlyArray<OnceRule>;
  /** The state of an effect whose result has `isError`: `retry` sends an equal call again, `unknown` refuses it until the effect is settled. */
  readonly onceErrors: "retry" | "unknown";
  /** The callers that may settle an unknown effect: `agent` for agents too, `person` for people only. */
  readonly settle: "agent" | "person";
  /** Whether requests to the server have `quartermaster/call` (whose call it is) and the caller's `traceparent`, `tracestate` and `baggage` in `_meta`. */
  readonly sendContext: boolean;
  /** The parts of the server's calls that are recorded: `none` for outcomes only, `errors` for texts of errors too, `all` for arguments and results too. */
  readonly recordCalls: "none" | "errors" | "all";
  /** When the server was installed. */
  readonly createdAt: string;
  /** When the server last changed. */
  readonly updatedAt: string;
}

/** A server's instructions to models about its tools, compared with the accepted ones. */
export interface Instructions {
  /** `accepted`: agents read them. `changed`: agents read the accepted ones. `new`: agents read none until they are accepted. `gone`: the server no longer has any, and agents read none. */
  readonly state: "accepted" | "changed" | "new" | "gone";
  /** The SHA-256 hash, in hex, of `current`, or of `accepted` if the server no longer has instructions. Pass it to accept them. */
  readonly digest: string;
  /** The accepted instructions; null if there are none. */
  readonly accepted: string | null;
  /** The instructions of the last connection; null if the server has none. */
  readonly current: string | null;
}

/** A unit of work that an agent executes. */
export interface Issue {
  /** The issue's id, created by the service. */
  readonly id: string;
  /** The issue's short id, such as `SHOP-142`: its project's prefix and its number. Requests take it in any letter case where they take the id. */
  readonly key: string;
  /** The project's id, chosen by the host. */
  readonly projectId: string;
  /** 1 to 256 characters, trimmed. */
  readonly title: string;
  /** At most 65,536 characters. */
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
  /** The agent that works on the issue. While it is null, no heartbeat picks the issue up. */
  readonly assignedAgentId: string | null;
  /** The person who owns or reviews the issue; null if there is none. */
  readonly assigneeUserId: string | null;
  /** The host's goal that the issue serves; null if there is none. */
  readonly goalId: string | null;
  /** True after a pause, after a run that finished as `failed`, and after too many attempts. No heartbeat picks the issue up until a person resumes it. */
  readonly paused: boolean;
  /** The reason for the pause; null if the issue is not paused. `person`: a user or an agent paused it. `failed`: a run finished as `failed`. `tooManyAttempts`: the number of runs that died or failed reached the limit of the service. `questionExpired`: a question was not answered in time. `unknown`: it was paused before reasons were stored. */
  readonly pausedBecause:
    | "person"
    | "failed"
    | "tooManyAttempts"
    | "questionExpired"
    | "unknown"
    | null;
  /** The number of runs that died or failed since the issue was last handed in or resumed, or since a person last set its status or agent. */
  readonly attempts: number;
  /** No heartbeat picks the issue up before this time; null if it can be picked up at any time. */
  readonly notBefore: string | null;
  /** Up to 32 labels, in alphabetical order. */
  readonly labels: ReadonlyArray<string>;
  /** The host's own values, by key. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The issue's id in another system, unique in the project; null if it has none. */
  readonly externalRef: string | null;
  /** The first 100 links, oldest first, as seen from this issue. */
  readonly links: ReadonlyArray<IssueLink>;
  /** 1 at creation; every change of the issue's own fields adds 1. `ETag` and `If-Match` carry it. */
  readonly version: number;
  /** The user, agent or key that created the issue. */
  readonly createdBy: Actor;
  /** When the issue was created. */
  readonly createdAt: string;
  /** When the issue's own fields last changed. */
  readonly updatedAt: string;
  /** When the issue first became `InProgress`; null if it never did. */
  readonly startedAt: string | null;
  /** When the issue was resolved; null if it is not resolved, or was reopened. */
  readonly resolvedAt: string | null;
  /** When the issue was closed; null if it is not closed. */
  readonly closedAt: string | null;
}

/** The body of a request that creates an issue. */
export interface IssueCreate {
  /** 1 to 256 characters after trimming. */
  readonly title: string;
  /** The task, in Markdown. At most 65,536 characters. Default: null. */
  readonly description?: string | null | undefined;
  /** Default: `normal`. */
  readonly priority?: "urgent" | "high" | "normal" | "low" | null | undefined;
  /** The agent that executes the issue. An unknown agent is registered, or rejected if the host accepts only registered agents. Default: null; then no heartbeat picks the issue up. */
  readonly assignedAgentId?: string | null | undefined;
  /** The person who owns or reviews the issue. Default: null. */
  readonly assigneeUserId?: string | null | undefined;
  /** The host's goal that the issue serves. Default: null. */
  readonly goalId?: string | null | undefined;
  /** An issue that blocks the new one. Default: null. */
  readonly blockedByIssueId?: string | null | undefined;
  /** No agent picks the issue up before this time. ISO 8601 with `Z` or an offset. Default: null. */
  readonly notBefore?: string | null | undefined;
  /** Up to 32 labels of 1 to 64 characters after trimming. Default: none. */
  readonly labels?: ReadonlyArray<string> | null | undefined;
  /** Up to 50 keys of 1 to 64 characters, each with a text; at most 4 KiB for all keys and values together. Default: none. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** The issue's id in another system, 1 to 256 characters, which no other issue of the project has. Default: null. */
  readonly externalRef?: string | null | undefined;
}

/** A call of a tool that happens once for an issue. */
export interface IssueEffect {
  /** The call that sent it last. */
  readonly callId: string;
  /** The run of that call. */
  readonly runId: string;
  /** The cycle of the issue, from 1. Effects of earlier cycles are not repeated results. */
  readonly cycle: number;
  /** Counts equal calls of a cycle, from 1. */
  readonly n: number;
  /** The name of the server. */
  readonly server: string;
  /** The name of the tool at its server. */
  readonly tool: string;
  /** `sent`: in flight. `done`: a result arrived. `failed`: not carried out. `unknown`: the reply was lost, and equal calls are refused until it is settled. */
  readonly state: "sent" | "done" | "failed" | "unknown";
  /** When the call was sent. */
  readonly sentAt: string;
  /** When its end was stored; null before. */
  readonly endedAt: string | null;
  /** The first 200 characters of its result, or of the note of its settlement. */
  readonly summary: string | null;
}

/** Issues and the links by which they block each other. */
export interface IssueGraph {
  /** Up to 500 issues, by their distance from the start of the graph. */
  readonly nodes: ReadonlyArray<BriefIssue>;
  /** Every `Blocks` link between two of the nodes, oldest first. */
  readonly edges: ReadonlyArray<{
    /** The issue that blocks. */
    readonly from: string;
    /** The issue that is blocked. */
    readonly to: string;
  }>;
  /** Whether the graph has more issues than `nodes`, beyond `depth` or the limit of nodes. */
  readonly truncated: boolean;
}

/** A link between two issues, as seen from one of them. */
export interface IssueLink {
  /** The link's id. */
  readonly id: string;
  /** The issue from which the link is seen. */
  readonly issueId: string;
  /** The issue at the other end. */
  readonly targetIssueId: string;
  /** `Blocks`: this issue blocks the other. `BlockedBy`: the other issue blocks this one. `RelatedTo` and `DuplicateOf` have no effect. */
  readonly linkType: "Blocks" | "BlockedBy" | "RelatedTo" | "DuplicateOf";
  /** `outgoing` if this issue is the source of the link, `incoming` if it is the target. */
  readonly direction: "outgoing" | "incoming";
  /** The user, agent or key that created the link. */
  readonly createdBy: Actor;
  /** When the link was created. */
  readonly createdAt: string;
}

/** The body of a request that changes an issue. An omitted field does not change. */
export interface IssueUpdate {
  /** 1 to 256 characters after trimming. Null is ignored. */
  readonly title?: string | null | undefined;
  /** At most 65,536 characters. Null clears it. */
  readonly description?: string | null | undefined;
  /** The new status. It also ends a pause, and if a person sets it, it resets `attempts` to 0 and clears `notBefore`. Open blockers forbid every status except `WaitingOnDependency`, `Resolved` and `Closed`; open dependents forbid `Closed`. Null is ignored. */
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
  /** The agent that executes the issue. A change to another agent or null stops the current run at its next turn. An unknown agent is registered, or rejected if the host accepts only registered agents. */
  readonly assignedAgentId?: string | null | undefined;
  /** The person who owns or reviews the issue. Null clears it. */
  readonly assigneeUserId?: string | null | undefined;
  /** The host's goal that the issue serves. Null clears it. */
  readonly goalId?: string | null | undefined;
  /** No agent picks the issue up before this time. ISO 8601 with `Z` or an offset. Null clears it. */
  readonly notBefore?: string | null | undefined;
  /** Up to 32 labels of 1 to 64 characters after trimming. Replaces all labels; null removes them. */
  readonly labels?: ReadonlyArray<string> | null | undefined;
  /** Up to 50 keys of 1 to 64 characters, each with a text; at most 4 KiB for all keys and values together. Replaces all of it; null removes it. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** The issue's id in another system, 1 to 256 characters, which no other issue of the project has. Null clears it. */
  readonly externalRef?: string | null | undefined;
  /** Another project, to which the issue moves: it gets a key of that project, and its earlier keys keep working. No run may hold it. Agents cannot move issues. Null is ignored. */
  readonly projectId?: string | null | undefined;
}

/** The result and time of the last verification. */
export interface LastVerification {
  /** `ok` if the server started and listed its tools, otherwise `error`. */
  readonly status: "ok" | "error";
  /** The response time in milliseconds and the number of tools, or the reason of the failure. */
  readonly details: string;
  /** Names of the tools, in the server's order; missing after a failure. */
  readonly capabilities?: ReadonlyArray<string> | undefined;
  /** Estimated tokens that the definitions of these tools cost a model; null after a failure. */
  readonly tokens: number | null;
  /** When the verification finished. */
  readonly verifiedAt: string;
}

/** The body of a request that links two issues. */
export interface LinkCreate {
  /** The issue at the other end. */
  readonly targetIssueId: string;
  /** `Blocks`: this issue blocks the other. `BlockedBy`: the other issue blocks this one, which then waits. `RelatedTo` and `DuplicateOf` have no effect. */
  readonly linkType: "Blocks" | "BlockedBy" | "RelatedTo" | "DuplicateOf";
}

/** The state of a log after new entries. */
export interface LogAppended {
  /** The number of the writer's next entry. */
  readonly next: number;
  /** The size of the run's stored log as text, in bytes. */
  readonly bytes: number;
  /** Entries of the run that were dropped because of a limit. */
  readonly dropped: number;
}

/** New entries of the log of a run. */
export interface LogEntries {
  /** The writer's own number of the first entry; the others follow. A writer starts at 0 or 1. */
  readonly from: number;
  /** The writer's name, 1 to 32 characters; a run has at most 8 writers. Default: `runner`. */
  readonly writer?: string | null | undefined;
  /** Up to 1,000 entries with texts of 256 KiB together, in their order. */
  readonly entries: ReadonlyArray<{
    /** When the entry was written. Default: the time of the request. */
    readonly at?: string | null | undefined;
    /** `stdout` and `stderr` of the command; `host`: what the agent's host reports, such as messages, tools and results. */
    readonly stream: "stdout" | "stderr" | "host";
    /** The text, with all its control characters. */
    readonly text: string;
  }>;
}

/** An entry of the log of a run. */
export interface LogEntry {
  /** The entry's number in the run, from 1. */
  readonly n: number;
  /** When the entry was written. */
  readonly at: string;
  /** The entry's writer. */
  readonly writer: string;
  /** `stdout` and `stderr` of the command; `host`: what the agent's host reports, such as messages, tools and results. */
  readonly stream: "stdout" | "stderr" | "host";
  /** The text. Secrets are `[secret]`. */
  readonly text: string;
}

/** A page of the log of a run. */
export interface LogPage {
  /** The entries after `after`; none if there are no more. */
  readonly entries: ReadonlyArray<LogEntry>;
  /** `after` of the next request. */
  readonly next: number;
  /** Entries of the run that were dropped because of a limit. */
  readonly dropped: number;
  /** Whether the run has ended. */
  readonly ended: boolean;
}

/** A login session of a browser. */
export interface LoginSession {
  /** The session's id. It is not a credential. */
  readonly id: string;
  /** The key that started the session. */
  readonly keyId: string;
  /** The signed-in user. */
  readonly principal: Principal;
  /** When the session was started. */
  readonly createdAt: string;
  /** When the session expires without further use: 12 hours after its last use. */
  readonly expiresAt: string;
  /** Whether this session made the request. */
  readonly current: boolean;
}

/** A call of a tool that happens once, for an agent that works on its issue. */
export interface NewestEffect {
  /** The name of the server. */
  readonly server: string;
  /** The name of the tool at its server. */
  readonly tool: string;
  /** The cycle of the issue, from 1. Effects of earlier cycles are not repeated results. */
  readonly cycle: number;
  /** When the call was sent. */
  readonly at: string;
  /** `sent`: in flight. `done`: a result arrived. `failed`: not carried out. `unknown`: the reply was lost, and equal calls are refused until it is settled. */
  readonly state: "sent" | "done" | "failed" | "unknown";
  /** The first 200 characters of its result, or of the note of its settlement. */
  readonly summary: string | null;
}

/** Tools of a server whose calls are effects, which happen once per issue. */
export interface OnceRule {
  /** 1 to 50 names of tools, as the server lists them, up to 256 characters each; `*` stands for any characters. A tool whose accepted definition has `annotations.readOnlyHint: true` counts only if it is named without `*`. */
  readonly tools: ReadonlyArray<string>;
  /** 1 to 10 JSON Pointers into the arguments. Two calls are the same effect if the values at these pointers are equal. Default: all arguments. */
  readonly by?: ReadonlyArray<string> | undefined;
}

/** A rule of a request: `by` may also be null, which means all arguments. */
export interface OnceRuleInput {
  /** 1 to 50 names of tools, as the server lists them, up to 256 characters each; `*` stands for any characters. A tool whose accepted definition has `annotations.readOnlyHint: true` counts only if it is named without `*`. */
  readonly tools: ReadonlyArray<string>;
  /** 1 to 10 JSON Pointers into the arguments. Two calls are the same effect if the values at these pointers are equal. Default: all arguments. */
  readonly by?: ReadonlyArray<string> | null | undefined;
}

/** The start and reason of a server's status `error`, and the time of the next retry. */
export interface Outage {
  /** When the server first failed. It has not worked since. */
  readonly since: string;
  /** The reason of the last failure. */
  readonly reason: string;
  /** The number of automatic retries since then. */
  readonly attempts: number;
  /** When the service retries automatically; null for a server that was not enabled, which a person has to verify or enable. */
  readonly retryAt: string | null;
}

/** The body of a request that creates issues with their blockers. */
export interface Plan {
  /** Up to 500 issues. */
  readonly issues: ReadonlyArray<PlannedIssue>;
}

/** An issue in a plan. */
export interface PlannedIssue {
  /** The unique name of the issue in the plan: 1 to 64 characters, not starting with `iss_`. */
  readonly ref: string;
  /** 1 to 256 characters after trimming. */
  readonly title: string;
  /** The task, in Markdown. At most 65,536 characters. Default: null. */
  readonly description?: string | null | undefined;
  /** Default: `normal`. */
  readonly priority?: "urgent" | "high" | "normal" | "low" | null | undefined;
  /** The agent that executes the issue. An unknown agent is registered, or rejected if the host accepts only registered agents. Default: null; then no heartbeat picks the issue up. */
  readonly assignedAgentId?: string | null | undefined;
  /** The person who owns or reviews the issue. Default: null. */
  readonly assigneeUserId?: string | null | undefined;
  /** The host's goal that the issue serves. Default: null. */
  readonly goalId?: string | null | undefined;
  /** Another entry of `blockedBy`. Default: null. */
  readonly blockedByIssueId?: string | null | undefined;
  /** No agent picks the issue up before this time. ISO 8601 with `Z` or an offset. Default: null. */
  readonly notBefore?: string | null | undefined;
  /** Up to 32 labels of 1 to 64 characters after trimming. Default: none. */
  readonly labels?: ReadonlyArray<string> | null | undefined;
  /** Up to 50 keys of 1 to 64 characters, each with a text; at most 4 KiB for all keys and values together. Default: none. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** The issue's id in another system, 1 to 256 characters, which no other issue of the project has. Default: null. */
  readonly externalRef?: string | null | undefined;
  /** The blockers of the issue: refs of issues in the plan, and ids or keys of other issues (`iss_...`, `SHOP-142`). A ref has precedence over a key. Default: none. */
  readonly blockedBy?: ReadonlyArray<string> | null | undefined;
}

/** The user, agent or service that makes a call. */
export interface Principal {
  /** `User` for a person, `Agent` for an agent, `System` for the service itself. */
  readonly type: "User" | "Agent" | "System";
  /** The user's, agent's or key's id. */
  readonly id: string;
  /** `Metrics` can only read metrics; `Viewer` reads; `Editor` also changes issues and runs agents; `Admin` also manages agents, keys and MCP servers; `Owner` also manages Owner keys. */
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
  /** The first part of the keys of the project's issues, such as `SHOP`. */
  readonly prefix: string;
  /** The name that people see; null if it has none. */
  readonly name: string | null;
  /** The purpose of the project, in Markdown; null if it has none. */
  readonly description: string | null;
  /** While true, no heartbeat claims issues of the project. */
  readonly paused: boolean;
  /** The hand-in rules for agents. `resolve`: agents can resolve their own work, and only people end reviews. `review`: work that an agent resolves becomes a review. `approve`: agents can also end reviews. */
  readonly agentsMay: "resolve" | "review" | "approve";
}

/** The body of a request that creates a project. */
export interface ProjectCreate {
  /** 1 to 128 characters of `A-Z a-z 0-9 . _ : -`. */
  readonly id: string;
  /** 1 to 64 characters after trimming. Default: null. */
  readonly name?: string | null | undefined;
  /** 2 to 10 of `A-Z 0-9`, the first a letter, that no other project has or had. Earlier prefixes continue to work; a project can have 20. Default: made from the id. Only Admins that are bound to no project can name it. */
  readonly prefix?: string | null | undefined;
}

/** A project with the number of its issues by status. */
export interface ProjectSummary {
  /** The project's id, chosen by the host. */
  readonly id: string;
  /** The first part of the keys of the project's issues, such as `SHOP`. */
  readonly prefix: string;
  /** The name that people see; null if it has none. */
  readonly name: string | null;
  /** The purpose of the project, in Markdown; null if it has none. */
  readonly description: string | null;
  /** The project's issues by status. */
  readonly counts: StatusCounts;
  /** While true, no heartbeat claims issues of the project. */
  readonly paused: boolean;
  /** The hand-in rules for agents. `resolve`: agents can resolve their own work, and only people end reviews. `review`: work that an agent resolves becomes a review. `approve`: agents can also end reviews. */
  readonly agentsMay: "resolve" | "review" | "approve";
  /** The time of the project's newest retained event, or of the last change of an issue's own fields if that is later; null if there is neither. */
  readonly lastActivityAt: string | null;
}

/** The body of a request that changes a project. */
export interface ProjectUpdate {
  /** 1 to 64 characters after trimming. Null clears it. Omitted: no change. */
  readonly name?: string | null | undefined;
  /** At most 65,536 characters. Null clears it. Omitted: no change. */
  readonly description?: string | null | undefined;
  /** 2 to 10 of `A-Z 0-9`, the first a letter, that no other project has or had. Earlier prefixes continue to work; a project can have 20. Only Admins that are bound to no project can name it. Omitted or null: no change. */
  readonly prefix?: string | null | undefined;
  /** True pauses the project: its live runs stop at their next turn, and no heartbeat claims its issues. False resumes it. Omitted or null: no change. */
  readonly paused?: boolean | null | undefined;
  /** The hand-in rules for agents: `resolve` (the default of a project), `review` or `approve`. Omitted or null: no change. */
  readonly agentsMay?: "resolve" | "review" | "approve" | null | undefined;
}

/** A question about an issue that a person has to answer. */
export interface Question {
  /** The question's id. */
  readonly id: string;
  /** The issue that the question is about. */
  readonly issueId: string;
  /** The issue's key. */
  readonly issueKey: string | null;
  /** The run of the agent that asked; null if the caller had no live run. */
  readonly runId: string | null;
  /** The user, agent or key that asked. */
  readonly askedBy: Actor;
  /** `text`: any text is an answer. `choice`: the answer is one of `options`. `confirm`: the answer is `yes` or `no`. */
  readonly kind: "text" | "choice" | "confirm";
  /** The question, 1 to 8,192 characters. */
  readonly prompt: string;
  /** The possible answers; null unless the kind is `choice`. */
  readonly options: ReadonlyArray<string> | null;
  /** True if no agent may pick the issue up while the question is open. */
  readonly blocking: boolean;
  /** `open`: the question waits for an answer. `answered`: it has one. `expired`: no answer came in time. `withdrawn`: an answer is no longer needed. */
  readonly status: "open" | "answered" | "expired" | "withdrawn";
  /** The answer, 1 to 32,768 characters; null unless the status is `answered`. */
  readonly answer: string | null;
  /** The person who answered; null unless the status is `answered`. */
  readonly answeredBy: Actor | null;
  /** When the question was asked. */
  readonly createdAt: string;
  /** When the question expires without an answer; null if it never does. */
  readonly expiresAt: string | null;
  /** When the question was answered; null unless the status is `answered`. */
  readonly answeredAt: string | null;
}

/** The body of a request that answers a question. */
export interface QuestionAnswer {
  /** 1 to 32,768 characters. For the kind `choice` it must be one of `options`, for `confirm` it must be `yes` or `no`. */
  readonly answer: string;
}

/** The body of a request that asks a question. */
export interface QuestionCreate {
  /** The question, 1 to 8,192 characters. */
  readonly prompt: string;
  /** `text`: any text is an answer. `choice`: the answer is one of `options`. `confirm`: the answer is `yes` or `no`. Default: `text`. */
  readonly kind?: "text" | "choice" | "confirm" | null | undefined;
  /** The possible answers: 2 to 10 different texts of 1 to 200 characters. Required for the kind `choice`, and not allowed for others. */
  readonly options?: ReadonlyArray<string> | null | undefined;
  /** True if no agent may pick the issue up while the question is open. Default: true. */
  readonly blocking?: boolean | null | undefined;
  /** Seconds until the question expires, 60 to 2,592,000. Default: it never does. */
  readonly expiresInSeconds?: number | null | undefined;
  /** The effect of the expiry. `continue`: the issue can be picked up again. `pause`: the issue is paused, and its run has to stop. Default: `continue`. */
  readonly onExpiry?: "continue" | "pause" | null | undefined;
  /** The caller's own key for the question, 1 to 64 characters. While the issue has an open question with this key, another request with the key returns that question. Default: null. */
  readonly key?: string | null | undefined;
}

/** Whether the assigned agent would pick the issue up, with the reasons. */
export interface Readiness {
  /** Whether the assigned agent's next heartbeat would pick the issue up. */
  readonly ready: boolean;
  /** Every reason why the issue will not, or may not, be picked up. */
  readonly reasons: ReadonlyArray<{
    /** `notOpen`: the status is neither `Open` nor `InProgress`. `paused`: a person has to resume it. `tooManyAttempts`: it is paused because its runs died or failed too often. `notBefore`: it is deferred to a later time. `blocked`: a blocker is open. `awaitingAnswer`: a blocking question is open. `agentPaused`: its agent is paused. `projectPaused`: its project is paused. `unassigned`: it has no agent. `running`: a run holds it. `callInFlight`: a tool call for one of its runs has not ended. `leaseExpired`: the last run died, which leaves `ready` true. `agentSilent`: the agent has sent no heartbeat for 10 minutes, which leaves `ready` true. */
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
      | "callInFlight"
      | "leaseExpired"
      | "agentSilent";
    /** One or two sentences for people. */
    readonly detail: string;
    /** `blocked`: `blockers`, the open blockers, and `roots`, the open ends of the chain, each up to 20 visible issues with `id`, `title`, `status` and `assignedAgentId`. `running` and `leaseExpired`: `run` with `runId`, `agentId`, `startedAt` and `leaseExpiresAt`. `notBefore`: `notBefore`. `tooManyAttempts`: `attempts`. `awaitingAnswer`: `questionIds`. `callInFlight`: `until`, the time after which the call is lost unless its node extends it. `agentSilent`: `lastHeartbeatAt`, null without any heartbeat. Otherwise null. */
    readonly data: Readonly<Record<string, unknown>> | null;
  }>;
}

/** One agent's execution of one issue, from pick-up to finish. */
export interface Run {
  /** The run's id. It is the fencing token of the issue: only this run can hand the issue in. */
  readonly id: string;
  /** The agent that executes the run. */
  readonly agentId: string;
  /** The issue that the run executes. */
  readonly issueId: string;
  /** The issue's key; null once it is deleted. */
  readonly issueKey: string | null;
  /** `active`: holds the issue. `stopping`: holds the issue, and stops at its next turn. `ended`: holds nothing, because it finished, stopped, or its lease expired. */
  readonly status: "active" | "stopping" | "ended";
  /** The outcome with which the agent handed the issue in; null if it did not. */
  readonly outcome: "resolved" | "review" | "released" | "failed" | null;
  /** 1 for the first attempt, and 1 more for each earlier run of the issue that died or failed. */
  readonly attempt: number;
  /** The reason why the run has to stop or stopped; null while it may continue. */
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
    | "takenOver"
    | "budget"
    | "unknown"
    | null;
  /** When the agent picked the issue up. */
  readonly startedAt: string;
  /** When the lease expires unless a heartbeat or turn renews it. Then another run may start. */
  readonly leaseExpiresAt: string;
  /** When the run ended; null while it has not. */
  readonly endedAt: string | null;
  /** The newest note of the agent; null without one. */
  readonly note: string | null;
  readonly worker: RunWorker;
  /** The exit code of the command; null if the hand-in had none. */
  readonly exitCode: number | null;
  /** The comment of the hand-in; null without one. */
  readonly commentId: string | null;
  /** The calls of tools by the run. */
  readonly calls: {
    /** The ended calls of tools. */
    readonly total: number;
    /** The calls with an outcome other than `ok` and `replayed`. */
    readonly failed: number;
  };
  /** The size of the stored log as text, in bytes. */
  readonly logBytes: number;
  /** The reported tokens and cost; null if nothing was reported. */
  readonly usage: RunUsage | null;
}

/** The number of runs by how they started and ended. */
export interface RunCounts {
  /** The number of runs that started. */
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
}

/** One entry of the timeline of a run. */
export interface RunTimelineEntry {
  /** The kind of entry. `turn`: a turn that had a note or returned comments. `stop`: the agent learned that it has to stop. */
  readonly kind:
    | "started"
    | "turn"
    | "note"
    | "call"
    | "effect"
    | "commented"
    | "attached"
    | "asked"
    | "answered"
    | "stop"
    | "takenOver"
    | "ended";
  /** When it happened. */
  readonly at: string;
  /** The user or agent that commented, attached, asked or answered. */
  readonly actor?: Actor | undefined;
  /** The note. */
  readonly note?: string | undefined;
  /** The call of a tool. */
  readonly callId?: string | undefined;
  /** With `call` and `effect`: the tool, as `<server>/<tool>`. */
  readonly tool?: string | undefined;
  /** With `effect`: the state of the call, which happens once. */
  readonly state?: "sent" | "done" | "failed" | "unknown" | undefined;
  /** The comment; with `ended`, the comment of the hand-in. */
  readonly commentId?: string | undefined;
  /** The comments that the turn returned. */
  readonly commentIds?: ReadonlyArray<string> | undefined;
  /** The attachment. */
  readonly attachmentId?: string | undefined;
  /** The question. */
  readonly questionId?: string | undefined;
  /** With `takenOver`: the run that continues. */
  readonly runId?: string | undefined;
  /** With `ended`: the outcome of the hand-in; missing without one. */
  readonly outcome?: "resolved" | "review" | "released" | "failed" | undefined;
  /** With `stop` and `ended`: the reason. */
  readonly reason?:
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
    | "takenOver"
    | "budget"
    | "unknown"
    | undefined;
}

/** The reported usage of a run. A sum stops at 9,007,199,254,740,991. */
export interface RunUsage {
  /** The requests to models. */
  readonly requests: number;
  /** The input tokens, including tokens of caches. */
  readonly inputTokens: number;
  /** The output tokens, including reasoning. */
  readonly outputTokens: number;
  /** The input tokens that were read from caches. */
  readonly cacheReadTokens: number;
  /** The input tokens that were written to caches. */
  readonly cacheWriteTokens: number;
  /** The output tokens of reasoning. */
  readonly reasoningTokens: number;
  /** The known cost, in millionths of a US dollar. */
  readonly costMicros: number;
  /** The requests whose cost is not known. */
  readonly requestsWithoutCost: number;
  /** Its models, at most 10; the model with the most tokens first. */
  readonly models: ReadonlyArray<string>;
}

/** The process that works on a run. A field is null if it is not known. */
export interface RunWorker {
  /** The name that the process gave itself by `Quartermaster-Worker`. */
  readonly name: string | null;
  /** The program, as it names itself in `User-Agent`. */
  readonly client: string | null;
  /** The machine. */
  readonly host: string | null;
  /** The process id. */
  readonly pid: number | null;
}

/** The files and permissions of a program, in addition to its package and its own folder. */
export interface Sandbox {
  /** Whether the program may use the network. */
  readonly network?: boolean | undefined;
  /** Files and folders that the program may read. `${NAME}` is replaced by the value of that variable; a path whose variable has no value is left out. */
  readonly read?: ReadonlyArray<string> | undefined;
  /** Files and folders that the program may read and write, in the same form. */
  readonly write?: ReadonlyArray<string> | undefined;
  /** Whether a JavaScript program may start worker threads. */
  readonly workers?: boolean | undefined;
  /** Whether the program may start other programs. */
  readonly childProcesses?: boolean | undefined;
}

/** Whether the host has a sandbox. */
export interface SandboxReport {
  /** Whether a program can be started in the sandbox. */
  readonly detected: boolean;
  /** Its version. */
  readonly version?: string | undefined;
  /** The reason why no program can be started in it. */
  readonly reason?: string | undefined;
}

/** The issue after its creation or a change, with the side effects of the request. */
export interface SavedIssue {
  /** The issue's id, created by the service. */
  readonly id: string;
  /** The issue's short id, such as `SHOP-142`: its project's prefix and its number. Requests take it in any letter case where they take the id. */
  readonly key: string;
  /** The project's id, chosen by the host. */
  readonly projectId: string;
  /** 1 to 256 characters, trimmed. */
  readonly title: string;
  /** At most 65,536 characters. */
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
  /** The agent that works on the issue. While it is null, no heartbeat picks the issue up. */
  readonly assignedAgentId: string | null;
  /** The person who owns or reviews the issue; null if there is none. */
  readonly assigneeUserId: string | null;
  /** The host's goal that the issue serves; null if there is none. */
  readonly goalId: string | null;
  /** True after a pause, after a run that finished as `failed`, and after too many attempts. No heartbeat picks the issue up until a person resumes it. */
  readonly paused: boolean;
  /** The reason for the pause; null if the issue is not paused. `person`: a user or an agent paused it. `failed`: a run finished as `failed`. `tooManyAttempts`: the number of runs that died or failed reached the limit of the service. `questionExpired`: a question was not answered in time. `unknown`: it was paused before reasons were stored. */
  readonly pausedBecause:
    | "person"
    | "failed"
    | "tooManyAttempts"
    | "questionExpired"
    | "unknown"
    | null;
  /** The number of runs that died or failed since the issue was last handed in or resumed, or since a person last set its status or agent. */
  readonly attempts: number;
  /** No heartbeat picks the issue up before this time; null if it can be picked up at any time. */
  readonly notBefore: string | null;
  /** Up to 32 labels, in alphabetical order. */
  readonly labels: ReadonlyArray<string>;
  /** The host's own values, by key. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The issue's id in another system, unique in the project; null if it has none. */
  readonly externalRef: string | null;
  /** The first 100 links, oldest first, as seen from this issue. */
  readonly links: ReadonlyArray<IssueLink>;
  /** 1 at creation; every change of the issue's own fields adds 1. `ETag` and `If-Match` carry it. */
  readonly version: number;
  /** The user, agent or key that created the issue. */
  readonly createdBy: Actor;
  /** When the issue was created. */
  readonly createdAt: string;
  /** When the issue's own fields last changed. */
  readonly updatedAt: string;
  /** When the issue first became `InProgress`; null if it never did. */
  readonly startedAt: string | null;
  /** When the issue was resolved; null if it is not resolved, or was reopened. */
  readonly resolvedAt: string | null;
  /** When the issue was closed; null if it is not closed. */
  readonly closedAt: string | null;
  /** `review`: the agent resolved the issue, and its project lets agents only hand in for review. `released`: a blocking question of the run is open, so its work is not done. Absent otherwise. */
  readonly handedInAs?: "review" | "released" | undefined;
  /** The open questions that made the hand-in a release. Absent otherwise. */
  readonly questionIds?: ReadonlyArray<string> | undefined;
  /** The project and the agent that the request created. */
  readonly created: {
    /** The id of the project, if the request created it; null otherwise. */
    readonly project: string | null;
    /** The id of the agent, if the request registered it; null otherwise. */
    readonly agent: string | null;
  };
  /** Facts that the caller may not expect; empty if there are none. */
  readonly warnings: ReadonlyArray<string>;
}

/** A list of issues that is saved under a name. */
export interface SavedView {
  /** The view's id, created by the service. */
  readonly id: string;
  /** 1 to 64 characters, trimmed. Several views may have the same name. */
  readonly name: string;
  /** The query of the list, such as `status=Open&label=bug`: at most 2048 characters, which the service does not read. */
  readonly query: string;
  /** The project that the view is shared with; null for a view that only its creator sees. */
  readonly projectId: string | null;
  /** The user, agent or key that created the view. */
  readonly createdBy: Actor;
  /** When the view was created. */
  readonly createdAt: string;
  /** When the view last changed. */
  readonly updatedAt: string;
}

/** The body of a request that saves a view. */
export interface SavedViewCreate {
  /** 1 to 64 characters, trimmed. Several views may have the same name. */
  readonly name: string;
  /** The query of the list, such as `status=Open&label=bug`: at most 2048 characters, which the service does not read. */
  readonly query: string;
  /** The project that the view is shared with; null for a view that only its creator sees. Default: null. */
  readonly projectId?: string | null | undefined;
}

/** The body of a request that changes a view. Omitted fields do not change. */
export interface SavedViewUpdate {
  /** 1 to 64 characters, trimmed. Several views may have the same name. */
  readonly name?: string | null | undefined;
  /** The query of the list, such as `status=Open&label=bug`: at most 2048 characters, which the service does not read. */
  readonly query?: string | null | undefined;
  /** The project that the view is shared with; null for a view that only its creator sees. */
  readonly projectId?: string | null | undefined;
}

/** The body of a request that installs a server. */
export interface ServerInstall {
  /** The catalog entry to install. */
  readonly catalogId: string;
  /** Values by variable name, each up to 65,536 characters without line ends. Null leaves a variable without a value. */
  readonly envValues?: Readonly<Record<string, string | null>> | null | undefined;
  /** 1 to 32 characters of `a-z 0-9 -`. Default: the entry's id, with a number if that is taken. */
  readonly name?: string | null | undefined;
  /** The largest result of a call, 1 to 33,554,432 bytes. A larger result is replaced with a result with `isError` that reports the size. Null: 4,194,304, the default. */
  readonly maxResultBytes?: number | null | undefined;
  /** The time after which an unused connection is closed, 0 to 31,536,000 seconds; 0: never. Null: 300, the default. */
  readonly idleSeconds?: number | null | undefined;
  /** The time after which a call without progress ends, 1 to 3,600 seconds. Null: the default of the service, which its operator sets (60). */
  readonly callTimeoutSeconds?: number | null | undefined;
  /** The time after which a call ends even with progress, 1 to 86,400 seconds. Null: 3,600, the default. */
  readonly callMaxSeconds?: number | null | undefined;
  /** Up to 50 rules. A tool has the first rule that names it without `*`, otherwise the first with a pattern that fits. Null: none, the default. */
  readonly once?: ReadonlyArray<OnceRuleInput> | null | undefined;
  /** The state of an effect whose result has `isError`: `retry` sends an equal call again, `unknown` refuses it until the effect is settled. Null: `retry`, the default. */
  readonly onceErrors?: "retry" | "unknown" | null | undefined;
  /** The callers that may settle an unknown effect: `agent` for agents too, `person` for people only. Null: `agent`, the default. */
  readonly settle?: "agent" | "person" | null | undefined;
  /** Whether requests to the server have `quartermaster/call` (whose call it is) and the caller's `traceparent`, `tracestate` and `baggage` in `_meta`. Null: true for a server by stdio and false for a remote server, the default. */
  readonly sendContext?: boolean | null | undefined;
  /** The parts of the server's calls that are recorded: `none` for outcomes only, `errors` for texts of errors too, `all` for arguments and results too. Null: `errors`, the default. */
  readonly recordCalls?: "none" | "errors" | "all" | null | undefined;
}

/** An unchanged `server.json` from the official MCP registry; requires an Owner key. Creates a catalog entry from the first usable item of `packages` (npm or pypi, with the transport `stdio`), or else of `remotes`. */
export interface ServerJson {
  /** Required, such as `io.github.ada/weather`. */
  readonly name?: string | undefined;
  /** Required: the version of the server. */
  readonly version?: string | undefined;
}

/** Tool calls of an installed server. Durations are accurate to 10 %. */
export interface ServerStatistics {
  /** The installed server. */
  readonly serverId: string;
  /** Its name. */
  readonly name: string;
  /** The number of tool calls that reached the server. */
  readonly calls: number;
  /** The number of these calls that failed, timed out or returned an error. */
  readonly errors: number;
  /** The median duration, in milliseconds; null without any. */
  readonly p50: number | "Infinity" | "-Infinity" | "NaN" | null;
  /** The 95th percentile of the duration, in milliseconds; null without any. */
  readonly p95: number | "Infinity" | "-Infinity" | "NaN" | null;
}

/** A tool or prompt of an installed server. */
export interface ServerTool {
  /** The server's own name of the tool. */
  readonly name: string;
  /** `tool`, or `prompt`: a template of messages, which is pinned, accepted and blocked like a tool. */
  readonly kind: "tool" | "prompt";
  /** `accepted`: agents can call it. `changed` and `new`: withheld until a person accepts it. `gone`: the server no longer lists it. `invalid`: withheld, because clients cannot read its definition. `blocked`: withheld by an Admin. */
  readonly state: "accepted" | "changed" | "new" | "gone" | "invalid" | "blocked";
  /** The reason of the state `invalid`; null in other states. */
  readonly reason: string | null;
  /** The SHA-256 hash, in hex, of `current`, or of `accepted` if the server no longer lists the tool. Pass it to accept the tool. Null if there is neither. */
  readonly digest: string | null;
  /** Estimated tokens that the definition costs a model: its characters divided by 4. 0 for a prompt, whose definition no model reads. */
  readonly tokens: number;
  /** Whether calls of the tool are effects, by the server's `once`. */
  readonly once: boolean;
  /** The accepted definition; null if there is none. */
  readonly accepted: ToolDefinition | null;
  /** The definition that the server listed last, repaired; null if the server no longer lists it, or if it is too large. */
  readonly current: ToolDefinition | null;
}

/** The body of a request that changes an installed server. Omitted fields do not change. */
export interface ServerUpdate {
  /** Values by variable name, each up to 65,536 characters without line ends. They are merged with the stored ones; null removes an optional value. */
  readonly envValues?: Readonly<Record<string, string | null>> | null | undefined;
  /** 1 to 32 characters of `a-z 0-9 -`. */
  readonly name?: string | null | undefined;
  /** `catalog` updates to the catalog's version if the verification of that version succeeds. */
  readonly version?: "catalog" | null | undefined;
  /** The largest result of a call, 1 to 33,554,432 bytes. A larger result is replaced with a result with `isError` that reports the size. Null: 4,194,304, the default. */
  readonly maxResultBytes?: number | null | undefined;
  /** The time after which an unused connection is closed, 0 to 31,536,000 seconds; 0: never. Null: 300, the default. */
  readonly idleSeconds?: number | null | undefined;
  /** The time after which a call without progress ends, 1 to 3,600 seconds. Null: the default of the service, which its operator sets (60). */
  readonly callTimeoutSeconds?: number | null | undefined;
  /** The time after which a call ends even with progress, 1 to 86,400 seconds. Null: 3,600, the default. */
  readonly callMaxSeconds?: number | null | undefined;
  /** Up to 50 rules. A tool has the first rule that names it without `*`, otherwise the first with a pattern that fits. Null: none, the default. */
  readonly once?: ReadonlyArray<OnceRuleInput> | null | undefined;
  /** The state of an effect whose result has `isError`: `retry` sends an equal call again, `unknown` refuses it until the effect is settled. Null: `retry`, the default. */
  readonly onceErrors?: "retry" | "unknown" | null | undefined;
  /** The callers that may settle an unknown effect: `agent` for agents too, `person` for people only. Null: `agent`, the default. */
  readonly settle?: "agent" | "person" | null | undefined;
  /** Whether requests to the server have `quartermaster/call` (whose call it is) and the caller's `traceparent`, `tracestate` and `baggage` in `_meta`. Null: true for a server by stdio and false for a remote server, the default. */
  readonly sendContext?: boolean | null | undefined;
  /** The parts of the server's calls that are recorded: `none` for outcomes only, `errors` for texts of errors too, `all` for arguments and results too. Null: `errors`, the default. */
  readonly recordCalls?: "none" | "errors" | "all" | null | undefined;
}

/** The body that starts a session. */
export type SessionCreate =
  | {
      /** An API key of a user, 1 to 4,096 characters. */
      readonly apiKey: string;
    }
  | {
      /** The token of a sign-in link, 1 to 4,096 characters. */
      readonly signInToken: string;
    };

/** A new session, with its secret. */
export interface SessionCreated {
  /** The principal of the caller. */
  readonly principal: Principal;
  /** When the session, token or key expires; null for a key that never expires. */
  readonly expiresAt: string | null;
  /** To be sent as `Quartermaster-Session` with every write by cookie. No other response contains it. */
  readonly sessionSecret: string;
}

/** The principal of the caller, and when the credentials expire. */
export interface SessionInfo {
  /** The principal of the caller. */
  readonly principal: Principal;
  /** When the session, token or key expires; null for a key that never expires. */
  readonly expiresAt: string | null;
}

/** A short-lived bearer token for the session's principal. */
export interface SessionToken {
  /** The token, to send as `Authorization: Bearer <token>`. */
  readonly token: string;
  /** When the token expires: 15 minutes after its creation. It also expires with its session. */
  readonly expiresAt: string;
}

/** The token of a sign-in link. */
export interface SignInLink {
  /** The token. The link is the dashboard's URL with the fragment `#sign-in=<token>`; it signs in once, as the caller's key. */
  readonly signInToken: string;
  /** When the link expires: 5 minutes after its creation. It also ends with the key. */
  readonly expiresAt: string;
}

/** Statistics of a window. */
export interface Statistics {
  /** The requested window. */
  readonly window: "24h" | "7d" | "30d";
  /** The start of the window. */
  readonly from: string;
  /** The end of the window, which is the end of the current hour or day. */
  readonly to: string;
  /** The time up to which everything is counted. Usually a few seconds ago; earlier while a server counts a log for the first time. */
  readonly asOf: string;
  /** The length of each element of `series`. */
  readonly bucket: "hour" | "day";
  /** The number of issues by status, now. */
  readonly issues: StatusCounts;
  /** Each hour or day of the window, oldest first. */
  readonly series: ReadonlyArray<{
    /** The start of the hour or day. */
    readonly at: string;
    /** The number of issues that were created. */
    readonly created: number;
    /** The number of times that an issue became Resolved. */
    readonly resolved: number;
    /** The number of times that an issue became Closed. */
    readonly closed: number;
    /** The number of runs that finished as `failed`. */
    readonly failed: number;
    /** The number of runs whose lease expired. */
    readonly expired: number;
  }>;
  /** The time that issues spent in each status. An issue that is still in its status counts with the time until now. Of more than 1,000 issues in a status, about 1,000 are read, at most once a minute. */
  readonly timeInStatus: {
    /** Stays in Open that ended in the window, and the issues that are Open now. */
    readonly Open: TimeInStatus;
    /** Stays in InProgress that ended in the window, and the issues that are InProgress now. */
    readonly InProgress: TimeInStatus;
    /** Stays in WaitingOnDependency that ended in the window, and the issues that are WaitingOnDependency now. */
    readonly WaitingOnDependency: TimeInStatus;
    /** Stays in PendingReview that ended in the window, and the issues that are PendingReview now. */
    readonly PendingReview: TimeInStatus;
    /** Stays in Resolved that ended in the window. */
    readonly Resolved: TimeInStatus;
    /** Stays in Closed that ended in the window. */
    readonly Closed: TimeInStatus;
  };
  /** Runs of the window. */
  readonly runs: RunCounts;
  /** The sums of the same time before `from`. */
  readonly previous: {
    /** The number of issues that were created. */
    readonly created: number;
    /** The number of times that an issue became Resolved. */
    readonly resolved: number;
    /** The number of times that an issue became Closed. */
    readonly closed: number;
    /** Runs. */
    readonly runs: RunCounts;
  };
  /** Agents of all projects, now. */
  readonly agents: {
    /** The number of agents with a heartbeat in the last 10 minutes. */
    readonly active: number;
    /** The number of other registered agents. */
    readonly silent: number;
  };
  /** Installed servers, oldest first. Null unless the caller is an Admin that is bound to no project and omits `projectId`. */
  readonly servers: ReadonlyArray<ServerStatistics> | null;
}

/** The number of issues by status. */
export interface StatusCounts {
  /** The number of issues that are Open. */
  readonly Open: number;
  /** The number of issues that are InProgress. */
  readonly InProgress: number;
  /** The number of issues that are WaitingOnDependency. */
  readonly WaitingOnDependency: number;
  /** The number of issues that are PendingReview. */
  readonly PendingReview: number;
  /** The number of issues that are Resolved. */
  readonly Resolved: number;
  /** The number of issues that are Closed. */
  readonly Closed: number;
}

/** A change of a description or comment that a run may have read before. */
export interface TextChange {
  /** The text that changed. */
  readonly kind: "description" | "comment";
  /** The comment that changed; null for the description. */
  readonly commentId: string | null;
  /** The version of the comment or issue since. */
  readonly version: number;
  /** The text now: null for a description that was removed, empty for a comment that was deleted. */
  readonly content: string | null;
  /** The user or agent that changed the text. */
  readonly actor: Actor;
  /** When the text changed. */
  readonly at: string;
}

/** The time that issues spent in a status, accurate to 10 %. */
export interface TimeInStatus {
  /** The median of the stays, in seconds; null without any. */
  readonly median: number | "Infinity" | "-Infinity" | "NaN" | null;
  /** The 90th percentile of the stays, in seconds; null without any. */
  readonly p90: number | "Infinity" | "-Infinity" | "NaN" | null;
}

/** The body of a request that accepts tools. */
export interface ToolAcceptance {
  /** Up to 10,000 tools and prompts. The digest tells a prompt from a tool with its name. */
  readonly tools: ReadonlyArray<{
    /** The server's own name of the tool. */
    readonly name: string;
    /** The tool's `digest` in the list of the server's tools. */
    readonly digest: string;
  }>;
  /** The `digest` of the server's `instructions`, to accept them as well. Default: the accepted instructions do not change. */
  readonly instructions?: string | null | undefined;
}

/** The record of a tool call, without its arguments and result. */
export interface ToolCall {
  /** The call's id. */
  readonly id: string;
  /** The agent that called the tool. */
  readonly agentId: string;
  /** The run that the call acted for; null for none. */
  readonly runId: string | null;
  /** The issue of the run; null without a run. */
  readonly issueId: string | null;
  /** The project of the issue; null without a run. */
  readonly projectId: string | null;
  /** The key of the request; null for a call by the host itself. */
  readonly keyId: string | null;
  /** The process that sent the request; null if unknown. */
  readonly worker: string | null;
  /** The installed server; null for an unknown tool. */
  readonly serverId: string | null;
  /** The server's name at the time of the call; null for an unknown tool. */
  readonly server: string | null;
  /** The server's own name of the tool; for an unknown tool, the name that the agent called; `resources/read` for a resource. */
  readonly tool: string;
  /** SHA-256 of the accepted definition of the tool; null if there is none. */
  readonly toolDigest: string | null;
  /** When the call started. */
  readonly startedAt: string;
  /** The duration in milliseconds; null while the call is in flight. */
  readonly durationMs: number | null;
  /** `ok`; `error` if the tool or its server reported an error; `cancelled`; the reason why the call could not be made; `lost` if the node stopped during the call; `refused` because of its run or its effect; `replayed` for the result of an earlier call. Null while the call is in flight. */
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
    | "agentPaused"
    | "otherNode"
    | "lost"
    | "refused"
    | "replayed"
    | null;
  /** The text of the failure without the server's secrets, at most 2 KiB; null for `ok`, and if it was not recorded or the caller may not read it. */
  readonly error: string | null;
  /** The size of the arguments as JSON, in bytes. */
  readonly requestBytes: number;
  /** The size of the result as JSON, in bytes. */
  readonly responseBytes: number;
  /** The recorded parts: `none` for outcomes only, `errors` for texts of errors too, `all` for arguments and result too. */
  readonly recorded: "none" | "errors" | "all";
}

/** The record of a tool call, with its arguments and result if they were recorded. */
export interface ToolCallDetails {
  /** The call's id. */
  readonly id: string;
  /** The agent that called the tool. */
  readonly agentId: string;
  /** The run that the call acted for; null for none. */
  readonly runId: string | null;
  /** The issue of the run; null without a run. */
  readonly issueId: string | null;
  /** The project of the issue; null without a run. */
  readonly projectId: string | null;
  /** The key of the request; null for a call by the host itself. */
  readonly keyId: string | null;
  /** The process that sent the request; null if unknown. */
  readonly worker: string | null;
  /** The installed server; null for an unknown tool. */
  readonly serverId: string | null;
  /** The server's name at the time of the call; null for an unknown tool. */
  readonly server: string | null;
  /** The server's own name of the tool; for an unknown tool, the name that the agent called; `resources/read` for a resource. */
  readonly tool: string;
  /** SHA-256 of the accepted definition of the tool; null if there is none. */
  readonly toolDigest: string | null;
  /** When the call started. */
  readonly startedAt: string;
  /** The duration in milliseconds; null while the call is in flight. */
  readonly durationMs: number | null;
  /** `ok`; `error` if the tool or its server reported an error; `cancelled`; the reason why the call could not be made; `lost` if the node stopped during the call; `refused` because of its run or its effect; `replayed` for the result of an earlier call. Null while the call is in flight. */
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
    | "agentPaused"
    | "otherNode"
    | "lost"
    | "refused"
    | "replayed"
    | null;
  /** The text of the failure without the server's secrets, at most 2 KiB; null for `ok`, and if it was not recorded or the caller may not read it. */
  readonly error: string | null;
  /** The size of the arguments as JSON, in bytes. */
  readonly requestBytes: number;
  /** The size of the result as JSON, in bytes. */
  readonly responseBytes: number;
  /** The recorded parts: `none` for outcomes only, `errors` for texts of errors too, `all` for arguments and result too. */
  readonly recorded: "none" | "errors" | "all";
  /** The arguments without the server's secrets, up to 64 KiB as JSON; beyond that, the start of the JSON as text. Null if they were not recorded, and for a call that was not sent. */
  readonly arguments: Readonly<Record<string, unknown>> | string | null;
  /** The result without the server's secrets, up to 64 KiB as JSON; beyond that, the start of the JSON as text. Null if there is none or it was not recorded. */
  readonly result: Readonly<Record<string, unknown>> | string | null;
  /** Whether `arguments` or `result` is only the start of the JSON. */
  readonly truncated: boolean;
}

/** The body that calls a tool. */
export interface ToolCallRequest {
  /** The name of the tool in the agent's list. */
  readonly name: string;
  /** Arguments that match the tool's input schema. Default: none. */
  readonly arguments?: Readonly<Record<string, unknown>> | null | undefined;
  /** The run that the call acts for. Default: the run of `Quartermaster-Run`, or none. */
  readonly runId?: string | null | undefined;
}

/** The result of a tool call. */
export interface ToolCallResult {
  /** Content blocks, as MCP defines them. */
  readonly content: ReadonlyArray<Readonly<Record<string, unknown>>>;
  /** The result as an object; null if there is none. */
  readonly structuredContent: Readonly<Record<string, unknown>> | null;
  /** Whether the tool reported an error. */
  readonly isError: boolean;
  /** Members of the protocol; `quartermaster/replayed` names the call and the time of a recorded result. Missing if there is none. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The definition of a tool, with every property that its server listed. */
export type ToolDefinition = Readonly<Record<string, unknown>>;

/** The body of a request that blocks or unblocks tools of a server. */
export interface ToolNames {
  /** Up to 10,000 names, as the server lists them, including tools that it has not listed yet. */
  readonly names: ReadonlyArray<string>;
}

/** The body of a request that blocks or unblocks tools of a server. */
export interface ToolNames_1 {
  /** Up to 10,000 names, as the server lists them, including tools that it has not listed yet. */
  readonly names: ReadonlyArray<string>;
}

/** The body of a request that ends a turn. */
export interface Turn {
  /** The work that the agent does now, 1 to 2,000 characters. The run shows the newest note, and its timeline all. Default: none. */
  readonly note?: string | null | undefined;
  /** Tokens and cost since the last report, up to 50 reports. They count even if the request is refused because the run ended at most 10 minutes ago. Default: none. */
  readonly usage?: ReadonlyArray<UsageReport> | null | undefined;
}

/** The response to a turn: continue or stop. */
export interface TurnAnswer {
  /** `continue`, or `stop`: the run has ended, and the agent must leave the issue as it is. */
  readonly action: "continue" | "stop";
  /** The reason why the run has to stop; null to continue. */
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
    | "takenOver"
    | "budget"
    | "unknown"
    | null;
  /** Changes exactly when the agent's list of tools changes. */
  readonly toolsRevision: string;
  /** Comments by others since the run's last turn, oldest first. At most 500; the rest follows at the next turn. */
  readonly comments: ReadonlyArray<Comment>;
  /** Texts that others changed since the run's last turn or its start: the description, and comments that are not in `comments`. Each once with its text now, in the order of the changes. At most 50; the rest follows at the next turn. */
  readonly changes: ReadonlyArray<TextChange>;
}

/** The usage of a run. */
export interface UsageAnswer {
  /** The usage of the run; null if nothing was reported. */
  readonly usage: RunUsage | null;
}

/** Tokens and cost of one or more requests to a model. Numbers are integers from 0 to 10,000,000,000. */
export interface UsageReport {
  /** The report's key, 1 to 64 characters. A run counts a key once: a repeat with the same values changes nothing, and one with other values is 409. */
  readonly key: string;
  /** The model, 1 to 200 characters. */
  readonly model: string;
  /** The model's provider, 1 to 200 characters. Default: null. */
  readonly provider?: string | null | undefined;
  /** The reporter. A run counts only the reports of its best source: `runner`, then `host`, `agent`, `otlp`. Default: `agent`. */
  readonly source?: "runner" | "host" | "agent" | "otlp" | null | undefined;
  /** All input tokens, including tokens that a cache was read from or written to. */
  readonly inputTokens: number;
  /** All output tokens, including reasoning. */
  readonly outputTokens: number;
  /** The input tokens that were read from a cache. Default: 0. */
  readonly cacheReadTokens?: number | null | undefined;
  /** The input tokens that were written to a cache. Default: 0. */
  readonly cacheWriteTokens?: number | null | undefined;
  /** The output tokens of reasoning. Default: 0. */
  readonly reasoningTokens?: number | null | undefined;
  /** The number of requests to the model. Default: 1. */
  readonly requests?: number | null | undefined;
  /** The cost in millionths of a US dollar, as the host knows it. Default: null, which means unknown. */
  readonly costMicros?: number | null | undefined;
  /** Whether the values are the totals of `session` until now, over all runs. Only the difference to earlier totals is counted. Default: false. */
  readonly cumulative?: boolean | null | undefined;
  /** The host's session, 1 to 128 characters; required with `cumulative`. Default: null. */
  readonly session?: string | null | undefined;
}

/** Reports of tokens and cost. */
export interface UsageReports {
  /** Up to 50 reports. */
  readonly usage: ReadonlyArray<UsageReport>;
}

/** The result of a verification. */
export interface VerifyResult {
  /** `ok` if the server started and listed its tools, otherwise `error`. */
  readonly status: "ok" | "error";
  /** The response time in milliseconds and the number of tools, or the reason of the failure. */
  readonly details: string;
  /** Names of the tools, in the server's order; missing after a failure. */
  readonly capabilities?: ReadonlyArray<string> | undefined;
  /** Estimated tokens that the definitions of these tools cost a model; null after a failure. */
  readonly tokens: number | null;
}

/** A URL to which the service sends events, without its secret. */
export interface Webhook {
  /** The webhook's id, `whk_...`. */
  readonly id: string;
  /** The URL, with `…` instead of everything after the first segment of its path: the rest is often a secret. */
  readonly url: string;
  /** 1 to 64 characters. */
  readonly name: string;
  /** Kinds of events such as `issue.asked`, families such as `issue.*`, and `attention`, which is what waits for a person. */
  readonly kinds: ReadonlyArray<string>;
  /** The project whose events the webhook gets; null for all, and for events without a project. */
  readonly projectId: string | null;
  /** The body of its requests. `standard`: the event and its issue as JSON. `text`: `text` with one sentence, which Slack and Mattermost accept. */
  readonly format: "standard" | "text";
  /** `enabled`; `disabled` by a caller, or by a receiver that responded with 410; `failing`, which the service sets. Nothing is sent to a webhook that is not enabled, and nothing waits for it. */
  readonly status: "enabled" | "disabled" | "failing";
  /** `gone`: the receiver responded with 410. `noSuccess`: an event failed ten times, and none succeeded for 72 hours. `tooManyWaiting`: more than 100,000 deliveries waited. Null if a caller set the status. */
  readonly statusReason: "gone" | "noSuccess" | "tooManyWaiting" | null;
  /** When the secret that signs was set or rotated. */
  readonly secretSetAt: string;
  /** The caller that created the webhook. */
  readonly createdBy: Actor;
  /** When the webhook was created. */
  readonly createdAt: string;
  /** When its fields, its status or its secret last changed. */
  readonly updatedAt: string;
  /** The newest delivery that was attempted; null if there is none. */
  readonly lastDelivery: WebhookDelivery | null;
}

/** The body of a request that creates a webhook. */
export interface WebhookCreate {
  /** An `https` URL of up to 2,048 characters, without a user name and a fragment, that is not an address of a private network. */
  readonly url: string;
  /** 1 to 64 characters after trimming. */
  readonly name: string;
  /** 1 to 100. Kinds of events such as `issue.asked`, families such as `issue.*`, and `attention`, which is what waits for a person. `run.logged` is not possible. With `projectId`, neither are kinds of events without a project. */
  readonly kinds: ReadonlyArray<string>;
  /** The webhook gets what a Viewer bound to this project sees. Default: null, which means all events. */
  readonly projectId?: string | null | undefined;
  /** The body of its requests. Default: standard. */
  readonly format?: "standard" | "text" | null | undefined;
  /** A secret of your own: `whsec_` and the base64 of 24 to 64 bytes. Default: 32 random bytes. */
  readonly secret?: string | null | undefined;
}

/** A new webhook, with its secret. */
export interface WebhookCreated {
  /** The webhook's id, `whk_...`. */
  readonly id: string;
  /** The URL, with `…` instead of everything after the first segment of its path: the rest is often a secret. */
  readonly url: string;
  /** 1 to 64 characters. */
  readonly name: string;
  /** Kinds of events such as `issue.asked`, families such as `issue.*`, and `attention`, which is what waits for a person. */
  readonly kinds: ReadonlyArray<string>;
  /** The project whose events the webhook gets; null for all, and for events without a project. */
  readonly projectId: string | null;
  /** The body of its requests. `standard`: the event and its issue as JSON. `text`: `text` with one sentence, which Slack and Mattermost accept. */
  readonly format: "standard" | "text";
  /** `enabled`; `disabled` by a caller, or by a receiver that responded with 410; `failing`, which the service sets. Nothing is sent to a webhook that is not enabled, and nothing waits for it. */
  readonly status: "enabled" | "disabled" | "failing";
  /** `gone`: the receiver responded with 410. `noSuccess`: an event failed ten times, and none succeeded for 72 hours. `tooManyWaiting`: more than 100,000 deliveries waited. Null if a caller set the status. */
  readonly statusReason: "gone" | "noSuccess" | "tooManyWaiting" | null;
  /** When the secret that signs was set or rotated. */
  readonly secretSetAt: string;
  /** The caller that created the webhook. */
  readonly createdBy: Actor;
  /** When the webhook was created. */
  readonly createdAt: string;
  /** When its fields, its status or its secret last changed. */
  readonly updatedAt: string;
  /** The newest delivery that was attempted; null if there is none. */
  readonly lastDelivery: WebhookDelivery | null;
  /** The secret, `whsec_` and the base64 of its bytes. No other response has it; null if the request is repeated with its Idempotency-Key. */
  readonly secret: string | null;
}

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  /** The delivery's id, `dlv_...`. */
  readonly id: string;
  /** The webhook. */
  readonly webhookId: string;
  /** The event, which is the `webhook-id` of every attempt. */
  readonly eventId: string;
  /** The event's kind, or `webhook.test`. */
  readonly kind: string;
  /** `pending`: an attempt is due, waits or is in flight. `delivered`: a response with a status of 200 to 299. `failed`: every attempt failed. `skipped`: it was not sent. */
  readonly status: "pending" | "delivered" | "failed" | "skipped";
  /** The number of attempts that ended. */
  readonly attempts: number;
  /** When the next attempt is due; while one is in flight, when another node would repeat it. Null unless pending. */
  readonly nextAttemptAt: string | null;
  /** The HTTP status of the last response; null if there was none. */
  readonly lastStatus: number | null;
  /** The reason why the last attempt failed, or why the delivery was skipped. */
  readonly lastError: string | null;
  /** The first 1,024 bytes of the last response as text, without control characters; null for receivers that are not on the public internet. */
  readonly lastResponse: string | null;
  /** The milliseconds of the last attempt; null without one. */
  readonly durationMs: number | null;
  /** When the delivery was queued. */
  readonly createdAt: string;
  /** When the receiver accepted it; null if it did not. */
  readonly deliveredAt: string | null;
}

/** The start of a replay: exactly one of the two. */
export interface WebhookReplay {
  /** The id of a retained event: the events after it are sent again. */
  readonly after?: string | null | undefined;
  /** A time: the events since then are sent again, including events of this time. ISO 8601 with `Z` or an offset. */
  readonly from?: string | null | undefined;
}

/** The size of a replay. */
export interface WebhookReplayed {
  /** The number of events that are sent again, at most 10000. */
  readonly events: number;
}

/** The body of a request that rotates the secret of a webhook. */
export interface WebhookRotate {
  /** A secret of your own: `whsec_` and the base64 of 24 to 64 bytes. Default: 32 random bytes. */
  readonly secret?: string | null | undefined;
}

/** A webhook with its new secret. */
export interface WebhookRotated {
  /** The webhook's id, `whk_...`. */
  readonly id: string;
  /** The URL, with `…` instead of everything after the first segment of its path: the rest is often a secret. */
  readonly url: string;
  /** 1 to 64 characters. */
  readonly name: string;
  /** Kinds of events such as `issue.asked`, families such as `issue.*`, and `attention`, which is what waits for a person. */
  readonly kinds: ReadonlyArray<string>;
  /** The project whose events the webhook gets; null for all, and for events without a project. */
  readonly projectId: string | null;
  /** The body of its requests. `standard`: the event and its issue as JSON. `text`: `text` with one sentence, which Slack and Mattermost accept. */
  readonly format: "standard" | "text";
  /** `enabled`; `disabled` by a caller, or by a receiver that responded with 410; `failing`, which the service sets. Nothing is sent to a webhook that is not enabled, and nothing waits for it. */
  readonly status: "enabled" | "disabled" | "failing";
  /** `gone`: the receiver responded with 410. `noSuccess`: an event failed ten times, and none succeeded for 72 hours. `tooManyWaiting`: more than 100,000 deliveries waited. Null if a caller set the status. */
  readonly statusReason: "gone" | "noSuccess" | "tooManyWaiting" | null;
  /** When the secret that signs was set or rotated. */
  readonly secretSetAt: string;
  /** The caller that created the webhook. */
  readonly createdBy: Actor;
  /** When the webhook was created. */
  readonly createdAt: string;
  /** When its fields, its status or its secret last changed. */
  readonly updatedAt: string;
  /** The newest delivery that was attempted; null if there is none. */
  readonly lastDelivery: WebhookDelivery | null;
  /** The secret, `whsec_` and the base64 of its bytes. Standard Webhooks libraries verify the signatures with it. */
  readonly secret: string;
}

/** The body of a request that changes a webhook. Missing fields do not change. */
export interface WebhookUpdate {
  /** A new URL. The URL of a response, with its `…`, changes nothing. */
  readonly url?: string | null | undefined;
  /** A new name. */
  readonly name?: string | null | undefined;
  /** All kinds that it gets now. */
  readonly kinds?: ReadonlyArray<string> | null | undefined;
  /** Another project; null for all events. */
  readonly projectId?: string | null | undefined;
  /** Another body. */
  readonly format?: "standard" | "text" | null | undefined;
  /** `disabled` skips what waits. `enabled` starts with the next event, also for a webhook that is failing. */
  readonly status?: "enabled" | "disabled" | null | undefined;
}
