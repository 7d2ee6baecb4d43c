import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { ActivityRow } from "./Activity.ts";

/** Port: the timelines of issues. */
export class ActivityStore extends Context.Service<
  ActivityStore,
  {
    /** Appends entries, in this order. */
    append(entries: ReadonlyArray<Omit<ActivityRow, "seq">>): Effect.Effect<void, StorageError>;
    /** Returns entries whose related project, if any, is one of `projects` (null for any). */
    list(
      issueId: string,
      projects: ReadonlyArray<string> | null,
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<ActivityRow>, StorageError>;
  }
>()("@quartermaster/core/issues/ActivityStore") {}
