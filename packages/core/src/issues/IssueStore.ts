import { Context, type Effect, type Option } from "effect";
import type { RunRow } from "../agents/Run.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { IssueFilter, IssueRow, IssueState } from "./Issue.ts";

/** What the rules need to know of an issue besides its own fields. */
export interface IssueFacts {
  readonly issue: IssueRow;
  /** Its open blockers, oldest link first, at most 100. */
  readonly openBlockers: ReadonlyArray<IssueRef>;
  /** The run that holds it at the moment asked for: neither ended, nor its lease over. */
  readonly liveRun: RunRow | null;
}

export interface IssueRef {
  readonly id: string;
  readonly projectId: string;
}

/** What the rules need to know of an issue that another one blocks. */
export interface DependentFacts {
  /** There may be many: what they say, and to whom they are given, is left out. */
  readonly issue: IssueState;
  /** Whether it has an open blocker other than that one. */
  readonly otherOpenBlocker: boolean;
  /** Whether a run holds it at the moment asked for. */
  readonly live: boolean;
}

/** An issue that an agent could pick up, and what its run has to know. */
export interface Claimable {
  readonly issue: IssueRow;
  /** Whether a run whose lease is over has not ended. */
  readonly isAbandoned: boolean;
  /** The `seq` of its newest comment, 0 without any. */
  readonly commentSeq: number;
}

/** The full-text part of a list's filter: lower-case words, all of which must be there. */
export interface IssueQuery extends Omit<IssueFilter, "q"> {
  readonly projectId: string;
  readonly words?: ReadonlyArray<string> | undefined;
}

/** Port: where issues are kept. */
export class IssueStore extends Context.Service<
  IssueStore,
  {
    /** Keeps a new issue and gives it its `seq`. */
    insert(issue: Omit<IssueRow, "seq">): Effect.Effect<IssueRow, StorageError>;
    /** Replaces the rows of the same ids, all but `linkCount`. */
    update(issues: ReadonlyArray<IssueRow>): Effect.Effect<void, StorageError>;
    /** Keeps the states of the issues of the same ids, and leaves all else of them alone. */
    move(states: ReadonlyArray<IssueState>): Effect.Effect<void, StorageError>;
    /** Removes the issue with its comments, attachments, links and timeline; ended runs stay. */
    remove(issueId: string): Effect.Effect<void, StorageError>;
    get(issueId: string): Effect.Effect<Option.Option<IssueRow>, StorageError>;
    facts(issueId: string, now: Timestamp): Effect.Effect<Option.Option<IssueFacts>, StorageError>;
    /** The issues that `issueId` blocks, whatever their status, oldest link first. */
    dependents(
      issueId: string,
      now: Timestamp,
    ): Effect.Effect<ReadonlyArray<DependentFacts>, StorageError>;
    /** Those of them that are neither Resolved nor Closed, oldest link first. */
    openDependents(
      issueId: string,
      limit: number,
    ): Effect.Effect<ReadonlyArray<IssueRef>, StorageError>;
    list(query: IssueQuery, slice: Slice): Effect.Effect<ReadonlyArray<IssueRow>, StorageError>;
    /**
     * What an agent could pick up at the moment `now`: assigned to it, Open or InProgress, not
     * paused, without open blocker or live run, in one of `projects` (null for any); resumed ones
     * first, then by priority, then oldest.
     */
    claimable(
      agentId: string,
      projects: ReadonlyArray<string> | null,
      limit: number,
      now: Timestamp,
    ): Effect.Effect<ReadonlyArray<Claimable>, StorageError>;
  }
>()("@quartermaster/core/issues/IssueStore") {}
