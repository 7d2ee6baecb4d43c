import { type Actor, type SavedView, SavedViewStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

const isOwn = ({ createdBy, projectId }: SavedView.SavedViewRow, { id, type }: Actor.Actor) =>
  projectId === null && createdBy.id === id && createdBy.type === type;

export const layer = Layer.effect(
  SavedViewStore.SavedViewStore,
  Effect.map(Database, (database) => {
    const count = (where: (view: SavedView.SavedViewRow) => boolean) =>
      database.read(({ savedViews }) => Array.from(savedViews.values()).filter(where).length);
    return SavedViewStore.SavedViewStore.of({
      insert: (view) =>
        database.write(({ savedViews }) => {
          const row = { ...view, seq: database.nextSeq() };
          savedViews.set(row.id, row);
          return row;
        }),
      update: (view) =>
        database.write(({ savedViews }) => {
          const before = savedViews.get(view.id);
          if (before !== undefined) savedViews.set(view.id, { ...before, ...view });
        }),
      remove: (viewId) => database.write(({ savedViews }) => void savedViews.delete(viewId)),
      get: (viewId) =>
        database.read(({ savedViews }) => Option.fromNullishOr(savedViews.get(viewId))),
      list: ({ owner, projects }, slice) => {
        const isVisible = Rows.among(projects);
        return database.read(({ savedViews }) =>
          Rows.slice(
            savedViews.values(),
            slice,
            (view) => isOwn(view, owner) || (view.projectId !== null && isVisible(view.projectId)),
          ),
        );
      },
      countOwn: (owner) => count((view) => isOwn(view, owner)),
      countShared: (id) => count(({ projectId }) => projectId === id),
    });
  }),
);
