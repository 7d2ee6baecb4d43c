import { Context, Effect, Layer, Record } from "effect";
import { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import type { RunEnded } from "../agents/AgentErrors.ts";
import * as Fence from "../agents/Fence.ts";
import { isLive } from "../agents/Run.ts";
import { RunStore } from "../agents/RunStore.ts";
import type { InvalidRequest, NotFound, StorageError } from "../CommonErrors.ts";
import { EventLog } from "../events/EventLog.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { References } from "./internal/References.ts";
import { type Project, type ProjectSummary, ProjectUpdate } from "./Project.ts";
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
     * Returns a page of the projects that have an issue or settings and that the principal may see, by
     * id; `order` is `asc` by default.
     */
    list(
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<ProjectSummary>,
      InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * Pauses a project or ends its pause, and sets how agents hand in (`agentsMay`). A pause stops
     * the live runs of the project's issues at their next turn (`projectPaused`), and no heartbeat
     * claims its issues. Requires the Editor role and a principal that is not an agent; `NotFound`
     * for a project that the principal may not see or that the host's directory does not know.
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
     *   const { paused } = yield* projects.put("shop", { paused: true });
     *   const { started } = yield* runs.heartbeat("ops");
     *   return [paused, started.length]; // [true,0]
     * });
     * ```
     */
    put(
      projectId: string,
      input?: typeof ProjectUpdate.Encoded,
    ): Effect.Effect<
      Project,
      Forbidden | NotFound | InvalidRequest | StorageError | RunEnded,
      Principal.CurrentPrincipal
    >;
  }
>()("@quartermaster/core/issues/Projects") {
  static readonly layerNoDeps = Layer.effect(
    Projects,
    Effect.gen(function* () {
      const store = yield* ProjectStore;
      const runs = yield* RunStore;
      const events = yield* EventLog;
      const references = yield* References;
      const fence = yield* Fence.make;
      const { transact } = yield* Transactor;
      const decode = Input.decoder(ProjectUpdate);

      const stopRuns = Effect.fnUntraced(function* (projectId: string) {
        const now = yield* Timestamp.now;
        const active = (yield* runs.notEndedIn(projectId)).filter(
          (run) => run.status === "active" && isLive(run, now),
        );
        yield* runs.update(
          active.map((run) => ({ ...run, status: "stopping", stopReason: "projectPaused" })),
        );
      });

      const list = Span.fn("Projects.list")(function* (request: Page.PageRequest = {}) {
        const { projects } = yield* Principal.CurrentPrincipal;
        return yield* Page.readBy(
          byId,
          { ...request, defaultOrder: "asc", query: ["projects"] },
          (slice) => store.list(projects, slice),
        );
      });

      const put = Span.fn("Projects.put")(function* (
        projectId: string,
        input: typeof ProjectUpdate.Encoded = {},
      ) {
        const principal = yield* Principal.require("Editor");
        if (principal.agentId !== null) return yield* new Forbidden({ requiredRole: null });
        const { agentsMay, paused } = yield* decode(input);
        const id = yield* references.project(projectId);
        return yield* transact(
          Effect.gen(function* () {
            yield* fence("writes");
            const changes: Record<string, { readonly from: unknown; readonly to: unknown }> = {};
            if (paused != null && (yield* store.setPaused(id, paused))) {
              if (paused) yield* stopRuns(id);
              changes["paused"] = { from: !paused, to: paused };
            }
            const before = yield* store.agentsMay(id);
            if (agentsMay != null && agentsMay !== before) {
              yield* store.setAgentsMay(id, agentsMay);
              changes["agentsMay"] = { from: before, to: agentsMay };
            }
            if (!Record.isEmptyRecord(changes)) {
              yield* events.record([
                {
                  kind: "project.updated",
                  projectId: id,
                  relatedProjectId: null,
                  subjectId: id,
                  actor: Principal.actorOf(principal),
                  data: { changes },
                },
              ]);
            }
            return {
              id,
              paused: yield* store.isPaused(id),
              agentsMay: agentsMay ?? before,
            };
          }),
        );
      });

      return Projects.of({ list, put });
    }),
  );
}
