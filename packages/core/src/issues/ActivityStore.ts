import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { ActivityRow } from "./Activity.ts";

/** Port: where the timelines of issues are kept. */
export class ActivityStore extends Context.Service<
  ActivityStore,
  {
    /** Keeps new entries, in this order. */
    append(entries: ReadonlyArray<Omit<ActivityRow, "seq">>): Effect.Effect<void, StorageError>;
    /** Entries whose related project, if any, is one of `projects` (null for any). */
    list(
      issueId: string,
      projects: ReadonlyArray<string> | null,
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<ActivityRow>, StorageError>;
  }
>()("@quartermaster/core/issues/ActivityStore") {}
