import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { AgentsMay, ProjectRow, ProjectSummary } from "./Project.ts";

/** Port: the service's own data about projects. The host owns the rest. */
export class ProjectStore extends Context.Service<
  ProjectStore,
  {
    /** Returns a project. */
    get(projectId: string): Effect.Effect<Option.Option<ProjectRow>, StorageError>;
    /** Returns a project. It is not removed before the current transaction commits. */
    hold(projectId: string): Effect.Effect<Option.Option<ProjectRow>, StorageError>;
    /**
     * Removes a project that has no issues, with its settings and the views that are shared with it. Its
     * prefixes continue to belong to it, and no number of its issues is given again.
     */
    remove(projectId: string): Effect.Effect<void, StorageError>;
    /**
     * Inserts a project, or replaces the row of the same id. Its prefix belongs to it from then on, also
     * after it gets another one.
     */
    put(project: ProjectRow): Effect.Effect<void, StorageError>;
    /** Returns the project that the prefix belongs to. */
    ownerOf(prefix: string): Effect.Effect<Option.Option<string>, StorageError>;
    /** Returns the number of prefixes that belong to the project. */
    countPrefixes(projectId: string): Effect.Effect<number, StorageError>;
    /** Returns whether the project is paused. A project that was never paused is not. */
    isPaused(projectId: string): Effect.Effect<boolean, StorageError>;
    /** Pauses the project or ends its pause. Returns whether that changed it. */
    setPaused(projectId: string, paused: boolean): Effect.Effect<boolean, StorageError>;
    /** Returns how agents hand in: `resolve` for a project where it was never set. */
    agentsMay(projectId: string): Effect.Effect<AgentsMay, StorageError>;
    setAgentsMay(projectId: string, agentsMay: AgentsMay): Effect.Effect<void, StorageError>;
    /**
     * Returns the projects among `projects` (null for any) in the order of their ids by UTF-16 units. People list projects often, so a storage maintains the counts instead of counting
     * rows.
     */
    list(
      projects: ReadonlyArray<string> | null,
      slice: Slice<string>,
    ): Effect.Effect<ReadonlyArray<ProjectSummary>, StorageError>;
  }
>()("@quartermaster/core/issues/ProjectStore") {}
