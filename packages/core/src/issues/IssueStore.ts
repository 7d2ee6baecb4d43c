import { Context, type Effect, type Option } from "effect";
import type { RunRow } from "../agents/Run.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { Surroundings } from "./BriefIssue.ts";
import type { IssueRow, IssueState, StatusCounts } from "./Issue.ts";
import type { IssueFilter } from "./IssueFilter.ts";
import type { IssueKey } from "./IssueOrder.ts";
import type { QuestionRow } from "./Question.ts";

/** The facts that the rules need about an issue. */
export interface IssueFacts {
  readonly issue: IssueRow;
  /** Its open blockers, oldest link first, at most 100. */
  readonly openBlockers: ReadonlyArray<IssueRef>;
  /** The run that holds the issue: it has not ended, and its lease has not expired. */
  readonly liveRun: RunRow | null;
  /** The run whose lease has expired although it has not ended: the expiry is not recorded yet. */
  readonly expiredRun: RunRow | null;
  /** Whether its assigned agent is paused. */
  readonly agentPaused: boolean;
  /** Whether its project is paused. */
  readonly projectPaused: boolean;
  /**
   * The latest time until which a call for a run of the issue may be in flight; null without one. The
   * time may have passed.
   */
  readonly callUntil: Timestamp | null;
  /**
   * Its questions that are stored as open, oldest first, including questions whose expiry is not
   * recorded yet.
   */
  readonly openQuestions: ReadonlyArray<QuestionRow>;
}

export interface IssueRef {
  readonly id: string;
  readonly projectId: string;
}

/** The facts that the rules need about a dependent. */
export interface DependentFacts {
  /** The issue without title, text and assignees, since there may be many dependents. */
  readonly issue: IssueState;
  /** Whether it has another open blocker. */
  readonly otherOpenBlocker: boolean;
  /** Whether a run holds it. */
  readonly live: boolean;
}

/** An issue that an agent may pick up, with the facts that its run needs. */
export interface Claimable {
  readonly issue: IssueRow;
  /** Whether it has a run that has not ended although its lease expired. */
  readonly isAbandoned: boolean;
  /** The `seq` of its newest comment; 0 without comments. */
  readonly commentSeq: number;
  /** Whether it ever had a question. */
  readonly hasQuestions: boolean;
}

/** Filters of a list, and its order. */
export interface IssueQuery extends Omit<IssueFilter, "q" | "ready"> {
  readonly projectId: string;
  /** Lower-case words, all of which must occur. */
  readonly words?: ReadonlyArray<string> | undefined;
  /** The agent to which the issue is assigned. */
  readonly agentId?: string | undefined;
  /**
   * Whether a claim of its agent at the time `now` would start the issue, by the rule of
   * `claimable`.
   */
  readonly ready?: { readonly is: boolean; readonly now: Timestamp } | undefined;
}

/** The same filter over several projects; null for all. */
export interface AcrossQuery extends Omit<IssueQuery, "projectId"> {
  readonly projects: ReadonlyArray<string> | null;
}

/** Port: issues. */
export class IssueStore extends Context.Service<
  IssueStore,
  {
    /** Inserts an issue and assigns its `seq`. */
    insert(issue: Omit<IssueRow, "seq">): Effect.Effect<IssueRow, StorageError>;
    /** Replaces the rows of the same ids, except `linkCount`. */
    update(issues: ReadonlyArray<IssueRow>): Effect.Effect<void, StorageError>;
    /** Stores the states of the issues with the same ids. Other fields do not change. */
    move(states: ReadonlyArray<IssueState>): Effect.Effect<void, StorageError>;
    /** Removes the issue with its comments, questions, attachments, links and timeline, but not its runs. */
    remove(issueId: string): Effect.Effect<void, StorageError>;
    /** Returns an issue. */
    get(issueId: string): Effect.Effect<Option.Option<IssueRow>, StorageError>;
    /** Returns the id of the issue of a project that has the external reference. */
    idOfExternalRef(
      projectId: string,
      externalRef: string,
    ): Effect.Effect<Option.Option<string>, StorageError>;
    /** Returns the facts that the rules need about an issue at the time `now`. */
    facts(issueId: string, now: Timestamp): Effect.Effect<Option.Option<IssueFacts>, StorageError>;
    /** Returns the issues that `issueId` blocks, with any status, oldest link first. */
    dependents(
      issueId: string,
      now: Timestamp,
    ): Effect.Effect<ReadonlyArray<DependentFacts>, StorageError>;
    /** Returns the dependents that are neither Resolved nor Closed, oldest link first. */
    openDependents(
      issueId: string,
      limit: number,
    ): Effect.Effect<ReadonlyArray<IssueRef>, StorageError>;
    /**
     * Returns the live run and the counts of each issue at the time `now`, in the order of the ids.
     * Counts only issues in one of `projects` (null for any). Every page of a list calls this, so a
     * storage should use one query.
     */
    surroundings(
      issueIds: ReadonlyArray<string>,
      projects: ReadonlyArray<string> | null,
      now: Timestamp,
    ): Effect.Effect<ReadonlyArray<Surroundings>, StorageError>;
    /**
     * Returns the number of issues of `projects` (null for any) by status. Metrics call this often
     * and storages hold a million issues, so a storage maintains the counts instead of counting
     * rows.
     */
    countByStatus(
      projects: ReadonlyArray<string> | null,
    ): Effect.Effect<StatusCounts, StorageError>;
    /** Returns issues that match every filter, in the order of `IssueOrder`. */
    list(
      query: IssueQuery,
      slice: Slice<IssueKey>,
    ): Effect.Effect<ReadonlyArray<IssueRow>, StorageError>;
    /** Returns issues of several projects that match every filter, in the order of `IssueOrder`. */
    listAcross(
      query: AcrossQuery,
      slice: Slice<IssueKey>,
    ): Effect.Effect<ReadonlyArray<IssueRow>, StorageError>;
    /**
     * Returns the earliest time after `now` to which an issue of the agent in one of `projects` (null
     * for any) is deferred. Only issues count that are Open or InProgress and not paused.
     */
    deferredUntil(
      agentId: string,
      projects: ReadonlyArray<string> | null,
      now: Timestamp,
    ): Effect.Effect<Option.Option<Timestamp>, StorageError>;
    /**
     * Returns whether an issue of the agent in one of `projects` (null for any) has a blocking question
     * that is open at `now`. Only issues count that are Open or InProgress and not paused.
     */
    isAwaiting(
      agentId: string,
      projects: ReadonlyArray<string> | null,
      now: Timestamp,
    ): Effect.Effect<boolean, StorageError>;
    /**
     * Returns the issues that an agent may pick up at the time `now`: assigned to it, Open or
     * InProgress, not paused, not deferred to a later time, without an open blocker, a live run, a
     * blocking question that is open at `now`, or a call in flight, in one of `projects` (null for any). None while the
     * agent is paused, and none of a paused project. Resumed issues first, then by priority, then oldest.
     */
    claimable(
      agentId: string,
      projects: ReadonlyArray<string> | null,
      limit: number,
      now: Timestamp,
    ): Effect.Effect<ReadonlyArray<Claimable>, StorageError>;
  }
>()("@quartermaster/core/issues/IssueStore") {}
