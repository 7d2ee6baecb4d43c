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
     * Returns issues, newest first by default; paged. All filters must match. A project without issues returns an empty array.
     *
     * Role: Viewer or above.
     */
    readonly list: ((
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
        /** Only issues with one of these statuses, separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
        readonly status?: string | undefined;
        /** Only issues with one of these priorities, separated by commas: urgent, high, normal, low. */
        readonly priority?: string | undefined;
        /** Only issues with one of these as `assignedAgentId` or `assigneeUserId`, separated by commas. */
        readonly assigneeId?: string | undefined;
        /** Only issues of one of these goals, separated by commas. */
        readonly goalId?: string | undefined;
        /** Only issues with one of these labels, separated by commas; a comma in a label is `\,`. Repeat the parameter for issues that also have one of other labels, up to 32 labels. */
        readonly label?: ReadonlyArray<string> | undefined;
        /** Only issues with one of these, separated by commas. `question`: an open question. `files`: an attachment. `failure`: a pause because a run failed or too many did. */
        readonly has?: string | undefined;
        /** No issues with these statuses. */
        readonly "not.status"?: string | undefined;
        /** No issues with these priorities. */
        readonly "not.priority"?: string | undefined;
        /** No issues of these agents and users. */
        readonly "not.assigneeId"?: string | undefined;
        /** No issues of these goals. */
        readonly "not.goalId"?: string | undefined;
        /** No issues with any of these labels. */
        readonly "not.label"?: string | undefined;
        /** No issues with any of these. */
        readonly "not.has"?: string | undefined;
        /** Only issues that have all words in key, title, labels, description, file names and comments, in any order and case. The last word may be a prefix. At most 1,024 characters and 32 distinct words. */
        readonly q?: string | undefined;
        /** Only issues that changed at this time or later. ISO 8601 with `Z` or an offset. */
        readonly updatedSince?: string | undefined;
        /** Only issues that last changed before this time. */
        readonly updatedBefore?: string | undefined;
        /** Only issues that were created after this time. */
        readonly createdAfter?: string | undefined;
        /** Only issues with this external reference. */
        readonly externalRef?: string | undefined;
        /** True: only paused issues. False: all others. */
        readonly paused?: boolean | undefined;
        /** True: only issues that their agent would pick up now. False: all others. */
        readonly ready?: boolean | undefined;
        /** True: only issues whose assigned agent has sent no heartbeat for 10 minutes. False: all others. */
        readonly silentAgent?: boolean | undefined;
        /** `relevance` (default with `q`): best match first. `created` (default without `q`) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed. */
        readonly sort?: "relevance" | "created" | "updated" | "priority" | undefined;
        /** `brief` omits `description`, `links` and `metadata`, and adds the live run and the numbers of open blockers, blocked issues and open questions. Default: `full`. */
        readonly view?: "full" | undefined;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
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
          /** Only issues with one of these statuses, separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
          readonly status?: string | undefined;
          /** Only issues with one of these priorities, separated by commas: urgent, high, normal, low. */
          readonly priority?: string | undefined;
          /** Only issues with one of these as `assignedAgentId` or `assigneeUserId`, separated by commas. */
          readonly assigneeId?: string | undefined;
          /** Only issues of one of these goals, separated by commas. */
          readonly goalId?: string | undefined;
          /** Only issues with one of these labels, separated by commas; a comma in a label is `\,`. Repeat the parameter for issues that also have one of other labels, up to 32 labels. */
          readonly label?: ReadonlyArray<string> | undefined;
          /** Only issues with one of these, separated by commas. `question`: an open question. `files`: an attachment. `failure`: a pause because a run failed or too many did. */
          readonly has?: string | undefined;
          /** No issues with these statuses. */
          readonly "not.status"?: string | undefined;
          /** No issues with these priorities. */
          readonly "not.priority"?: string | undefined;
          /** No issues of these agents and users. */
          readonly "not.assigneeId"?: string | undefined;
          /** No issues of these goals. */
          readonly "not.goalId"?: string | undefined;
          /** No issues with any of these labels. */
          readonly "not.label"?: string | undefined;
          /** No issues with any of these. */
          readonly "not.has"?: string | undefined;
          /** Only issues that have all words in key, title, labels, description, file names and comments, in any order and case. The last word may be a prefix. At most 1,024 characters and 32 distinct words. */
          readonly q?: string | undefined;
          /** Only issues that changed at this time or later. ISO 8601 with `Z` or an offset. */
          readonly updatedSince?: string | undefined;
          /** Only issues that last changed before this time. */
          readonly updatedBefore?: string | undefined;
          /** Only issues that were created after this time. */
          readonly createdAfter?: string | undefined;
          /** Only issues with this external reference. */
          readonly externalRef?: string | undefined;
          /** True: only paused issues. False: all others. */
          readonly paused?: boolean | undefined;
          /** True: only issues that their agent would pick up now. False: all others. */
          readonly ready?: boolean | undefined;
          /** True: only issues whose assigned agent has sent no heartbeat for 10 minutes. False: all others. */
          readonly silentAgent?: boolean | undefined;
          /** `relevance` (default with `q`): best match first. `created` (default without `q`) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed. */
          readonly sort?: "relevance" | "created" | "updated" | "priority" | undefined;
          /** `brief` omits `description`, `links` and `metadata`, and adds the live run and the numbers of open blockers, blocked issues and open questions. Default: `full`. */
          readonly view: "brief";
          /** Items per page, 1 to 500. Default: 100. */
          readonly limit?: number | undefined;
          /** The position of the page, from the `next` link of the previous page. */
          readonly cursor?: string | undefined;
          /** `asc`: oldest first. `desc`: newest first. */
          readonly order?: "asc" | "desc" | undefined;
        },
        options?: CallOptions,
      ) => Pages<Schemas.BriefIssue>);
    /**
     * Create an issue.
     *
     * With `blockedByIssueId` the new issue waits for that blocker; otherwise it is `Open`.
     *
     * Role: Editor or above.
     */
    readonly create: (
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
      } & Schemas.IssueCreate,
      options?: CreateOptions,
    ) => Promise<Schemas.SavedIssue>;
    /**
     * List issues of all projects.
     *
     * Returns issues of every project that the caller may see, newest first by default; paged. All filters must match.
     *
     * Role: Viewer or above.
     */
    readonly listAcross: ((
      args?: {
        /** Only issues of these projects, up to 100. A project that the caller may not see has no issues. */
        readonly projectId?: ReadonlyArray<string> | undefined;
        /** Only issues with one of these statuses, separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
        readonly status?: string | undefined;
        /** Only issues with one of these priorities, separated by commas: urgent, high, normal, low. */
        readonly priority?: string | undefined;
        /** Only issues with one of these as `assignedAgentId` or `assigneeUserId`, separated by commas. */
        readonly assigneeId?: string | undefined;
        /** Only issues of one of these goals, separated by commas. */
        readonly goalId?: string | undefined;
        /** Only issues with one of these labels, separated by commas; a comma in a label is `\,`. Repeat the parameter for issues that also have one of other labels, up to 32 labels. */
        readonly label?: ReadonlyArray<string> | undefined;
        /** Only issues with one of these, separated by commas. `question`: an open question. `files`: an attachment. `failure`: a pause because a run failed or too many did. */
        readonly has?: string | undefined;
        /** No issues with these statuses. */
        readonly "not.status"?: string | undefined;
        /** No issues with these priorities. */
        readonly "not.priority"?: string | undefined;
        /** No issues of these agents and users. */
        readonly "not.assigneeId"?: string | undefined;
        /** No issues of these goals. */
        readonly "not.goalId"?: string | undefined;
        /** No issues with any of these labels. */
        readonly "not.label"?: string | undefined;
        /** No issues with any of these. */
        readonly "not.has"?: string | undefined;
        /** Only issues that have all words in key, title, labels, description, file names and comments, in any order and case. The last word may be a prefix. At most 1,024 characters and 32 distinct words. */
        readonly q?: string | undefined;
        /** Only issues that changed at this time or later. ISO 8601 with `Z` or an offset. */
        readonly updatedSince?: string | undefined;
        /** Only issues that last changed before this time. */
        readonly updatedBefore?: string | undefined;
        /** Only issues that were created after this time. */
        readonly createdAfter?: string | undefined;
        /** Only issues with this external reference. */
        readonly externalRef?: string | undefined;
        /** True: only paused issues. False: all others. */
        readonly paused?: boolean | undefined;
        /** True: only issues that their agent would pick up now. False: all others. */
        readonly ready?: boolean | undefined;
        /** True: only issues whose assigned agent has sent no heartbeat for 10 minutes. False: all others. */
        readonly silentAgent?: boolean | undefined;
        /** `relevance` (default with `q`): best match first. `created` (default without `q`) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed. */
        readonly sort?: "relevance" | "created" | "updated" | "priority" | undefined;
        /** `brief` omits `description`, `links` and `metadata`, and adds the live run and the numbers of open blockers, blocked issues and open questions. Default: `full`. */
        readonly view?: "full" | undefined;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Issue>) &
      ((
        args: {
          /** Only issues of these projects, up to 100. A project that the caller may not see has no issues. */
          readonly projectId?: ReadonlyArray<string> | undefined;
          /** Only issues with one of these statuses, separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
          readonly status?: string | undefined;
          /** Only issues with one of these priorities, separated by commas: urgent, high, normal, low. */
          readonly priority?: string | undefined;
          /** Only issues with one of these as `assignedAgentId` or `assigneeUserId`, separated by commas. */
          readonly assigneeId?: string | undefined;
          /** Only issues of one of these goals, separated by commas. */
          readonly goalId?: string | undefined;
          /** Only issues with one of these labels, separated by commas; a comma in a label is `\,`. Repeat the parameter for issues that also have one of other labels, up to 32 labels. */
          readonly label?: ReadonlyArray<string> | undefined;
          /** Only issues with one of these, separated by commas. `question`: an open question. `files`: an attachment. `failure`: a pause because a run failed or too many did. */
          readonly has?: string | undefined;
          /** No issues with these statuses. */
          readonly "not.status"?: string | undefined;
          /** No issues with these priorities. */
          readonly "not.priority"?: string | undefined;
          /** No issues of these agents and users. */
          readonly "not.assigneeId"?: string | undefined;
          /** No issues of these goals. */
          readonly "not.goalId"?: string | undefined;
          /** No issues with any of these labels. */
          readonly "not.label"?: string | undefined;
          /** No issues with any of these. */
          readonly "not.has"?: string | undefined;
          /** Only issues that have all words in key, title, labels, description, file names and comments, in any order and case. The last word may be a prefix. At most 1,024 characters and 32 distinct words. */
          readonly q?: string | undefined;
          /** Only issues that changed at this time or later. ISO 8601 with `Z` or an offset. */
          readonly updatedSince?: string | undefined;
          /** Only issues that last changed before this time. */
          readonly updatedBefore?: string | undefined;
          /** Only issues that were created after this time. */
          readonly createdAfter?: string | undefined;
          /** Only issues with this external reference. */
          readonly externalRef?: string | undefined;
          /** True: only paused issues. False: all others. */
          readonly paused?: boolean | undefined;
          /** True: only issues that their agent would pick up now. False: all others. */
          readonly ready?: boolean | undefined;
          /** True: only issues whose assigned agent has sent no heartbeat for 10 minutes. False: all others. */
          readonly silentAgent?: boolean | undefined;
          /** `relevance` (default with `q`): best match first. `created` (default without `q`) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed. */
          readonly sort?: "relevance" | "created" | "updated" | "priority" | undefined;
          /** `brief` omits `description`, `links` and `metadata`, and adds the live run and the numbers of open blockers, blocked issues and open questions. Default: `full`. */
          readonly view: "brief";
          /** Items per page, 1 to 500. Default: 100. */
          readonly limit?: number | undefined;
          /** The position of the page, from the `next` link of the previous page. */
          readonly cursor?: string | undefined;
          /** `asc`: oldest first. `desc`: newest first. */
          readonly order?: "asc" | "desc" | undefined;
        },
        options?: CallOptions,
      ) => Pages<Schemas.BriefIssue>);
    /**
     * Create the issues of a plan.
     *
     * Creates up to 500 issues, which may wait for each other, in one transaction. `blockedBy` names issues of the plan by `ref` and other issues by id. The body may have up to 8 MiB. Returns the issues in the order of the plan.
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
     * Change many issues.
     *
     * Makes the same change to up to 200 issues, one after the other. Each issue is a transaction of its own, and a failure stops no other. Returns an outcome for each issue, in the order of the request.
     *
     * Role: Editor or above.
     */
    readonly bulk: (
      args: Schemas.Bulk,
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.BulkResult>>;
    /**
     * Get an issue.
     *
     * Returns the issue. `ETag` is its version.
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
     * Changes fields and status in one transaction. An omitted field does not change; `null` clears a nullable field. The status `Resolved` opens dependents that have no other open blocker. If the agent whose run holds the issue sets `PendingReview`, `Resolved` or `Open`, that finishes the run.
     *
     * Role: Editor or above.
     */
    readonly update: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      } & Schemas.IssueUpdate,
      options?: ChangeOptions,
    ) => Promise<Schemas.SavedIssue>;
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
     * Responds with 409 if open dependents wait for the issue. With `force=true` closes it anyway; dependents without another open blocker become `Open`. Closing a closed issue changes nothing.
     *
     * Role: Editor or above.
     */
    readonly close: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Closes the issue although open dependents wait for it. Default: false. */
        readonly force?: boolean | undefined;
      },
      options?: ChangeOptions,
    ) => Promise<void>;
    /**
     * Pause an issue.
     *
     * The issue must be `InProgress`. It becomes `Open`, and its run stops at the next turn. No heartbeat picks the issue up until a person resumes it.
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
     * Returns whether the next heartbeat of the assigned agent would pick the issue up, and every reason why it would not.
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
     * Returns the issue with its transitive blockers and dependents, up to 500 issues. Omits issues that the caller may not see, and issues that are reachable only through those.
     *
     * Role: Viewer or above.
     */
    readonly graph: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** The largest distance from the start of the graph, in links: 1 to 50. Default: 10. */
        readonly depth?: number | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.IssueGraph>;
    /**
     * Get an issue's timeline.
     *
     * Returns entries, oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly activity: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Activity>;
    /**
     * List the versions of an issue's description.
     *
     * Returns the descriptions that the issue has and had, oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly versions: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.DescriptionVersion>;
  };
  readonly comments: {
    /**
     * List an issue's comments.
     *
     * Returns comments, oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Comment>;
    /**
     * Comment on an issue.
     *
     * The author is the user or agent of the key. The comment appears in the timeline, and the run that holds the issue gets it with its next turn.
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
    /**
     * Edit a comment.
     *
     * The earlier text stays a version of the comment. `ETag` is the new version. Editors edit every comment; a Viewer, and an agent's key, only their own. Responds with 409 for a comment that is a hand-in, an answer, by the service, or deleted.
     *
     * Role: Viewer or above.
     */
    readonly update: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** The comment's id. */
        readonly commentId: string;
      } & Schemas.CommentUpdate,
      options?: ChangeOptions,
    ) => Promise<Schemas.Comment>;
    /**
     * Delete a comment.
     *
     * The comment keeps its id, without a text; its versions stay. Editors delete every comment; a Viewer, and an agent's key, only their own. Responds with 409 for a comment that is a hand-in, an answer or by the service. Deleting a deleted comment changes nothing.
     *
     * Role: Viewer or above.
     */
    readonly delete: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** The comment's id. */
        readonly commentId: string;
        /** Removes every version of the comment, also of one that is fixed or deleted. Requires the role Admin. Default: false. */
        readonly purge?: boolean | undefined;
      },
      options?: ChangeOptions,
    ) => Promise<void>;
    /**
     * List the versions of a comment.
     *
     * Returns the texts that the comment has and had, oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly versions: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** The comment's id. */
        readonly commentId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.CommentVersion>;
  };
  readonly links: {
    /**
     * List an issue's links.
     *
     * Returns outgoing and incoming links, as seen from this issue, oldest first by default; paged. Omits links to issues that the caller may not see.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
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
     * The link can be deleted from either end; the caller must be allowed to see both issues. An issue that has no other open blocker becomes `Open`.
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
     * While a blocking question is open, no heartbeat picks the issue up; a live run continues. An agent can ask blocking questions only on issues that are assigned to it; otherwise the response is 403. If the issue has an open question with the same `key`, returns that question with 200. An issue can have at most 20 open questions.
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
     * Returns questions, oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
        /** Only questions with this status. */
        readonly status?: "open" | "answered" | "expired" | "withdrawn" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Question>;
    /**
     * Get a question.
     *
     * Returns the question. After `expiresAt`, an unanswered question has the status `expired`.
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
     * Withdraws an open question. Responds with 409 if the question is answered or expired. Withdrawing it again changes nothing.
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
     * Only a person can answer; an agent key gets 403. The answer is also added as a comment, so the run that holds the issue gets it with its next turn. The same answer by the same person again returns 200.
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
  readonly effects: {
    /**
     * List an issue's effects.
     *
     * Returns the newest 1,000 calls of tools that happen once (`once` of their server), newest first.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      },
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.IssueEffect>>;
    /**
     * Settle an effect.
     *
     * Says whether an effect whose reply was lost took place. If it did, equal calls get the note as their result; otherwise an equal call is sent again. An agent needs a live run of the issue, and a server whose `settle` is `agent`. A person may correct a settlement until a call has used it.
     *
     * Role: Editor or above.
     */
    readonly settle: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
        /** The id of the call. */
        readonly callId: string;
      } & Schemas.EffectSettle,
      options?: CallOptions,
    ) => Promise<Schemas.IssueEffect>;
    /**
     * Start over with effects.
     *
     * Starts a new cycle: calls that happened once are sent again when an agent repeats them. Effects that are in flight or unknown stay in the way. An agent's key gets 403.
     *
     * Role: Editor or above.
     */
    readonly reset: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
  };
  readonly attachments: {
    /**
     * Attach a file to an issue.
     *
     * Takes `multipart/form-data` with exactly one part, `file`, which names the file. An interrupted upload stores nothing.
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
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Attachment>;
    /**
     * Download an attachment.
     *
     * Returns the bytes with the media type of the upload. A `Range` header with one range returns 206, or 416 if the range lies outside the file. `ETag` is the SHA-256 hash of the file.
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
     * Returns the projects by id; paged. A key that is bound to projects sees only those projects.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc` (default) or `desc`, by id. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.ProjectSummary>;
    /**
     * Create a project.
     *
     * The first issue in a project also creates it. Responds with 404 if the host has its own directory of projects.
     *
     * Role: Editor or above.
     */
    readonly create: (
      args: Schemas.ProjectCreate,
      options?: CreateOptions,
    ) => Promise<Schemas.Project>;
    /**
     * Get a project.
     *
     * Returns the project with its prefix and settings.
     *
     * Role: Viewer or above.
     */
    readonly get: (
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.Project>;
    /**
     * Change a project.
     *
     * Creates the project if it does not exist. A new `prefix` gives its issues other keys, and the earlier keys continue to work. `paused: true` stops the live runs of the project at their next turn. Until the pause ends, no heartbeat claims issues of the project.
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
     * Delete a project.
     *
     * Deletes a project without issues, with its settings, its runs, the views that are shared with it and the webhooks that are bound to it. Its prefixes continue to belong to it: if it is created again, it gets them back, and no number of an issue is given twice. Responds with 409 while it has issues, or live runs of deleted ones.
     *
     * Role: Admin or above.
     */
    readonly delete: (
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
    /**
     * Get a project's graph.
     *
     * Returns the project's issues, open and newest issues first, with their transitive blockers and dependents in other projects; up to 500 issues. Omits issues that the caller may not see, and issues that are reachable only through those.
     *
     * Role: Viewer or above.
     */
    readonly graph: (
      args: {
        /** The project's id, chosen by the host. */
        readonly projectId: string;
        /** The largest distance from the start of the graph, in links: 1 to 50. Default: 10. */
        readonly depth?: number | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.IssueGraph>;
  };
  readonly views: {
    /**
     * List saved views.
     *
     * Returns the caller's own views and the views of the caller's projects, oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.SavedView>;
    /**
     * Save a view.
     *
     * A `projectId` shares the view with the project and requires the role Editor. The caller and each project have at most 100 views.
     *
     * Role: Viewer or above.
     */
    readonly create: (
      args: Schemas.SavedViewCreate,
      options?: CreateOptions,
    ) => Promise<Schemas.SavedView>;
    /**
     * Change a saved view.
     *
     * Changes the given fields. A view that is shared, before or after, requires the role Editor.
     *
     * Role: Viewer or above.
     */
    readonly update: (
      args: {
        /** The view's id. */
        readonly viewId: string;
      } & Schemas.SavedViewUpdate,
      options?: CallOptions,
    ) => Promise<Schemas.SavedView>;
    /**
     * Delete a saved view.
     *
     * A shared view requires the role Editor.
     *
     * Role: Viewer or above.
     */
    readonly delete: (
      args: {
        /** The view's id. */
        readonly viewId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
  };
  readonly inbox: {
    /**
     * List the inbox.
     *
     * Returns the items that need a person, by priority, then the number of open issues that wait for them, then `since`, then id; paged. An item disappears when its cause is resolved. `serverError` and `toolsChanged` are listed only for an Admin that is bound to no project, and only without `projectId`.
     *
     * Role: Viewer or above.
     */
    readonly list: ((
      args?: {
        /** Only items of these projects, up to 100, without servers. A project that the caller may not see has no items. */
        readonly projectId?: ReadonlyArray<string> | undefined;
        /** Only items of these kinds, separated by commas: question, review, mentioned, tooManyAttempts, failed, effectUnknown, blockedChain, agentSilent, runnerHalted, serverError, toolsChanged, webhookFailing. */
        readonly kind?: string | undefined;
        /** Only items of issues that are assigned to the caller, questions of issues that the caller created, and mentions. Default: false. */
        readonly mine?: boolean | undefined;
        /** `groups` returns groups of items that one action answers. Default: `items`. */
        readonly view?: "items" | undefined;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`, the default: the most urgent first. `desc`: the reverse. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.InboxItem>) &
      ((
        args: {
          /** Only items of these projects, up to 100, without servers. A project that the caller may not see has no items. */
          readonly projectId?: ReadonlyArray<string> | undefined;
          /** Only items of these kinds, separated by commas: question, review, mentioned, tooManyAttempts, failed, effectUnknown, blockedChain, agentSilent, runnerHalted, serverError, toolsChanged, webhookFailing. */
          readonly kind?: string | undefined;
          /** Only items of issues that are assigned to the caller, questions of issues that the caller created, and mentions. Default: false. */
          readonly mine?: boolean | undefined;
          /** `groups` returns groups of items that one action answers. Default: `items`. */
          readonly view: "groups";
          /** Items per page, 1 to 500. Default: 100. */
          readonly limit?: number | undefined;
          /** The position of the page, from the `next` link of the previous page. */
          readonly cursor?: string | undefined;
          /** `asc`, the default: the most urgent first. `desc`: the reverse. */
          readonly order?: "asc" | "desc" | undefined;
        },
        options?: CallOptions,
      ) => Pages<Schemas.InboxGroup>);
    /**
     * Snooze items of the inbox.
     *
     * Hides items from the caller's list until a time, at most 30 days, or until their `since` changes. With `until` null they are listed again. Other callers still see them.
     *
     * Role: Editor or above.
     */
    readonly snooze: (args: Schemas.InboxSnooze, options?: CallOptions) => Promise<void>;
    /**
     * Dismiss a mention.
     *
     * Removes the caller's item `mentioned` of an issue, until the next mention. A comment of the caller on the issue does the same.
     *
     * Role: Viewer or above.
     */
    readonly dismiss: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
  };
  readonly search: {
    /**
     * Search everything.
     *
     * Returns projects, agents and, for an Admin bound to no project, servers by name, then issues by relevance.
     *
     * Role: Viewer or above.
     */
    readonly find: (
      args: {
        /** The words to look for, as in lists of issues. */
        readonly q: string;
        /** 1 to 50. Default: 20. */
        readonly limit?: number | undefined;
      },
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.Finding>>;
  };
  readonly stats: {
    /**
     * Get statistics.
     *
     * Returns statistics of every project that the caller may see, or of one project. The service counts new events every few seconds; `asOf` is the time up to which it has counted.
     *
     * Role: Viewer or above.
     */
    readonly get: (
      args?: {
        /** Only statistics of this project, without servers. Default: all projects that the caller may see. For a project that the caller may not see, all numbers are 0. */
        readonly projectId?: string | undefined;
        /** `24h` (the default) and `7d`: whole hours up to the end of the current one. `30d`: 30 whole days up to the end of the current one. In UTC. */
        readonly window?: "24h" | "7d" | "30d" | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.Statistics>;
    /**
     * List statistics of agents.
     *
     * Returns runs, hand-ins and reviews of each registered agent in the projects of the request, newest agent first by default; paged. `GET /api/usage` has their tokens and cost.
     *
     * Role: Viewer or above.
     */
    readonly agents: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
        /** Only statistics of this project, without servers. Default: all projects that the caller may see. For a project that the caller may not see, all numbers are 0. */
        readonly projectId?: string | undefined;
        /** `24h` (the default) and `7d`: whole hours up to the end of the current one. `30d`: 30 whole days up to the end of the current one. In UTC. */
        readonly window?: "24h" | "7d" | "30d" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.AgentStatistics>;
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
        /** The position of the page, from the `next` link of the previous page. */
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
     * Registers the agent if it is unknown. `paused: true` stops its live runs at their next turn. While it is paused, its heartbeats claim no issues and its calls of MCP tools fail with 409.
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
     * Also removes its access to MCP servers. Its ended runs are retained. Responds with 409 if the agent holds a live run or has assigned issues. A heartbeat, an assignment or PUT registers the agent again.
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
     * Renews the leases of the named runs, picks up at most `capacity` new issues, and lists the runs to stop. Registers the agent if it is unknown. An omitted body or `{}` uses the default of every field.
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
     * Renews the lease and returns whether to continue. After `stop` the run has ended, and the agent must leave the issue as it is. An omitted body is `{}`.
     *
     * Role: Editor or above.
     */
    readonly turn: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** The run's id. */
        readonly runId: string;
      } & Schemas.Turn,
      options?: CallOptions,
    ) => Promise<Schemas.TurnAnswer>;
    /**
     * Finish a run.
     *
     * Hands the issue in and returns it. The author of the comment is the agent in the path.
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
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
        /** Only runs with this status. A run whose lease expired counts as `ended`. */
        readonly status?: "active" | "stopping" | "ended" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Run>;
  };
  readonly runs: {
    /**
     * List runs.
     *
     * Returns the runs in projects that the caller may see, newest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
        /** Only runs of this agent. */
        readonly agentId?: string | undefined;
        /** Only runs of issues of this project. */
        readonly projectId?: string | undefined;
        /** Only runs of this issue. */
        readonly issueId?: string | undefined;
        /** Only runs with this status. A run whose lease expired counts as `ended`. */
        readonly status?: "active" | "stopping" | "ended" | undefined;
        /** Only runs that were handed in with this outcome. */
        readonly outcome?: "resolved" | "review" | "released" | "failed" | undefined;
        /** Only runs that started at this time or later. */
        readonly from?: string | undefined;
        /** Only runs that started before this time. */
        readonly to?: string | undefined;
        /** Only runs that ended at this time or later. */
        readonly endedFrom?: string | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.Run>;
    /**
     * Get a run.
     *
     * Returns the run.
     *
     * Role: Viewer or above.
     */
    readonly get: (
      args: {
        /** The run's id. */
        readonly runId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.Run>;
    /**
     * Read the timeline of a run.
     *
     * Returns what happened in the run, oldest first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly timeline: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** The run's id. */
        readonly runId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.RunTimelineEntry>;
    /**
     * Write to the log of a run.
     *
     * Stores entries in the order of the writer's own numbers. Stored entries are not stored again, so that a request without a response can be repeated. Entries that leave a gap, and repeated entries with other texts, are 409 with the number to continue from. Secrets in texts become `[secret]`. An agent's key writes only to the log of a run that it started, or that the header `Quartermaster-Run` names.
     *
     * Role: Editor or above.
     */
    readonly writeLog: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** The run's id. */
        readonly runId: string;
      } & Schemas.LogEntries,
      options?: CallOptions,
    ) => Promise<Schemas.LogAppended>;
    /**
     * Read the log of a run.
     *
     * Returns entries, oldest first; `next` is `after` of the next request. With `Accept: text/plain` it streams all entries that the log has as text, without `limit` and `waitSeconds`.
     *
     * Role: Viewer or above.
     */
    readonly readLog: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** The run's id. */
        readonly runId: string;
        /** Only entries with higher numbers. Default: 0. */
        readonly after?: number | undefined;
        /** Only the newest entries of the run, this many. Default: all. */
        readonly tail?: number | undefined;
        /** Entries per response, 1 to 5,000. Fewer if their texts have more than 2 MiB. Default: 1,000. */
        readonly limit?: number | undefined;
        /** Only entries of this stream. */
        readonly stream?: "stdout" | "stderr" | "host" | undefined;
        /** Only entries of this writer. */
        readonly writer?: string | undefined;
        /** Seconds to wait for an entry if there is none, 0 to 55. The wait ends when the run ends. Default: 0. */
        readonly waitSeconds?: number | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.LogPage>;
  };
  readonly usage: {
    /**
     * Report the usage of a run.
     *
     * Counts tokens and cost, until 10 minutes after the end of the run, and returns the run's usage. A turn and a hand-in take the same reports. A repeated report changes nothing.
     *
     * Role: Editor or above.
     */
    readonly report: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** The run's id. */
        readonly runId: string;
      } & Schemas.UsageReports,
      options?: CallOptions,
    ) => Promise<Schemas.UsageAnswer>;
    /**
     * Get an issue's usage.
     *
     * Returns the usage of all runs of the issue; `key` is the issue's id.
     *
     * Role: Viewer or above.
     */
    readonly ofIssue: (
      args: {
        /** The issue's id. */
        readonly issueId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.GroupUsage>;
    /**
     * List usage.
     *
     * Returns the usage of runs in projects that the caller may see, in groups in the order of their keys (`asc` by default); paged. Sums are retained for 400 days, and runs without usage for 90 days. Sums of deleted issues are included.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
        /** The groups. Default: `day`. */
        readonly groupBy?: "agent" | "project" | "model" | "issue" | "day" | undefined;
        /** Only usage from this time on. Usage is counted by the hour: from the start of its hour. */
        readonly from?: string | undefined;
        /** Only usage before this time. Usage is counted by the hour: until the end of its hour. */
        readonly to?: string | undefined;
        /** Only usage of this agent. */
        readonly agentId?: string | undefined;
        /** Only usage of runs of issues of this project. */
        readonly projectId?: string | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.GroupUsage>;
  };
  readonly tools: {
    /**
     * List an agent's tools.
     *
     * Returns the tools of the enabled servers that the agent may use; with `q` the matching tools, best match first. `revision` changes exactly when the list changes.
     *
     * Role: Editor or above.
     */
    readonly list: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** Only tools with a word of this text in name, title or description, best match first. 1 to 1,000 characters. */
        readonly q?: string | undefined;
        /** The largest number of tools, 1 to 500. Default: all. */
        readonly limit?: number | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.AgentToolList>;
    /**
     * Call a tool.
     *
     * Calls the tool once; the service never repeats a call. If the tool reports an error, returns 200 with `isError`. Closing the connection cancels the call. After 5 s without a result, spaces precede the object, and a refusal is a result with `isError`.
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
     * Returns calls, newest first by default; paged. Calls in flight are the newest and have neither `outcome` nor `durationMs`.
     *
     * Role: Admin or above.
     */
    readonly calls: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
        /** Only calls of this agent. */
        readonly agentId?: string | undefined;
        /** Only calls of this installed server's tools. */
        readonly serverId?: string | undefined;
        /** Only calls of tools with this name, which is the server's own. */
        readonly tool?: string | undefined;
        /** Only calls with one of these outcomes, separated by commas. `failed` is every outcome but `ok` and `replayed`. */
        readonly outcome?: string | undefined;
        /** Only calls for this run. */
        readonly runId?: string | undefined;
        /** Only calls for runs of this issue. */
        readonly issueId?: string | undefined;
        /** Only calls that started at this time or later. */
        readonly from?: string | undefined;
        /** Only calls that started before this time. */
        readonly to?: string | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.ToolCall>;
    /**
     * Get a tool call.
     *
     * Returns the record of a call.
     *
     * Role: Admin or above.
     */
    readonly record: (
      args: {
        /** The call's id, which starts with `call_`. */
        readonly callId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.ToolCallDetails>;
    /**
     * List a run's tool calls.
     *
     * Returns the calls that acted for the run, newest first by default; paged. Viewers of the issue's project see outcomes, and `error` is null for them. No agent's key reads the calls of another agent.
     *
     * Role: Viewer or above.
     */
    readonly callsOfRun: (
      args: {
        /** The agent's id, chosen by the host. */
        readonly agentId: string;
        /** The run's id. */
        readonly runId: string;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.ToolCall>;
  };
  readonly mcp: {
    /**
     * Send an MCP message.
     *
     * The MCP server for agents, over Streamable HTTP. It offers the tools that the agent was granted, and tools for working on issues. Protocol version 2026-07-28 has no sessions; with a legacy version, `initialize` starts a session and the response names it in `Mcp-Session-Id`. HTTP errors are problems; protocol errors are JSON-RPC errors.
     *
     * Role: Viewer or above.
     */
    readonly call: (
      args: {
        /** `direct` or `search`: how `tools/list` shows the granted tools to this connection. Default: the agent's `toolMode`. */
        readonly tools?: string | undefined;
      } & Readonly<Record<string, unknown>>,
      options?: CallOptions,
    ) => Promise<Response>;
    /**
     * Listen to a session.
     *
     * Streams the notifications of a session with a legacy protocol version, such as changes of the tool list, as Server-Sent Events.
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
     * Ends a session with a legacy protocol version.
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
     * Returns every entry, or the entries of one category, in the order of the catalog files, followed by the entries that Owners created, oldest first.
     *
     * Role: Admin or above.
     */
    readonly list: (
      args?: {
        /** Only entries of this category. */
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
     * The body has the form of a single catalog entry. The new entry is never `verified`, and its `source` is `own`. Requires HTTPS.
     *
     * Role: Owner or above.
     */
    readonly create: (
      args:
        | {
            /** 1 to 32 characters of `a-z 0-9 -`. */
            readonly id: string;
            /** The display name. */
            readonly name: string;
            /** The purpose of the server. */
            readonly description: string;
            /** The kind of service that the server gives access to. */
            readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** A program on the host. */
            readonly transport: "stdio";
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
            /** The program to run. */
            readonly manifest: {
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
              readonly sandbox?: Schemas.Sandbox | null | undefined;
            };
            /** The variables that the server reads. */
            readonly envVars?: ReadonlyArray<Schemas.EnvVar> | undefined;
          }
        | {
            /** 1 to 32 characters of `a-z 0-9 -`. */
            readonly id: string;
            /** The display name. */
            readonly name: string;
            /** The purpose of the server. */
            readonly description: string;
            /** The kind of service that the server gives access to. */
            readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** `http` (Streamable HTTP) or `sse`: a remote server. */
            readonly transport: "http" | "sse";
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
            /** The remote server to connect to. */
            readonly manifest: {
              /** The server's http or https URL. `${NAME}` is replaced by the value of that variable. */
              readonly url: string;
              /** The headers of every request. `${NAME}` is replaced by the value of that variable. */
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
     * Replaces an entry that an Owner created. Installed servers use their copy until an update with `version: catalog`. Requires HTTPS.
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
            /** The display name. */
            readonly name: string;
            /** The purpose of the server. */
            readonly description: string;
            /** The kind of service that the server gives access to. */
            readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** A program on the host. */
            readonly transport: "stdio";
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
            /** The program to run. */
            readonly manifest: {
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
              readonly sandbox?: Schemas.Sandbox | null | undefined;
            };
            /** The variables that the server reads. */
            readonly envVars?: ReadonlyArray<Schemas.EnvVar> | undefined;
          })
        | {
            /** 1 to 32 characters of `a-z 0-9 -`. */
            readonly id: string;
            /** The display name. */
            readonly name: string;
            /** The purpose of the server. */
            readonly description: string;
            /** The kind of service that the server gives access to. */
            readonly category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** `http` (Streamable HTTP) or `sse`: a remote server. */
            readonly transport: "http" | "sse";
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
            /** The remote server to connect to. */
            readonly manifest: {
              /** The server's http or https URL. `${NAME}` is replaced by the value of that variable. */
              readonly url: string;
              /** The headers of every request. `${NAME}` is replaced by the value of that variable. */
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
     * Deletes an entry that an Owner created. Responds with 409 if a server is installed from it.
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
     * Returns which of Node.js, Python and pipx the host has, and the sandboxes that it can use. Check this before you install a server.
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
     * Returns every installed server, oldest first, without the values of variables.
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
     * Installs the server disabled, without access for any agent. Values are stored encrypted. Requires HTTPS.
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
     * Returns the server. `env` lists its variables without their values.
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
     * An omitted field does not change. Values are merged with the stored ones; `null` removes an optional value. `version: catalog` updates the server to the catalog's version if the verification of that version succeeds. The next call uses the new values. Requires HTTPS.
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
     * Stops the server's process and removes its secrets, tools and access.
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
     * Starts a fresh process or connection and lists the tools. `details` has the response time or the reason of the failure. `capabilities` lists the tool names and is missing after a failure. Fetching a package can take minutes: the verification continues if the caller disconnects, and `lastVerification` gets the result. With `Prefer: respond-async` returns the installed server with 202, and the event `mcp.verified` reports the result.
     *
     * Role: Admin or above.
     */
    readonly verify: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
        /** `true` accepts the tools that have not changed since the last recorded list. A `toolsDigest` accepts the tools of the list with that digest; if the list changed, the response is 412. Default: `false`. */
        readonly accept?: boolean | string | undefined;
      },
      options?: CallOptions,
    ) => Promise<Schemas.VerifyResult>;
    /**
     * Enable a server.
     *
     * Agents with access get the server's tools with their next turn. The package is fetched in the background; the events `mcp.preparing` and `mcp.prepared` report the progress. With `Prefer: respond-async` returns the installed server with 202. Idempotent.
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
     * Stops the server's process. Calls of its tools fail. Idempotent.
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
     * Returns each tool with its accepted definition and the definition that the server listed last. A changed or new tool is withheld until it is accepted.
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
     * Accept tools.
     *
     * Accepts the definitions with these digests. If a digest is no longer current, accepts nothing and responds with 412, whose `names` lists the tools that differ. A blocked tool stays blocked; a tool that the server no longer lists is removed. Returns the server's tools.
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
     * Withholds the tools from every agent until they are unblocked. The names may include tools that the server has not listed yet. Cancels calls in flight. Returns the server's tools.
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
     * Each tool returns to the state of its definition: accepted, changed, new or invalid. Returns the server's tools.
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
     * Returns one entry per registered agent, by agent id; all of them, or paged with `limit` or `cursor`.
     *
     * Role: Admin or above.
     */
    readonly access: (
      args: {
        /** The installed server's id. */
        readonly serverId: string;
        /** Items per page, 1 to 500. Default: all, if there is no `cursor` either. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc` (default) or `desc`, by agent id. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.AccessEntry>;
    /**
     * Grant or revoke a server.
     *
     * Sets the access of the listed agents in one transaction; the access of other agents does not change. `tools: null` grants all tools, `[]` grants none, and an omitted `tools` does not change.
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
     * Accepts the `mcpServers` or `servers` of Claude Desktop, Cursor or VS Code, or the text of Codex's `config.toml` as `toml`. Installs each server that matches a catalog entry, disabled, and reports why it skipped the others. With an Owner key it also takes a `server.json` of the official registry and creates a catalog entry from it. Requires HTTPS.
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
     * Starts OAuth for a remote server whose entry sends no `Authorization` header. Open the returned URL in a browser, sign in and consent; agents then act with that consent. The service encrypts the tokens and refreshes them.
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
     * The authorization server sends the browser here with `state`, `code`, `iss` or `error`. The page reports whether the authorization succeeded (200) or failed (400). A state works once.
     */
    readonly callback: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<string>;
    /**
     * Get the OAuth client metadata.
     *
     * Returns the Client ID Metadata Document of this server, for authorization servers that support such documents.
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
     * Returns keys without their secrets, newest first by default; paged. Lists only keys whose role is not above the caller's.
     *
     * Role: Admin or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.ApiKey>;
    /**
     * Create an API key.
     *
     * Only this response contains `key`. The role of the new key cannot be above the caller's.
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
     * A key without a user acts under its own id. Use this to show a name instead. `id` is repeatable. Omits ids of unknown and deleted keys.
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
     * Returns the principal of the key or cookie. `expiresAt` is null for a key that never expires.
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
     * The cookie and its bearer tokens stop working immediately. Without a session the request changes nothing. Requires the same origin, but not the session's secret.
     *
     * Role: Viewer or above.
     */
    readonly end: (args?: Readonly<Record<never, never>>, options?: CallOptions) => Promise<void>;
    /**
     * Start a session.
     *
     * Requires an API key, or the token of a sign-in link, which `quartermaster open` prints; the token works once, within 5 minutes. Returns the caller and the session's secret, and sets the cookie `qm_session` (over HTTPS `__Host-qm_session`, below a path prefix `__Secure-qm_session`). Writes by cookie need the secret in the header `Quartermaster-Session`. An agent key cannot start a session and gets 403.
     */
    readonly create: (
      args: Schemas.SessionCreate,
      options?: CallOptions,
    ) => Promise<Schemas.SessionCreated>;
    /**
     * Create a bearer token.
     *
     * Returns a bearer token for the routes that accept no cookie. It belongs to the same principal and expires after 15 minutes. Requires the session cookie with the session's secret, and the same origin. A session has at most 100 valid tokens.
     *
     * Role: Viewer or above.
     */
    readonly token: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<Schemas.SessionToken>;
    /**
     * Create a sign-in link.
     *
     * Returns the token of a link that signs in to the dashboard as the caller's key, once, within 5 minutes. Requires the key itself: the token of a session creates no link.
     *
     * Role: Admin or above.
     */
    readonly link: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<Schemas.SignInLink>;
    /**
     * List sessions.
     *
     * Returns the sessions that the caller's key started, or every session for an Owner that is bound to no project; the most recently used first by default; paged.
     *
     * Role: Viewer or above.
     */
    readonly list: (
      args?: {
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.LoginSession>;
    /**
     * End another session.
     *
     * The cookie of the session and its bearer tokens stop working immediately.
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
  readonly audit: {
    /**
     * List the audit log.
     *
     * Returns who changed keys, sessions, access, servers and settings, newest first by default; paged. An entry is written in the transaction of its change, and retained for 400 days by default. With `Accept: application/x-ndjson`, returns every entry that matches, each as JSON in a line of its own; `limit` has no default there. With the session cookie, requires the session's secret.
     *
     * Role: Admin or above.
     */
    readonly list: (
      args?: {
        /** Only these actions, separated by commas: key.created, key.deleted, session.created, session.deleted, access.granted, access.revoked, access.changed, server.installed, server.updated, server.authorized, server.enabled, server.disabled, server.uninstalled, server.toolsAccepted, server.toolsBlocked, server.toolsUnblocked, catalogEntry.created, catalogEntry.updated, catalogEntry.deleted, agent.updated, agent.deleted, project.created, project.updated, project.deleted, webhook.created, webhook.updated, webhook.rotated, webhook.deleted. */
        readonly action?: string | undefined;
        /** Only entries of the user or agent with this id. */
        readonly actor?: string | undefined;
        /** Only entries from this time on. */
        readonly from?: string | undefined;
        /** Only entries before this time. */
        readonly to?: string | undefined;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.AuditEntry>;
  };
  readonly events: {
    /**
     * Stream events.
     *
     * Streams events as Server-Sent Events, from now on, after `Last-Event-ID`, or from `since` on. Responds with 400 if that id is unknown or no longer retained, and with 429 if the key has too many open streams. A comment line every 15 seconds keeps the connection open. The stream ends when its key or session expires or is deleted.
     *
     * Role: Viewer or above.
     */
    readonly subscribe: (
      args?: {
        /** Without `Last-Event-ID`: start with the retained events that were created at this time or later. */
        readonly since?: string | undefined;
        /** Only events of this project. */
        readonly projectId?: string | undefined;
        /** Only events of these kinds, separated by commas, such as `issue.created` or `issue.*`. Default: every kind that the caller may see. */
        readonly kinds?: string | undefined;
      },
      options?: EventOptions,
    ) => Promise<EventStream<Schemas.Event>>;
    /**
     * List recent events.
     *
     * Returns the newest events that the caller may see, newest first, among the last 10,000 of the log.
     *
     * Role: Viewer or above.
     */
    readonly recent: (
      args?: {
        /** Only events of this project. */
        readonly projectId?: string | undefined;
        /** Only events of these kinds, separated by commas, such as `issue.created` or `issue.*`. Default: every kind that the caller may see. */
        readonly kinds?: string | undefined;
        /** The number of events, 1 to 100. Default: 50. */
        readonly limit?: number | undefined;
      },
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.Event_1>>;
  };
  readonly webhooks: {
    /**
     * List webhooks.
     *
     * Returns every webhook without its secret, oldest first.
     *
     * Role: Admin or above.
     */
    readonly list: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<ReadonlyArray<Schemas.Webhook>>;
    /**
     * Create a webhook.
     *
     * The webhook gets the events after this one. Only this response contains `secret`. Requires HTTPS.
     *
     * Role: Admin or above.
     */
    readonly create: (
      args: Schemas.WebhookCreate,
      options?: CreateOptions,
    ) => Promise<Schemas.WebhookCreated>;
    /**
     * Get a webhook.
     *
     * Returns the webhook without its secret, and with a shortened URL.
     *
     * Role: Admin or above.
     */
    readonly get: (
      args: {
        /** The webhook's id. */
        readonly webhookId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.Webhook>;
    /**
     * Change a webhook.
     *
     * `disabled` skips what waits for it. `enabled` starts with the next event, also for a webhook that is failing. Requires HTTPS.
     *
     * Role: Admin or above.
     */
    readonly update: (
      args: {
        /** The webhook's id. */
        readonly webhookId: string;
      } & Schemas.WebhookUpdate,
      options?: CallOptions,
    ) => Promise<Schemas.Webhook>;
    /**
     * Delete a webhook.
     *
     * Deletes the webhook with its secrets and deliveries.
     *
     * Role: Admin or above.
     */
    readonly delete: (
      args: {
        /** The webhook's id. */
        readonly webhookId: string;
      },
      options?: CallOptions,
    ) => Promise<void>;
    /**
     * Rotate the secret of a webhook.
     *
     * Sets a new secret and returns it. Requests are signed with both secrets for 24 hours; a second rotation within them is 409 `rotation-open`. Requires HTTPS.
     *
     * Role: Admin or above.
     */
    readonly rotate: (
      args: {
        /** The webhook's id. */
        readonly webhookId: string;
      } & Schemas.WebhookRotate,
      options?: CallOptions,
    ) => Promise<Schemas.WebhookRotated>;
    /**
     * Send a test to a webhook.
     *
     * Sends an event of the kind `webhook.test` once, and returns its delivery when the receiver responded or 15 seconds are over. It is `failed` if the receiver did not accept it.
     *
     * Role: Admin or above.
     */
    readonly test: (
      args: {
        /** The webhook's id. */
        readonly webhookId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.WebhookDelivery>;
    /**
     * List the deliveries of a webhook.
     *
     * Returns the deliveries of the last 14 days, newest first by default; paged.
     *
     * Role: Admin or above.
     */
    readonly deliveries: (
      args: {
        /** The webhook's id. */
        readonly webhookId: string;
        /** Only deliveries with this status. */
        readonly status?: "pending" | "delivered" | "failed" | "skipped" | undefined;
        /** Only deliveries of this event. */
        readonly eventId?: string | undefined;
        /** Items per page, 1 to 500. Default: 100. */
        readonly limit?: number | undefined;
        /** The position of the page, from the `next` link of the previous page. */
        readonly cursor?: string | undefined;
        /** `asc`: oldest first. `desc`: newest first. */
        readonly order?: "asc" | "desc" | undefined;
      },
      options?: CallOptions,
    ) => Pages<Schemas.WebhookDelivery>;
    /**
     * Retry a delivery.
     *
     * Makes the delivery due now. A delivery that ended gets all its attempts again. While an attempt is in flight, responds with 409 `delivery-pending`.
     *
     * Role: Admin or above.
     */
    readonly retry: (
      args: {
        /** The webhook's id. */
        readonly webhookId: string;
        /** The delivery's id. */
        readonly deliveryId: string;
      },
      options?: CallOptions,
    ) => Promise<Schemas.WebhookDelivery>;
    /**
     * Send events to a webhook again.
     *
     * Sends the retained events that the webhook gets now: after an event, or since a time. At most 10,000, oldest first.
     *
     * Role: Admin or above.
     */
    readonly replay: (
      args: {
        /** The webhook's id. */
        readonly webhookId: string;
      } & Schemas.WebhookReplay,
      options?: CallOptions,
    ) => Promise<Schemas.WebhookReplayed>;
  };
  readonly system: {
    /**
     * Get metrics.
     *
     * Returns metrics in the text format of Prometheus.
     *
     * Role: Admin or above, or Metrics.
     */
    readonly metrics: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<string>;
    /**
     * Check that the process is alive.
     *
     * Returns 200 while the process runs.
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
     * Returns 200 while storage is reachable and the server accepts requests; otherwise responds with 503.
     */
    readonly ready: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<{
      /** Always `ok`. */
      readonly status: "ok";
    }>;
    /**
     * Get the OpenAPI document.
     *
     * Returns this API as an OpenAPI 3.1 document.
     */
    readonly openapi: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<unknown>;
    /**
     * Read the documentation.
     *
     * Returns the index of the documentation. The pages and their search load nothing from other hosts.
     */
    readonly docs: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<string>;
    /**
     * Read the API reference.
     *
     * Returns a page with every route, its fields and its problems. It loads nothing from other hosts.
     */
    readonly apiPage: (
      args?: Readonly<Record<never, never>>,
      options?: CallOptions,
    ) => Promise<string>;
  };
}
