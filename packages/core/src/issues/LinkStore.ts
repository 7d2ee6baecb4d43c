import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { LinkRow, Relation } from "./IssueLink.ts";

/** Port: where links are kept. It keeps `IssueRow.linkCount` of both ends true. */
export class LinkStore extends Context.Service<
  LinkStore,
  {
    /** Keeps a new link and gives it its `seq`. */
    insert(link: Omit<LinkRow, "seq">): Effect.Effect<LinkRow, StorageError>;
    remove(linkId: string): Effect.Effect<void, StorageError>;
    get(linkId: string): Effect.Effect<Option.Option<LinkRow>, StorageError>;
    /** The link of this relation from source to target, or for RelatedTo also the other way round. */
    find(
      relation: Relation,
      sourceId: string,
      targetId: string,
    ): Effect.Effect<Option.Option<LinkRow>, StorageError>;
    /** Links at either end of which the issue is, the other end in one of `projects` (null for any). */
    list(
      issueId: string,
      projects: ReadonlyArray<string> | null,
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<LinkRow>, StorageError>;
    /**
     * A chain of Blocks relations that leads from one issue to another: `[from, ..., to]`, each
     * blocking the next, as short as can be; none if there is no such chain.
     */
    path(
      from: string,
      to: string,
    ): Effect.Effect<Option.Option<ReadonlyArray<string>>, StorageError>;
  }
>()("@quartermaster/core/issues/LinkStore") {}
