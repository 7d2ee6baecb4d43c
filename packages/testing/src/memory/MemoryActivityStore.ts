import { ActivityStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

export const layer = Layer.effect(
  ActivityStore.ActivityStore,
  Effect.map(Database, (database) =>
    ActivityStore.ActivityStore.of({
      append: (entries) =>
        database.write(({ activity }, locks) => {
          for (const entry of entries) {
            locks?.issue(entry.issueId);
            activity.set(entry.id, { ...entry, seq: database.nextSeq() });
          }
        }),
      list: (issueId, projects, slice) => {
        const visible = Rows.among(projects);
        return database.read(({ activity }) =>
          Rows.slice(
            activity.values(),
            slice,
            (entry) =>
              entry.issueId === issueId &&
              (entry.relatedProjectId === null || visible(entry.relatedProjectId)),
          ),
        );
      },
    }),
  ),
);
