import { Context, type Effect } from "effect";
import type { AgentRow, Halted } from "../agents/Agent.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { EffectSlot } from "../effects/EffectSlot.ts";
import type { IssuePriority, IssueRow } from "../issues/Issue.ts";
import type { Mention } from "../issues/MentionStore.ts";
import type { Question } from "../issues/Question.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";

/** The order of the inbox: most urgent first, then the oldest, then by id. No two items have the same key. */
export interface InboxKey {
  readonly priority: IssuePriority;
  readonly since: Timestamp;
  /** The id of the question, call, issue, agent or server; for a mention `@` and the id of its issue. */
  readonly id: string;
}

/** The issue's part of an item. Its key is `priority`, `updatedAt` and `id`. */
export type InboxIssue = Pick<
  IssueRow,
  | "id"
  | "key"
  | "projectId"
  | "title"
  | "status"
  | "priority"
  | "assignedAgentId"
  | "pausedBecause"
  | "attempts"
  | "notBefore"
  | "updatedAt"
>;

/** An open question. Its key is the issue's priority, `createdAt` and the question's `id`. */
export interface InboxQuestion {
  readonly question: Pick<Question, "id" | "prompt" | "createdAt">;
  readonly issue: Pick<
    InboxIssue,
    "id" | "key" | "projectId" | "title" | "priority" | "assignedAgentId"
  >;
}

/** An effect whose reply was lost. Its key is the issue's priority, `sentAt` and `callId`. */
export interface InboxEffect {
  readonly effect: Pick<EffectSlot, "callId" | "sentAt" | "serverId" | "server" | "tool">;
  readonly issue: InboxQuestion["issue"];
}

/** A text that mentions a person. Its key is the issue's priority, `since`, and `@` with the issue's id. */
export interface InboxMention {
  readonly mention: Pick<Mention, "since" | "textId">;
  /** At least the first 501 characters of the text. */
  readonly text: string;
  readonly issue: InboxQuestion["issue"];
}

/** An issue that blocks others and that only a person, or time, can make ready. */
export interface InboxRoot {
  readonly issue: InboxIssue;
  readonly agentPaused: boolean;
  readonly projectPaused: boolean;
  /** The number of open issues in the projects that it blocks directly, counted up to 100. */
  readonly blocks: number;
}

/** A silent agent. Its key is `priorityOf.agentSilent`, `lastHeartbeatAt` or else `createdAt`, and `id`. */
export type InboxAgent = Pick<AgentRow, "id" | "name" | "lastHeartbeatAt" | "createdAt">;

/** An agent whose runner is halted. Its key is `priorityOf.runnerHalted`, `halted.since` and `id`. */
export interface InboxHalted extends Pick<AgentRow, "id" | "name"> {
  readonly halted: Halted;
}

export interface InboxQuery {
  /** Null for any project. */
  readonly projects: ReadonlyArray<string> | null;
  /**
   * Only items of issues that are assigned to this user, and questions of issues that the user created. Null for
   * any. It does not apply to agents.
   */
  readonly mine?: string | null;
  readonly now: Timestamp;
}

type Rows<A> = Effect.Effect<ReadonlyArray<A>, StorageError>;

/**
 * Port: the rows behind inbox items. Each method returns the rows of a slice in the order of their
 * keys. People look often and storages hold a million issues, so a storage must find a slice by
 * indexes, without reading every issue.
 */
export class InboxStore extends Context.Service<
  InboxStore,
  {
    /** Questions that are open at `now`. */
    questions(query: InboxQuery, slice: Slice<InboxKey>): Rows<InboxQuestion>;
    /** Effects that are unknown at `now`. */
    unknownEffects(query: InboxQuery, slice: Slice<InboxKey>): Rows<InboxEffect>;
    /** Issues in PendingReview. */
    reviews(query: InboxQuery, slice: Slice<InboxKey>): Rows<InboxIssue>;
    /**
     * The newest mention of the name in each issue, without issues on which a user of this id commented
     * later. Considers the 1,000 newest mentions of the name.
     */
    mentions(
      query: InboxQuery & { readonly name: string },
      slice: Slice<InboxKey>,
    ): Rows<InboxMention>;
    /** Issues that are paused for that reason. */
    paused(
      because: "failed" | "tooManyAttempts",
      query: InboxQuery,
      slice: Slice<InboxKey>,
    ): Rows<InboxIssue>;
    /**
     * Issues that are Open or InProgress, block an open issue of the projects, and are unassigned,
     * paused, deferred, or of a paused agent or project. Excludes issues that an active run holds,
     * that are paused as `failed` or `tooManyAttempts`, or that have a question that is open at
     * `now`.
     */
    roots(query: InboxQuery, slice: Slice<InboxKey>): Rows<InboxRoot>;
    /**
     * The open issues of the projects that wait directly for each of these issues: pairs of an issue
     * and a dependent.
     */
    waiting(
      issueIds: ReadonlyArray<string>,
      projects: InboxQuery["projects"],
    ): Rows<readonly [issueId: string, dependentId: string]>;
    /**
     * The newest comment that a run of each of these issues handed in, without issues that have none:
     * pairs of an issue and at least the first 1,000 characters of the comment.
     */
    handIns(issueIds: ReadonlyArray<string>): Rows<readonly [issueId: string, content: string]>;
    /**
     * Agents without a heartbeat since `silentSince` that hold a live run of an issue of the
     * projects, or may pick up such an issue at `now` by the rule of `IssueStore.claimable`.
     */
    silentAgents(
      query: InboxQuery & { readonly silentSince: Timestamp },
      slice: Slice<InboxKey>,
    ): Rows<InboxAgent>;
    /**
     * Agents whose runner was halted at its last heartbeat, later than `haltedSince`; with `projects`, only
     * agents that an issue of them is assigned to.
     */
    haltedAgents(
      query: InboxQuery & { readonly haltedSince: Timestamp },
      slice: Slice<InboxKey>,
    ): Rows<InboxHalted>;
  }
>()("@quartermaster/core/inbox/InboxStore") {}
