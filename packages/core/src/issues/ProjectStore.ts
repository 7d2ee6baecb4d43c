import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";

/** Port: what the service stores about projects. The host owns the rest. */
export class ProjectStore extends Context.Service<
  ProjectStore,
  {
    /** Returns whether the project is paused. A project that was never paused is not. */
    isPaused(projectId: string): Effect.Effect<boolean, StorageError>;
    /** Pauses the project or ends its pause. Returns whether that changed it. */
    setPaused(projectId: string, paused: boolean): Effect.Effect<boolean, StorageError>;
  }
>()("@quartermaster/core/issues/ProjectStore") {}
