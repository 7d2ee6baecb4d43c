import { Context, type Effect, type Option } from "effect";
import type { IssueKey } from "../access/IssueKeys.ts";
import type { RunRow } from "../agents/Run.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { Page, Slice } from "../Page.ts";
import type * as Matching from "../search/Matching.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { Surroundings } from "./BriefIssue.ts";
import type { InsertedIssue, IssueRow, IssueState, NewIssue, StatusCounts } from "./Issue.ts";
import type { IssueFilter, IssueHas, IssueSort, SearchSort } from "./IssueFilter.ts";
import type * as IssueOrder from "./IssueOrder.ts";
import type { ProjectRow } from "./Project.ts";
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
  /** The `seq` of its newest version of a text; 0 if no text changed. */
  readonly versionSeq: number;
  /** Whether it ever had a question. */
  readonly hasQuestions: boolean;
  /** Whether a call under `once` was ever sent for it. */
  readonly hasEffects: boolean;
}

/** Things of which an issue has one at the time `now`. */
export interface HasQuery {
  readonly any: ReadonlyArray<IssueHas>;
  readonly now: Timestamp;
}

/**
 * Filters of a list, and its order. A list has no value twice. Of each list an issue has one value, and of
 * each list in `label` one label; a name with `not.` excludes the issues with one of its values.
 */
export interface IssueQuery extends Omit<
  IssueFilter,
  "q" | "ready" | "sort" | "has" | "not.has" | "silentAgent"
> {
  readonly projectId: string;
  readonly sort?: IssueSort | undefined;
  /** The agent to which the issue is assigned. */
  readonly agentId?: string | undefined;
  /**
   * Whether a claim of its agent at the time `now` would start the issue, by the rule of
   * `claimable`.
   */
  readonly ready?: { readonly is: boolean; readonly now: Timestamp } | undefined;
  readonly has?: HasQuery | undefined;
  readonly "not.has"?: HasQuery | undefined;
  /** Whether the last heartbeat of the assigned agent was before `since`, or never. */
  readonly silentAgent?: { readonly is: boolean; readonly since: Timestamp } | undefined;
}

/** The same filter over several projects; null for all. */
export interface AcrossQuery extends Omit<IssueQuery, "projectId"> {
  readonly projects: ReadonlyArray<string> | null;
}

/** A search for words, with the filters of a list. */
export interface SearchQuery extends Omit<AcrossQuery, "sort"> {
  /** The words of `Matching.wordsOf`, at least one. */
  readonly words: ReadonlyArray<string>;
  /** The issue whose key was looked for. It is found whatever its words are, and before others. */
  readonly issueId?: string | undefined;
  /** Also finds the issues whose key starts with this one: the same prefix, and the digits of the number. */
  readonly keyStart?: IssueKey | undefined;
  readonly sort: SearchSort;
}

/**
 * An issue that a search found. `tier` is the index of `Matching.tiers`, -1 for a key that starts with
 * the key that was looked for, -2 for that key itself, and 0 unless the order is by relevance.
 */
export interface Hit {
  readonly issue: IssueRow;
  readonly tier: number;
  /** Whether its key was looked for, or a start of it. */
  readonly isKey: boolean;
}

/** A part of the issues that a search finds. */
export interface Found {
  readonly hits: ReadonlyArray<Hit>;
  /** Whether more than `Matching.mostCandidates` issues match in one tier. Older ones are left out. */
  readonly isTruncated: boolean;
  /**
   * The time until which the index is complete, while it is built again; otherwise null. Issues
   * created later are found if they were created or changed since.
   */
  readonly asOf: Timestamp | null;
}

/** A page of issues, which `q` may have found. Without `q` it is neither truncated nor old. */
export interface FoundPage<A> extends Page<A>, Pick<Found, "isTruncated" | "asOf"> {}

/** Port: issues. */
export class IssueStore extends Context.Service<
  IssueStore,
  {
    /**
     * Inserts an issue and assigns its `seq`, and its `number`: from 1 in each project, with gaps, and
     * never used again.
     */
    insert(issue: NewIssue): Effect.Effect<InsertedIssue, StorageError>;
    /** Replaces the rows of the same ids, except `linkCount`. */
    update(issues: ReadonlyArray<IssueRow>): Effect.Effect<void, StorageError>;
    /**
     * Moves an issue to another project, with its questions, runs and the project of its links and
     * timelines. It gets a number of that project: the one that it had there before, else a new one.
     * `ofKey` also finds it by its earlier numbers. Returns the issue.
     */
    relocate(issue: IssueRow, project: ProjectRow): Effect.Effect<IssueRow, StorageError>;
    /** Stores the states of the issues with the same ids. Other fields do not change. */
    move(states: ReadonlyArray<IssueState>): Effect.Effect<void, StorageError>;
    /** Removes the issue with its comments, questions, attachments, links and timeline, but not its runs. */
    remove(issueId: string): Effect.Effect<void, StorageError>;
    /** Returns an issue. */
    get(issueId: string): Effect.Effect<Option.Option<IssueRow>, StorageError>;
    /**
     * Returns the issue that has this number in the project that has, or once had, the prefix, or that
     * had it there before it moved.
     */
    ofKey(prefix: string, number: number): Effect.Effect<Option.Option<IssueRef>, StorageError>;
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
      slice: Slice<IssueOrder.IssueKey>,
    ): Effect.Effect<ReadonlyArray<IssueRow>, StorageError>;
    /** Returns issues of several projects that match every filter, in the order of `IssueOrder`. */
    listAcross(
      query: AcrossQuery,
      slice: Slice<IssueOrder.IssueKey>,
    ): Effect.Effect<ReadonlyArray<IssueRow>, StorageError>;
    /** Returns issues that have all words and match every filter, in the order of `IssueOrder`. */
    search(
      query: SearchQuery,
      slice: Slice<IssueOrder.SearchKey>,
    ): Effect.Effect<Found, StorageError>;
    /**
     * Returns the texts of each issue that a search covers, with the comments that start in the first
     * 64 KiB of its comments.
     */
    texts(
      issues: ReadonlyArray<IssueRow>,
    ): Effect.Effect<ReadonlyArray<Matching.Texts>, StorageError>;
    /**
     * Indexes the words of some issues that were indexed by an older version of `Folding`. Returns
     * their number. Nodes that do this at the same time pass over each other.
     */
    readonly indexOlder: Effect.Effect<number, StorageError>;
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
