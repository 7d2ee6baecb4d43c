import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { AgentsMay, ProjectSummary } from "./Project.ts";

/** Port: the service's own data about projects. The host owns the rest. */
export class ProjectStore extends Context.Service<
  ProjectStore,
  {
    /** Returns whether the project is paused. A project that was never paused is not. */
    isPaused(projectId: string): Effect.Effect<boolean, StorageError>;
    /** Pauses the project or ends its pause. Returns whether that changed it. */
    setPaused(projectId: string, paused: boolean): Effect.Effect<boolean, StorageError>;
    /** Returns how agents hand in: `resolve` for a project where it was never set. */
    agentsMay(projectId: string): Effect.Effect<AgentsMay, StorageError>;
    setAgentsMay(projectId: string, agentsMay: AgentsMay): Effect.Effect<void, StorageError>;
    /**
     * Returns the projects among `projects` (null for any) that have an issue, are paused or where
     * `agentsMay` was set to another value than `resolve`, in the order of their ids by UTF-16
     * units. People list projects often, so a storage maintains the counts instead of counting
     * rows.
     */
    list(
      projects: ReadonlyArray<string> | null,
      slice: Slice<string>,
    ): Effect.Effect<ReadonlyArray<ProjectSummary>, StorageError>;
  }
>()("@quartermaster/core/issues/ProjectStore") {}
