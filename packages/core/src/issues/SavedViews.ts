import { Context, Effect, Layer, Option } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import {
  type IdempotencyMismatch,
  type InvalidRequest,
  LimitExceeded,
  NotFound,
  type StorageError,
  UnknownReference,
} from "../CommonErrors.ts";
import { EventLog } from "../events/EventLog.ts";
import * as Id from "../Id.ts";
import { Idempotency } from "../idempotency/Idempotency.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { References } from "./internal/References.ts";
import {
  maxViews,
  type SavedView,
  SavedViewCreate,
  type SavedViewRow,
  SavedViewUpdate,
  toSavedView,
} from "./SavedView.ts";
import { SavedViewStore } from "./SavedViewStore.ts";

const sees = (principal: Principal.Principal, { createdBy, projectId }: SavedView): boolean =>
  projectId === null
    ? createdBy.type === principal.type && createdBy.id === principal.id
    : Principal.sees(principal, projectId);

/**
 * Lists of issues that are saved under a name: each principal's own, and the views of its
 * projects. A view that the principal does not see is `NotFound`, like one that does not exist.
 */
export class SavedViews extends Context.Service<
  SavedViews,
  {
    /** Returns a page of the principal's own views and of the views of its projects, oldest first. */
    list(
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<SavedView>,
      InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * Saves a view. Sharing it with a project requires the Editor role (`Forbidden`).
     *
     * Fails with `UnknownReference` for a project that the directory or the principal does not know, and
     * with `LimitExceeded` if the principal, or the project, has 100 views.
     *
     * @example
     * ```ts
     * import { SavedViews } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const views = yield* SavedViews.SavedViews;
     *   yield* views.create({ name: "Open bugs", query: "status=Open&label=bug" });
     *   return (yield* views.list()).items.map(({ name }) => name); // ["Open bugs"]
     * });
     * ```
     */
    create(
      input: typeof SavedViewCreate.Encoded,
    ): Effect.Effect<
      SavedView,
      | Forbidden
      | InvalidRequest
      | UnknownReference
      | LimitExceeded
      | IdempotencyMismatch
      | NotFound
      | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * Changes a view. A view that is shared with a project before or after the change requires the Editor
     * role; with `projectId: null` only its creator sees it. Fails as `create` does.
     */
    update(
      viewId: string,
      input: typeof SavedViewUpdate.Encoded,
    ): Effect.Effect<
      SavedView,
      Forbidden | InvalidRequest | UnknownReference | LimitExceeded | NotFound | StorageError,
      Principal.CurrentPrincipal
    >;
    /** Deletes a view. A shared view requires the Editor role. */
    remove(
      viewId: string,
    ): Effect.Effect<void, Forbidden | NotFound | StorageError, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/core/issues/SavedViews") {
  static readonly layerNoDeps = Layer.effect(
    SavedViews,
    Effect.gen(function* () {
      const store = yield* SavedViewStore;
      const references = yield* References;
      const events = yield* EventLog;
      const newId = yield* Id.generator;
      const idempotency = yield* Idempotency;
      const { transact } = yield* Transactor;
      const decodeCreate = Input.decoder(SavedViewCreate);
      const decodeUpdate = Input.decoder(SavedViewUpdate);

      const find = Effect.fnUntraced(function* (viewId: string) {
        const found = yield* store.get(viewId);
        return Option.isSome(found) && sees(yield* Principal.CurrentPrincipal, found.value)
          ? found.value
          : yield* new NotFound({ resource: "view", id: viewId });
      });

      /** Fails unless the principal may share views with the project. Null shares it with none. */
      const checkProject = Effect.fnUntraced(function* (projectId: string | null | undefined) {
        if (projectId == null) return;
        yield* Principal.require("Editor");
        yield* Effect.catchTag(references.project(projectId), "NotFound", () =>
          Effect.fail(new UnknownReference({ field: "projectId", id: projectId })),
        );
      });

      const checkCount = Effect.fnUntraced(function* ({
        createdBy,
        projectId,
      }: Pick<SavedView, "createdBy" | "projectId">) {
        const count = yield* projectId === null
          ? store.countOwn(createdBy)
          : store.countShared(projectId);
        if (count >= maxViews) return yield* new LimitExceeded({ limit: maxViews });
      });

      /** Records a change in each project that the view is or was shared with. No one else gets it. */
      const record = Effect.fnUntraced(function* (
        change: "created" | "updated" | "deleted",
        { id, name }: SavedView,
        projects: ReadonlyArray<string | null>,
      ) {
        const actor = Principal.actorOf(yield* Principal.CurrentPrincipal);
        const shared = [...new Set(projects)].filter((projectId) => projectId !== null);
        yield* events.record(
          shared.map((projectId) => ({
            kind: `view.${change}` as const,
            projectId,
            relatedProjectId: null,
            subjectId: id,
            actor,
            data: change === "updated" ? {} : { name },
          })),
        );
      });

      const list = Span.fn("SavedViews.list")(function* (request: Page.PageRequest = {}) {
        const principal = yield* Principal.CurrentPrincipal;
        const query = { owner: Principal.actorOf(principal), projects: principal.projects };
        const page = yield* Page.read(
          { ...request, defaultOrder: "asc", query: ["views"] },
          (slice) => store.list(query, slice),
        );
        return Page.map(page, toSavedView);
      });

      const create = Span.fn("SavedViews.create")(function* (
        input: typeof SavedViewCreate.Encoded,
      ) {
        const { name, projectId = null, query } = yield* decodeCreate(input);
        yield* checkProject(projectId);
        const createdBy = Principal.actorOf(yield* Principal.CurrentPrincipal);
        const make = Effect.gen(function* () {
          yield* checkCount({ createdBy, projectId });
          const now = yield* Timestamp.now;
          const id = yield* newId("view");
          const times = { createdAt: now, updatedAt: now };
          const view = yield* store.insert({ id, name, query, projectId, createdBy, ...times });
          yield* record("created", view, [projectId]);
          return view;
        });
        return toSavedView(yield* transact(idempotency.once({ make, find })));
      });

      const update = Span.fn("SavedViews.update")(function* (
        viewId: string,
        input: typeof SavedViewUpdate.Encoded,
      ) {
        const changes = yield* decodeUpdate(input);
        yield* checkProject(changes.projectId);
        const change = Effect.gen(function* () {
          const before = yield* find(viewId);
          if (before.projectId !== null) yield* Principal.require("Editor");
          const now = yield* Timestamp.now;
          const after: SavedViewRow = { ...before, ...changes, updatedAt: now };
          if (after.projectId !== before.projectId) yield* checkCount(after);
          yield* store.update(after);
          yield* record("updated", after, [before.projectId, after.projectId]);
          return toSavedView(after);
        });
        return yield* transact(change);
      });

      const remove = Span.fn("SavedViews.remove")(function* (viewId: string) {
        yield* transact(
          Effect.gen(function* () {
            const view = yield* find(viewId);
            if (view.projectId !== null) yield* Principal.require("Editor");
            yield* store.remove(viewId);
            yield* record("deleted", view, [view.projectId]);
          }),
        );
      });

      return SavedViews.of({ list, create, update, remove });
    }),
  );
}
