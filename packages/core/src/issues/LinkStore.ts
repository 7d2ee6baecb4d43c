import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { IssueGraph } from "./IssueGraph.ts";
import type { LinkRow, Relation } from "./IssueLink.ts";

/** Port: links. It also maintains `IssueRow.linkCount` of both ends. */
export class LinkStore extends Context.Service<
  LinkStore,
  {
    /**
     * Inserts a link and assigns its `seq`. A storage may refuse a second link with the same source,
     * target and relation.
     */
    insert(link: Omit<LinkRow, "seq">): Effect.Effect<LinkRow, StorageError>;
    /** Removes a link. */
    remove(linkId: string): Effect.Effect<void, StorageError>;
    /** Returns a link. */
    get(linkId: string): Effect.Effect<Option.Option<LinkRow>, StorageError>;
    /** Returns the link of this relation from source to target; for RelatedTo in either direction. */
    find(
      relation: Relation,
      sourceId: string,
      targetId: string,
    ): Effect.Effect<Option.Option<LinkRow>, StorageError>;
    /** Returns the links of an issue whose other end is in one of `projects` (null for any). */
    list(
      issueId: string,
      projects: ReadonlyArray<string> | null,
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<LinkRow>, StorageError>;
    /**
     * Returns the blockers, or the dependents, of some issues: the ids of at most `limit` distinct issues in
     * one of `projects` (null for any), oldest link first.
     */
    neighbors(query: {
      readonly issueIds: ReadonlyArray<string>;
      readonly side: "blockers" | "dependents";
      readonly projects: ReadonlyArray<string> | null;
      readonly limit: number;
    }): Effect.Effect<ReadonlyArray<string>, StorageError>;
    /** Returns the Blocks relations between two of the issues, oldest first. */
    edges(
      issueIds: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyArray<IssueGraph["edges"][number]>, StorageError>;
    /**
     * Returns a shortest chain of Blocks relations from one issue to another: `[from, ..., to]`, each
     * blocking the next.
     */
    path(
      from: string,
      to: string,
    ): Effect.Effect<Option.Option<ReadonlyArray<string>>, StorageError>;
  }
>()("@quartermaster/core/issues/LinkStore") {}
