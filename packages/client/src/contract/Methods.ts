// Written by `npm run openapi` from the contract in packages/http/src/api.

import type { EventStream } from "../Events.ts";
import type {
  CallOptions,
  ChangeOptions,
  CreateOptions,
  EventOptions,
  Upload,
} from "../Options.ts";
import type { Pages } from "../Pages.ts";
import type * as Schemas from "./Schemas.ts";

/** A method for each endpoint of the contract, by group. */
export interface Methods {
  readonly issues: {
    /**
     * List a project's issues.
     *
     * Newest first by default; paged. All filters must match. A project without issues is an empty array.
     *
     * Role: Viewer or above.
     */
    readonly list: ((
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
        /** Issues of these statuses only, separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
        readonly status?: string | undefined;
        /** Issues whose assigned agent or assigned user has this id. */
        readonly assigneeId?: string | undefined;
        /** Issues of this goal only. */
        readonly goalId?: string | undefined;
        /** Issues of this priority only. */
        readonly priority?: "urgent" | "high" | "normal" | "low" | undefined;
        /** Full text: issues that contain all words in title, description and comments, in any order and case, without a query syntax. At most 1,024 UTF-16 units and 32 distinct words. */
        readonly q?: string | undefined;
        /** Issues that changed at this time or later. ISO 8601 with `Z` or an offset. */
        readonly updatedSince?: string | undefined;
        /** Issues that have this label; all of them, if several are given, up to 32. */
        readonly label?: ReadonlyArray<string> | undefined;
        /** Issues with this external reference only. */
        readonly externalRef?: string | undefined;
        /** True: issues that are paused. False: all others. */
        readonly paused?: boolean | undefined;
        /** True: issues that their agent would pick up now. False: all others. */
        readonly ready?: boolean | undefined;
        /** `created` (default) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed. */
        readonly sort?: "created" | "updated" | "priority" | undefined;
        /** `brief` leaves out `description`, `links` and `metadata`, and adds the numbers of open blockers, blocked issues and questions, and the live run. Default: `full`. */
        readonly view?: "full" | undefined;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Issue>) &
      ((
        args: {
          /** The project's id, chosen by the host. */
          readonly projectId: string;
          /** Issues of these statuses only, separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
          readonly status?: string | undefined;
          /** Issues whose assigned agent or assigned user has this id. */
          readonly assigneeId?: string | undefined;
          /** Issues of this goal only. */
          readonly goalId?: string | undefined;
          /** Issues of this priority only. */
          readonly priority?: "urgent" | "high" | "normal" | "low" | undefined;
          /** Full text: issues that contain all words in title, description and comments, in any order and case, without a query syntax. At most 1,024 UTF-16 units and 32 distinct words. */
          readonly q?: string | undefined;
          /** Issues that changed at this time or later. ISO 8601 with `Z` or an offset. */
          readonly updatedSince?: string | undefined;
          /** Issues that have this label; all of them, if several are given, up to 32. */
          readonly label?: ReadonlyArray<string> | undefined;
          /** Issues with this external reference only. */
          readonly externalRef?: string | undefined;
          /** True: issues that are paused. False: all others. */
          readonly paused?: boolean | undefined;
          /** True: issues that their agent would pick up now. False: all others. */
          readonly ready?: boolean | undefined;
          /** `created` (default) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed. */
          readonly sort?: "created" | "updated" | "priority" | undefined;
          /** `brief` leaves out `description`, `links` and `metadata`, and adds the numbers of open blockers, blocked issues and questions, and the live run. Default: `full`. */
          readonly view: "brief";
          /** Items per page, 1 to 500. Default: 100. */
          readonly limit?: number | undefined;
          /** Where the page starts, from the `next` link of the previous page. */
          readonly cursor?: string | undefined;
          /** `asc`: oldest first. `desc`: newest first. */
          readonly order?: "asc" | "desc" | undefined;
        },
        options?: CallOptions,
      ) => Pages<Schemas.BriefIssue>);
    /**
     * Create an issue.
     *
     * With `blockedByIssueId` the issue waits for that blocker; otherwise it is `Open`.
     *
     * Role: Editor or above.
     */
    readonly create: (
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
      } & Schemas.IssueCreate,
      options?: CreateOptions,
    ) => Promise<Schemas.Issue>;
    /**
     * List issues of all projects.
     *
     * Of all projects that the caller may see. Newest first by default; paged. All filters must match.
     *
     * Role: Viewer or above.
     */
    readonly listAcross: ((
      args?: {
        /** Issues of these projects only, up to 100. A project that the caller may not see has no issues. */
        readonly projectId?: ReadonlyArray<string> | undefined;
        /** Issues of these statuses only, separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
        readonly status?: string | undefined;
        /** Issues whose assigned agent or assigned user has this id. */
        readonly assigneeId?: string | undefined;
        /** Issues of this goal only. */
        readonly goalId?: string | undefined;
        /** Issues of this priority only. */
        readonly priority?: "urgent" | "high" | "normal" | "low" | undefined;
        /** Full text: issues that contain all words in title, description and comments, in any order and case, without a query syntax. At most 1,024 UTF-16 units and 32 distinct words. */
        readonly q?: string | undefined;
        /** Issues that changed at this time or later. ISO 8601 with `Z` or an offset. */
        readonly updatedSince?: string | undefined;
        /** Issues that have this label; all of them, if several are given, up to 32. */
        readonly label?: ReadonlyArray<string> | undefined;
        /** Issues with this external reference only. */
        readonly externalRef?: string | undefined;
        /** True: issues that are paused. False: all others. */
        readonly paused?: boolean | undefined;
        /** True: issues that their agent would pick up now. False: all others. */
        readonly ready?: boolean | undefined;
        /** `created` (default) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed. */
        readonly sort?: "created" | "updated" | "priority" | undefined;
        /** `brief` leaves out `description`, `links` and `metadata`, and adds the numbers of open blockers, blocked issues and questions, and the live run. Default: `full`. */
        readonly view?: "full" | undefined;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Issue>) &
      ((
        args: {
          /** Issues of these projects only, up to 100. A project that the caller may not see has no issues. */
          readonly projectId?: ReadonlyArray<string> | undefined;
          /** Issues of these statuses only, separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
          readonly status?: string | undefined;
          /** Issues whose assigned agent or assigned user has this id. */
          readonly assigneeId?: string | undefined;
          /** Issues of this goal only. */
          readonly goalId?: string | undefined;
          /** Issues of this priority only. */
          readonly priority?: "urgent" | "high" | "normal" | "low" | undefined;
          /** Full text: issues that contain all words in title, description and comments, in any order and case, without a query syntax. At most 1,024 UTF-16 units and 32 distinct words. */
          readonly q?: string | undefined;
          /** Issues that changed at this time or later. ISO 8601 with `Z` or an offset. */
          readonly updatedSince?: string | undefined;
          /** Issues that have this label; all of them, if several are given, up to 32. */
          readonly label?: ReadonlyArray<string> | undefined;
          /** Issues with this external reference only. */
          readonly externalRef?: string | undefined;
          /** True: issues that are paused. False: all others. */
          readonly paused?: boolean | undefined;
          /** True: issues that their agent would pick up now. False: all others. */
          readonly ready?: boolean | undefined;
          /** `created` (default) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed. */
          readonly sort?: "created" | "updated" | "priority" | undefined;
          /** `brief` leaves out `description`, `links` and `metadata`, and adds the numbers of open blockers, blocked issues and questions, and the live run. Default: `full`. */
          readonly view: "brief";
          /** Items per page, 1 to 500. Default: 100. */
          readonly limit?: number | undefined;
          /** Where the page starts, from the `next` link of the previous page. */
          readonly cursor?: string | undefined;
          /** `asc`: oldest first. `desc`: newest first. */
          readonly order?: "asc" | "desc" | undefined;
        },
        options?: CallOptions,
      ) => Pages<Schemas.BriefIssue>);
    /**
     * Create the issues of a plan.
     *
     * Creates up to 500 issues that may wait for each other, or nothing. `blockedBy` names issues of the plan by `ref` and other issues by id. The body may have 8 MiB. Returns the issues in the order of the plan.
     *
     * Role: Editor or above.
     */
    readonly plan: (
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
      } & Schemas.Plan,
      options?: CreateOptions,
    ) => Promise<ReadonlyArray<Schemas.CreatedIssue>>;
    /**
     * Get an issue.
     *
     * Needs no project id. `ETag` is the version of the issue.
     *
     * Role: Viewer or above.
     */
    readonly get: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.Issue>;
    /**
     * Update an issue.
     *
     * By the agent whose run holds the issue, the status `PendingReview`, `Resolved` or `Open` finishes the run. Changes fields and status together, or nothing. An omitted field is left alone; `null` clears a field that may be null. The status `Resolved` frees dependents that no other open blocker holds.
     *
     * Role: Editor or above.
     */
    readonly update: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      } & Schemas.IssueUpdate,
      options?: ChangeOptions,
    ) => Promise<Schemas.ChangedIssue>;
    /**
     * Delete an issue.
     *
     * Permanently deletes the issue with its comments, attachments, links and timeline. `confirm` must be true.
     *
     * Role: Editor or above.
     */
    readonly delete: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Must be true: the deletion is permanent. */
        readonly confirm?: boolean | undefined;
      },
      options?: ChangeOptions,
    ) => Promise<void>;
    /**
     * Close an issue.
     *
     * Open dependents forbid it unless `force` is true, and then become `Open`. Closing a closed issue changes nothing.
     *
     * Role: Editor or above.
     */
    readonly close: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Close the issue though open dependents wait for it. Default: false. */
        readonly force?: boolean | undefined;
      },
      options?: ChangeOptions,
    ) => Promise<void>;
    /**
     * Pause an issue.
     *
     * An issue that is `InProgress` becomes `Open`, and its agent stops at the next turn. No heartbeat picks it up until a person resumes it.
     *
     * Role: Editor or above.
     */
    readonly pause: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      },
      options?: ChangeOptions,
    ) => Promise<void>;
    /**
     * Resume a paused issue.
     *
     * The issue becomes `InProgress`, and its agent picks it up at the next heartbeat.
     *
     * Role: Editor or above.
     */
    readonly resume: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      },
      options?: ChangeOptions,
    ) => Promise<void>;
    /**
     * Get an issue's readiness.
     *
     * Returns whether the agent's next heartbeat would pick the issue up, and every reason why not.
     *
     * Role: Viewer or above.
     */
    readonly readiness: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.Readiness>;
    /**
     * Get an issue's graph.
     *
     * The issue with its transitive blockers and dependents, up to 500 issues. Issues that the caller may not see are left out, and what lies beyond them.
     *
     * Role: Viewer or above.
     */
    readonly graph: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** How many links away from its start the graph goes, 1 to 50. Default: 10. */
        readonly depth?: number | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.IssueGraph>;
    /**
     * Get an issue's timeline.
     *
     * Oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly activity: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Activity>;
  };
  readonly comments: {
    /**
     * List an issue's comments.
     *
     * Oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Comment>;
    /**
     * Comment on an issue.
     *
     * The author is who the key acts as. Comments are part of the timeline, and the next turn of the run that holds the issue returns them.
     *
     * Role: Editor or above.
     */
    readonly create: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      } & Schemas.CommentCreate,
      options?: CreateOptions,
    ) => Promise<Schemas.Comment>;
  };
  readonly links: {
    /**
     * List an issue's links.
     *
     * Outgoing and incoming links, as seen from this issue, oldest first by default; paged. Links to issues that the caller may not see are left out.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.IssueLink>;
    /**
     * Link two issues.
     *
     * `BlockedBy` makes this issue wait for the other; `Blocks` makes the other wait for this one.
     *
     * Role: Editor or above.
     */
    readonly create: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      } & Schemas.LinkCreate,
      options?: CreateOptions,
    ) => Promise<Schemas.IssueLink>;
    /**
     * Delete a link.
     *
     * From either end; the caller must see both issues. An issue without another open blocker becomes `Open`.
     *
     * Role: Editor or above.
     */
    readonly delete: (
      args: {
        /** The link's id. */
        readonly linkId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
  };
  readonly questions: {
    /**
     * Ask a person.
     *
     * While a blocking question is open, no heartbeat picks the issue up; a live run continues. An agent asks a blocking question only on an issue that is assigned to it (403). An open question of the issue with the same `key` is returned with 200. At most 20 questions of an issue are open.
     *
     * Role: Editor or above.
     */
    readonly ask: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      } & Schemas.QuestionCreate,
      options?: CreateOptions,
    ) => Promise<Schemas.Question>;
    /**
     * List an issue's questions.
     *
     * Oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
        /** Questions of this status only. */
        readonly status?: "open" | "answered" | "expired" | "withdrawn" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Question>;
    /**
     * Get a question.
     *
     * A question whose time is over reads as `expired`.
     *
     * Role: Viewer or above.
     */
    readonly get: (
      args: {
        /** The question's id. */
        readonly questionId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.Question>;
    /**
     * Withdraw a question.
     *
     * A question that is answered or expired is 409; a withdrawn one stays withdrawn.
     *
     * Role: Editor or above.
     */
    readonly withdraw: (
      args: {
        /** The question's id. */
        readonly questionId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
    /**
     * Answer a question.
     *
     * Only a person answers: an agent's key is 403. The answer also becomes a comment by the person, so the next turn of the issue's run returns it. The same answer by the same person again is 200.
     *
     * Role: Editor or above.
     */
    readonly answer: (
      args: {
        /** The question's id. */
        readonly questionId: string;
      } & Schemas.QuestionAnswer,
      options?: CreateOptions,
    ) => Promise<Schemas.Question>;
  };
  readonly attachments: {
    /**
     * Attach a file to an issue.
     *
     * Takes `multipart/form-data` with exactly one part, `file`, which names the file. An interrupted upload leaves nothing behind.
     *
     * Role: Editor or above.
     */
    readonly upload: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      } & Upload,
      options?: CreateOptions,
    ) => Promise<Schemas.Attachment>;
    /**
     * List an issue's attachments.
     *
     * Returns metadata without the bytes, oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Attachment>;
    /**
     * Download an attachment.
     *
     * Returns the bytes, with the media type of the upload. A `Range` with one range returns 206, or 416 if it lies outside the file. `ETag` is the hash.
     *
     * Role: Viewer or above.
     */
    readonly download: (
      args: {
        /** The attachment's id. */
        readonly attachmentId: string;
      },
      options?: CallOptions,
    ) => Promise<Response>;
    /**
     * Delete an attachment.
     *
     * Removes the attachment and its bytes.
     *
     * Role: Editor or above.
     */
    readonly delete: (
      args: {
        /** The attachment's id. */
        readonly attachmentId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
  };
  readonly projects: {
    /**
     * List projects.
     *
     * The projects that have an issue or are paused, by id; paged. A key that is bound to projects sees only these.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc` (default) or `desc`, by id. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.ProjectSummary>;
    /**
     * Pause a project.
     *
     * `paused: true` stops the live runs of the project's issues at their next turn, and no heartbeat claims its issues until the pause ends.
     *
     * Role: Editor or above.
     */
    readonly put: (
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
      } & Schemas.ProjectUpdate,
      options?: CallOptions,
    ) => Promise<Schemas.Project>;
    /**
     * Get a project's graph.
     *
     * The project's issues, open and newest issues first, with their transitive blockers and dependents in other projects; up to 500 issues. Issues that the caller may not see are left out, and what lies beyond them.
     *
     * Role: Viewer or above.
     */
    readonly graph: (
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
        /** How many links away from its start the graph goes, 1 to 50. Default: 10. */
        readonly depth?: number | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.IssueGraph>;
  };
  readonly inbox: {
    /**
     * List what waits for a person.
     *
     * By priority, then `since`, then id; paged. An item goes when its cause does. `serverError` and `toolsChanged` are only there for an Admin that is bound to no project, and without `projectId`.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args?: {
        /** Items of these projects only, up to 100, and no servers. A project that the caller may not see has no items. */
        readonly projectId?: ReadonlyArray<string> | undefined;
        /** Items of these kinds only, separated by commas: question, review, tooManyAttempts, failed, blockedChain, agentSilent, serverError, toolsChanged. */
        readonly kind?: string | undefined;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`, the default: the most urgent first. `desc`: the reverse. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.InboxItem>;
  };
  readonly stats: {
    /**
     * Get what happened, in numbers.
     *
     * Numbers of all projects that the caller may see, or of one. The service counts events every few seconds: `asOf` says how far.
     *
     * Role: Viewer or above.
     */
    readonly get: (
      args?: {
        /** Numbers of this project only, and no servers. Default: all projects that the caller may see. A project that the caller may not see has no numbers. */
        readonly projectId?: string | undefined;
        /** `24h` (the default) and `7d`: whole hours up to the end of the current one. `30d`: 30 whole days up to the end of the current one. In UTC. */
        readonly window?: "24h" | "7d" | "30d" | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.Statistics>;
  };
  readonly agents: {
    /**
     * List agents.
     *
     * Returns the registered agents, newest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Agent>;
    /**
     * Get an agent.
     *
     * `activeRuns` counts the runs in projects that the caller may see.
     *
     * Role: Viewer or above.
     */
    readonly get: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.Agent>;
    /**
     * Register or change an agent.
     *
     * Registers the agent if it is unknown. `paused: true` stops its live runs at their next turn; until the pause ends, its heartbeats claim no issue and its calls of servers' tools are 409.
     *
     * Role: Admin or above.
     */
    readonly put: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
      } & Schemas.AgentUpdate,
      options?: CallOptions,
    ) => Promise<Schemas.Agent>;
    /**
     * Delete an agent.
     *
     * Also removes its access to MCP servers; its ended runs stay. An agent that holds a live run, or that an issue is assigned to, is 409. A heartbeat, an assignment or PUT registers the agent again.
     *
     * Role: Admin or above.
     */
    readonly delete: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
    /**
     * Send a heartbeat.
     *
     * Renews the leases of the named runs, picks up to `capacity` new issues up, and lists the runs to stop. Registers the agent if it is unknown. Without a body, or with `{}`, every field has its default.
     *
     * Role: Editor or above.
     */
    readonly heartbeat: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
      } & Schemas.Heartbeat,
      options?: CallOptions,
    ) => Promise<Schemas.HeartbeatAnswer>;
    /**
     * Report the end of a turn.
     *
     * Renews the lease and returns whether to continue. After `stop` the run has ended, and the agent leaves the issue as it is.
     *
     * Role: Editor or above.
     */
    readonly turn: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** The run's id. */
        readonly runId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.TurnAnswer>;
    /**
     * Finish a run.
     *
     * Hands the issue in and returns it. The comment is in the name of the agent in the path.
     *
     * Role: Editor or above.
     */
    readonly finish: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** The run's id. */
        readonly runId: string;
      } & Schemas.Finish,
      options?: CallOptions,
    ) => Promise<Schemas.ChangedIssue>;
    /**
     * List the runs of an agent.
     *
     * Newest first by default; paged. After a lost heartbeat response, this lists what the agent holds.
     *
     * Role: Viewer or above.
     */
    readonly runs: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
        /** Runs of this status only. A run whose lease expired counts as `ended`. */
        readonly status?: "active" | "stopping" | "ended" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Run>;
  };
  readonly tools: {
    /**
     * List an agent's tools.
     *
     * The tools of the enabled servers that the agent has access to. `revision` changes exactly when the list does.
     *
     * Role: Editor or above.
     */
    readonly list: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.AgentToolList>;
    /**
     * Call a tool.
     *
     * Calls the tool once; the service never repeats a call. An error of the tool is a 200 with `isError`. Closing the connection cancels the call.
     *
     * Role: Editor or above.
     */
    readonly call: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
      } & Schemas.ToolCallRequest,
      options?: CallOptions,
    ) => Promise<Schemas.ToolCallResult>;
    /**
     * List tool calls.
     *
     * Newest first by default; paged. The record has neither arguments nor results.
     *
     * Role: Admin or above.
     */
    readonly calls: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
        /** Calls of this agent only. */
        readonly agentId?: string | undefined;
        /** Calls of this installed server's tools only. */
        readonly serverId?: string | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.ToolCall>;
  };
  readonly mcp: {
    /**
     * Send an MCP message.
     *
     * The MCP server for agents over Streamable HTTP: tools of the agent's installed servers, and tools for issues. Protocol version 2026-07-28 has no sessions; a legacy version starts one with `initialize`, and the response names it in `Mcp-Session-Id`. HTTP refusals are problems, protocol refusals are JSON-RPC errors.
     *
     * Role: Viewer or above.
     */
    readonly call: (
      args: {
        /** `direct` or `search`: how `tools/list` shows the granted tools to this connection, instead of the agent's `toolMode`. */
        readonly tools?: string | undefined;
      } & Readonly<Record<string, unknown>>,
      options?: CallOptions,
    ) => Promise<Response>;
    /**
     * Listen to a session.
     *
     * Server-Sent Events of a session of a legacy protocol version, such as changes of the tools.
     *
     * Role: Viewer or above.
     */
    readonly listen: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<Response>;
    /**
     * End a session.
     *
     * Ends a session of a legacy protocol version.
     *
     * Role: Viewer or above.
     */
    readonly end: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<Response>;
  };
  readonly catalog: {
    /**
     * List the catalog.
     *
     * Returns every entry, or the entries of one category, in the order of the catalog files, then the entries that Owners created, oldest first.
     *
     * Role: Admin or above.
     */
    readonly list: (
      args?: {
        /** Entries of this category only. */
        readonly category?:
          | "database"
          | "saas"
          | "search"
          | "cloud"
          | "dev"
          | "productivity"
          | undefined;
      },
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.CatalogEntrySummary>>;
    /**
     * Create a catalog entry.
     *
     * Takes an entry in the detail form. It is never `verified`, and its `source` is `own`. Over HTTPS only.
     *
     * Role: Owner or above.
     */
    readonly create: (
      args:
        | {
            /** 1 to 32 characters of `a-z 0-9 -`. */
            readonly id: string;
            /** The name for people. */
            readonly name: string;
            /** What the server does. */
            readonly description: string;
            /** What kind of service the server gives access to. */
            readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** A program on the host. */
            readonly transport: "stdio";
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
            /** How to run the program. */
            readonly manifest: {
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
              readonly sandbox?: Schemas.Sandbox | null | undefined;
            };
            /** The variables that the server reads. */
            readonly envVars?: ReadonlyArray<Schemas.EnvVar> | undefined;
          }
        | {
            /** 1 to 32 characters of `a-z 0-9 -`. */
            readonly id: string;
            /** The name for people. */
            readonly name: string;
            /** What the server does. */
            readonly description: string;
            /** What kind of service the server gives access to. */
            readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** `http` (Streamable HTTP) or `sse`: a remote server. */
            readonly transport: "http" | "sse";
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
            /** How to reach the remote server. */
            readonly manifest: {
              /** The server's http or https URL. `${NAME}` is replaced by the value of that variable. */
              readonly url: string;
              /** Headers of every request. `${NAME}` is replaced by the value of that variable. */
              readonly headers?: Readonly<Record<string, string>> | undefined;
            };
            /** The variables that the server reads. */
            readonly envVars?: ReadonlyArray<Schemas.EnvVar> | undefined;
          },
      options?: CreateOptions,
    ) => Promise<Schemas.CatalogEntry>;
    /**
     * Get a catalog entry.
     *
     * Returns the entry with its manifest and its variables.
     *
     * Role: Admin or above.
     */
    readonly get: (
      args: {
        /** The catalog entry's id. */
        readonly entryId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.CatalogEntry>;
    /**
     * Replace a catalog entry.
     *
     * Replaces an entry that an Owner created. Installed servers keep their copy until `version: catalog`. Over HTTPS only.
     *
     * Role: Owner or above.
     */
    readonly put: (
      args:
        | ({
            /** The catalog entry's id. */
            readonly entryId: string;
          } & {
            /** 1 to 32 characters of `a-z 0-9 -`. */
            readonly id: string;
            /** The name for people. */
            readonly name: string;
            /** What the server does. */
            readonly description: string;
            /** What kind of service the server gives access to. */
            readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** A program on the host. */
            readonly transport: "stdio";
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
            /** How to run the program. */
            readonly manifest: {
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
              readonly sandbox?: Schemas.Sandbox | null | undefined;
            };
            /** The variables that the server reads. */
            readonly envVars?: ReadonlyArray<Schemas.EnvVar> | undefined;
          })
        | {
            /** 1 to 32 characters of `a-z 0-9 -`. */
            readonly id: string;
            /** The name for people. */
            readonly name: string;
            /** What the server does. */
            readonly description: string;
            /** What kind of service the server gives access to. */
            readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** `http` (Streamable HTTP) or `sse`: a remote server. */
            readonly transport: "http" | "sse";
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
            /** How to reach the remote server. */
            readonly manifest: {
              /** The server's http or https URL. `${NAME}` is replaced by the value of that variable. */
              readonly url: string;
              /** Headers of every request. `${NAME}` is replaced by the value of that variable. */
              readonly headers?: Readonly<Record<string, string>> | undefined;
            };
            /** The variables that the server reads. */
            readonly envVars?: ReadonlyArray<Schemas.EnvVar> | undefined;
          },
      options?: CallOptions,
    ) => Promise<Schemas.CatalogEntry>;
    /**
     * Delete a catalog entry.
     *
     * Deletes an entry that an Owner created and that no installed server is from.
     *
     * Role: Owner or above.
     */
    readonly delete: (
      args: {
        /** The catalog entry's id. */
        readonly entryId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
    /**
     * Get the runtimes and sandboxes of this host.
     *
     * Shows whether the host can run a server that needs node, python or pipx, and in which sandboxes, before you install it.
     *
     * Role: Admin or above.
     */
    readonly runtime: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<Schemas.HostReport>;
  };
  readonly servers: {
    /**
     * List installed servers.
     *
     * Returns all of them, oldest first, never with a value of a variable.
     *
     * Role: Admin or above.
     */
    readonly list: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.InstalledServer>>;
    /**
     * Install a server.
     *
     * Installs the server disabled and granted to no agent. The service encrypts values before it stores them. Over HTTPS only.
     *
     * Role: Admin or above.
     */
    readonly install: (
      args: Schemas.ServerInstall,
      options?: CreateOptions,
    ) => Promise<Schemas.InstalledServer>;
    /**
     * Get an installed server.
     *
     * `env` lists the variables that have a value, never the value.
     *
     * Role: Admin or above.
     */
    readonly get: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.InstalledServer>;
    /**
     * Update an installed server.
     *
     * An omitted field is left alone; values are merged, and `null` removes an optional one. `version: catalog` moves to the version of the catalog, if that verifies. The next use has the new values. Over HTTPS only.
     *
     * Role: Admin or above.
     */
    readonly update: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      } & Schemas.ServerUpdate,
      options?: CallOptions,
    ) => Promise<Schemas.InstalledServer>;
    /**
     * Uninstall a server.
     *
     * Stops its process and removes its secrets, tools and access.
     *
     * Role: Admin or above.
     */
    readonly uninstall: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
    /**
     * Verify a server.
     *
     * Starts the server once, afresh, and lists its tools. `details` has the response time or the reason of the failure; `capabilities` lists the tool names and is missing after a failure. A verify whose package has to be fetched takes minutes: it continues if the caller disconnects, and `lastVerification` of the server gets its result. With `Prefer: respond-async`, 202 has the installed server, and the event `mcp.verified` reports the result.
     *
     * Role: Admin or above.
     */
    readonly verify: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
        /** `true` accepts the tools that are still as they were recorded before the request. A `toolsDigest` accepts the tools that it was shown with, or is 412. Default: `false`. */
        readonly accept?: boolean | string | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.VerifyResult>;
    /**
     * Enable a server.
     *
     * Agents with access have its tools from their next turn. Its package is fetched in the background: the events `mcp.preparing` and `mcp.prepared` report it. With `Prefer: respond-async`, 202 has the installed server. Idempotent.
     *
     * Role: Admin or above.
     */
    readonly enable: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
    /**
     * Disable a server.
     *
     * Stops its process; calls of its tools fail. Idempotent.
     *
     * Role: Admin or above.
     */
    readonly disable: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
    /**
     * List a server's tools.
     *
     * Returns each tool with the accepted definition and the one that the server listed last. A changed or new tool is withheld until it is accepted.
     *
     * Role: Admin or above.
     */
    readonly tools: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      },
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.ServerTool>>;
    /**
     * Accept tools as they were shown.
     *
     * Compares each `digest` with the recorded one. If one differs, nothing is accepted (412 with `names`). A blocked tool stays blocked, and a tool that is gone is removed. Returns the server's tools.
     *
     * Role: Admin or above.
     */
    readonly acceptTools: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      } & Schemas.ToolAcceptance,
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.ServerTool>>;
    /**
     * Block tools.
     *
     * Withholds the tools from every agent, whatever the server lists, also tools that it has not listed yet. Ends their calls in flight. Returns the server's tools.
     *
     * Role: Admin or above.
     */
    readonly blockTools: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      } & Schemas.ToolNames,
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.ServerTool>>;
    /**
     * Unblock tools.
     *
     * The tools have the state that their definitions have. Returns the server's tools.
     *
     * Role: Admin or above.
     */
    readonly unblockTools: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      } & Schemas.ToolNames_1,
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.ServerTool>>;
    /**
     * List a server's access.
     *
     * Returns one entry for each registered agent, by agent id.
     *
     * Role: Admin or above.
     */
    readonly access: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      },
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.AccessEntry>>;
    /**
     * Grant or revoke a server.
     *
     * Agents that are not listed keep their access. `tools: null` grants all tools, `[]` none; omitted, it is left alone. Changes every entry or nothing.
     *
     * Role: Admin or above.
     */
    readonly putAccess: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      } & Schemas.AccessUpdate,
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.AccessEntry>>;
    /**
     * Import a client's configuration or a server.json.
     *
     * Takes the `mcpServers` or `servers` of Claude Desktop, Cursor or VS Code, or Codex's `config.toml` as `toml`. Installs each server that matches a catalog entry, disabled, and reports why each other server was skipped. With an Owner key it also takes a `server.json` of the official registry and creates a catalog entry from it. Requires HTTPS.
     *
     * Role: Admin or above.
     */
    readonly import: (
      args: Schemas.ClientConfiguration | Schemas.ServerJson,
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.ImportResult>>;
  };
  readonly authorization: {
    /**
     * Authorize a server.
     *
     * Starts OAuth for a remote server whose entry sends no `Authorization` header. The person who opens the URL signs in and consents; agents then act with that consent. The service stores the tokens encrypted and refreshes them.
     *
     * Role: Admin or above.
     */
    readonly begin: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
      },
      options?: CallOptions,
    ) => Promise<{
      /** The URL to open in a browser within 10 minutes. */
      readonly url: string;
    }>;
    /**
     * Finish an authorization.
     *
     * The authorization server sends the browser here with `state`, `code`, `iss` or `error`. The page says whether it succeeded (200) or not (400). Each state is good for one use.
     */
    readonly callback: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<string>;
    /**
     * Get the OAuth client metadata.
     *
     * The Client ID Metadata Document of this server, for authorization servers that read one.
     */
    readonly client: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<unknown>;
  };
  readonly keys: {
    /**
     * List API keys.
     *
     * Newest first by default; paged. Never with a secret, and only keys up to the role of the caller.
     *
     * Role: Admin or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.ApiKey>;
    /**
     * Create an API key.
     *
     * Only this response contains `key`. A key cannot be above the role of the caller.
     *
     * Role: Admin or above.
     */
    readonly create: (
      args: Schemas.ApiKeyCreate,
      options?: CallOptions,
    ) => Promise<Schemas.ApiKeyCreated>;
    /**
     * Get the names of API keys.
     *
     * A key without a user acts under its id: this is what a person reads instead. `id` is repeatable. Ids of no key, or of a deleted one, are left out.
     *
     * Role: Viewer or above.
     */
    readonly names: (
      args: {
        /** Ids of keys, 1 to 100. */
        readonly id: ReadonlyArray<string>;
      },
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.ApiKeyName>>;
    /**
     * Delete an API key.
     *
     * The key and its sessions stop working immediately.
     *
     * Role: Admin or above.
     */
    readonly delete: (
      args: {
        /** The key's id. */
        readonly keyId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
  };
  readonly session: {
    /**
     * Get the caller.
     *
     * By key or by cookie. `expiresAt` is null for a key that never expires.
     *
     * Role: Viewer or above.
     */
    readonly get: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<Schemas.SessionInfo>;
    /**
     * End the session.
     *
     * The cookie and its bearer tokens stop working immediately. Without a session nothing happens. By cookie, from the same origin; the session's secret is not needed.
     *
     * Role: Viewer or above.
     */
    readonly end: (args?: Readonly<Record<never, never>>, options?: CallOptions) => Promise<void>;
    /**
     * Start a session.
     *
     * By an API key, or by the sign-in token of the link that `quartermaster serve` prints: it works once, for 5 minutes. Returns who the caller is and the session's secret, and sets the cookie `qm_session` (over HTTPS `__Host-qm_session`, below a path prefix `__Secure-qm_session`). Writes by cookie need the secret in the header `Quartermaster-Session`. An agent's key cannot start a session (403).
     */
    readonly create: (
      args: Schemas.SessionCreate,
      options?: CallOptions,
    ) => Promise<Schemas.SessionCreated>;
    /**
     * Create a bearer token.
     *
     * By cookie, from the same origin, with the session's secret: a bearer token of 15 minutes for the same principal, for the routes that take no cookie. A session has at most 100 valid tokens.
     *
     * Role: Viewer or above.
     */
    readonly token: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<Schemas.SessionToken>;
    /**
     * List sessions.
     *
     * The sessions that the caller's key started, and all sessions for an Owner that is bound to no project. The most recently used first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** Where the page starts, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.LoginSession>;
    /**
     * End a session of the list.
     *
     * Its cookie and its bearer tokens stop working immediately.
     *
     * Role: Viewer or above.
     */
    readonly endOther: (
      args: {
        /** The session's id. */
        readonly sessionId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
  };
  readonly events: {
    /**
     * Stream events.
     *
     * Server-Sent Events, as they happen. Starts now, or after `Last-Event-ID`; an id that is unknown or no longer retained is a 400. A comment line every 15 seconds keeps the connection open. The stream ends when its key or session does. A key with too many open streams is 429.
     *
     * Role: Viewer or above.
     */
    readonly subscribe: (
      args?: {
        /** Events of this project only. */
        readonly projectId?: string | undefined;
        /** Kinds, separated by commas, such as `issue.created` or `issue.*`. Default: all that the caller may see. */
        readonly kinds?: string | undefined;
      },
      options?: EventOptions,
    ) => Promise<EventStream<Schemas.Event>>;
  };
  readonly system: {
    /**
     * Get metrics.
     *
     * In the text format of Prometheus.
     *
     * Role: Admin or above, or Metrics.
     */
    readonly metrics: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<string>;
    /**
     * Check that the process lives.
     *
     * Returns 200 while the process lives.
     */
    readonly health: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<{
      /** Always `ok`. */
      readonly status: "ok";
    }>;
    /**
     * Check that the server is ready.
     *
     * Returns 200 while storage is reachable and the server accepts requests, otherwise 503.
     */
    readonly ready: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<{
      /** Always `ok`. */
      readonly status: "ok";
    }>;
    /**
     * Get this contract.
     *
     * The OpenAPI 3.1 document.
     */
    readonly openapi: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<unknown>;
    /**
     * Read the documentation.
     *
     * The index of the documentation. Its pages and their search need no internet.
     */
    readonly docs: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<string>;
    /**
     * Read this contract.
     *
     * A page with every route, its fields and refusals. It needs no internet.
     */
    readonly apiPage: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<string>;
  };
}
