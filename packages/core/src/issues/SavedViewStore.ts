import { Context, type Effect, type Option } from "effect";
import type { Actor } from "../Actor.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { SavedViewRow } from "./SavedView.ts";

/** Port: saved views. */
export class SavedViewStore extends Context.Service<
  SavedViewStore,
  {
    /** Stores a view, and assigns its `seq`. */
    insert(view: Omit<SavedViewRow, "seq">): Effect.Effect<SavedViewRow, StorageError>;
    /** Replaces the name, the query, the project and `updatedAt` of the view with this id. */
    update(view: SavedViewRow): Effect.Effect<void, StorageError>;
    remove(viewId: string): Effect.Effect<void, StorageError>;
    get(viewId: string): Effect.Effect<Option.Option<SavedViewRow>, StorageError>;
    /**
     * Returns the views that `owner` created and does not share, and the views of `projects` (null for
     * any project), by `seq`.
     */
    list(
      query: { readonly owner: Actor; readonly projects: ReadonlyArray<string> | null },
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<SavedViewRow>, StorageError>;
    /** The number of views that the principal created and does not share. */
    countOwn(owner: Actor): Effect.Effect<number, StorageError>;
    /** The number of views of the project. */
    countShared(projectId: string): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/issues/SavedViewStore") {}
