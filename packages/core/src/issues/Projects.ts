import { Context, Effect, Layer } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import type { RunEnded } from "../agents/AgentErrors.ts";
import type {
  IdempotencyMismatch,
  InvalidRequest,
  LimitExceeded,
  NotFound,
  StorageError,
} from "../CommonErrors.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as ProjectChanges from "./internal/ProjectChanges.ts";
import * as ProjectDeletion from "./internal/ProjectDeletion.ts";
import type { Exists, ProjectInUse } from "./IssueErrors.ts";
import type { Project, ProjectCreate, ProjectSummary, ProjectUpdate } from "./Project.ts";
import { ProjectStore } from "./ProjectStore.ts";

const byId: Page.Keyset<ProjectSummary, string> = {
  keyOf: ({ id }) => id,
  toText: (id) => id,
  fromText: (text) => text,
};

/** The projects of the host. */
export class Projects extends Context.Service<
  Projects,
  {
    /**
     * Returns a page of the projects that the principal may see, by id; `order` is `asc` by default.
     */
    list(
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<ProjectSummary>,
      InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
    /** Returns a project. */
    get(
      projectId: string,
    ): Effect.Effect<Project, NotFound | StorageError, Principal.CurrentPrincipal>;
    /**
     * Creates a project. The first issue of a project and its first change also do. Requires the Editor
     * role and a principal that is not an agent and is bound to no project; only an Admin may name the
     * prefix (`Forbidden`). Fails with `Exists` for an id or a prefix of another project, and with
     * `NotFound` if the host has its own `Directory`, which decides which projects there are.
     */
    create(
      input: typeof ProjectCreate.Encoded,
    ): Effect.Effect<
      Project,
      | Forbidden
      | NotFound
      | InvalidRequest
      | StorageError
      | RunEnded
      | Exists
      | LimitExceeded
      | IdempotencyMismatch,
      Principal.CurrentPrincipal
    >;
    /**
     * Changes a project: its name and description, its prefix, whether it is paused, and how agents hand
     * in (`agentsMay`). A pause stops the live runs of the project's issues at their next turn
     * (`projectPaused`), and no heartbeat claims its issues. Earlier prefixes continue to work. Requires
     * the Editor role and a principal that is not an agent, and for the prefix an Admin that is bound to
     * no project; `NotFound` for a project that the principal may not see or that the host's directory
     * does not know. Fails with `Exists` for a prefix of another project, and with `LimitExceeded` if the
     * project has 20 prefixes.
     *
     * @example
     * ```ts
     * import { Issues, Projects, Runs } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const projects = yield* Projects.Projects;
     *   const issues = yield* Issues.Issues;
     *   const runs = yield* Runs.Runs;
     *   yield* issues.create("shop", { title: "Rotate the keys", assignedAgentId: "ops" });
     *   const { paused, prefix } = yield* projects.put("shop", { paused: true, prefix: "SH" });
     *   const { started } = yield* runs.heartbeat("ops");
     *   return [paused, prefix, started.length]; // [true,"SH",0]
     * });
     * ```
     */
    put(
      projectId: string,
      input?: typeof ProjectUpdate.Encoded,
    ): Effect.Effect<
      Project,
      Forbidden | NotFound | InvalidRequest | StorageError | RunEnded | Exists | LimitExceeded,
      Principal.CurrentPrincipal
    >;
    /**
     * Deletes a project that has no issues, with its settings, its runs, the views that are shared with
     * it and the webhooks that are bound to it. Its prefixes continue to belong to it: a project that is
     * created again with the same id gets them back, and its issues get new numbers. Requires the Admin
     * role and a principal that is not an agent and is bound to no project. Fails with `ProjectInUse`
     * while it has issues, or live runs of deleted ones.
     */
    remove(
      projectId: string,
    ): Effect.Effect<
      void,
      Forbidden | NotFound | StorageError | ProjectInUse,
      Principal.CurrentPrincipal
    >;
  }
>()("@quartermaster/core/issues/Projects") {
  static readonly layerNoDeps = Layer.effect(
    Projects,
    Effect.gen(function* () {
      const store = yield* ProjectStore;

      const list = Span.fn("Projects.list")(function* (request: Page.PageRequest = {}) {
        const { projects } = yield* Principal.CurrentPrincipal;
        return yield* Page.readBy(
          byId,
          { ...request, defaultOrder: "asc", query: ["projects"] },
          (slice) => store.list(projects, slice),
        );
      });

      return Projects.of({
        list,
        ...(yield* ProjectChanges.make),
        remove: yield* ProjectDeletion.make,
      });
    }),
  );
}
