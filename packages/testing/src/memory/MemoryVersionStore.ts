import { VersionStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

const removeWhere = (
  { versions }: Tables,
  where: (row: VersionStore.VersionRow) => boolean,
): void => {
  for (const row of versions.values()) {
    if (where(row)) versions.delete(String(row.seq));
  }
};

export const removeOfIssue = (tables: Tables, issueId: string): void =>
  removeWhere(tables, (row) => row.issueId === issueId);

export const layer = Layer.effect(
  VersionStore.VersionStore,
  Effect.map(Database, (database) =>
    VersionStore.VersionStore.of({
      append: (rows) =>
        database.write(({ versions }, locks) => {
          for (const row of rows) {
            locks?.issue(row.issueId);
            const seq = database.nextSeq();
            versions.set(String(seq), { ...row, seq });
          }
        }),
      list: (textId, slice) =>
        database.read(({ versions }) =>
          Rows.slice(versions.values(), slice, (row) => row.textId === textId),
        ),
      since: (issueId, after, limit) =>
        database.read(({ versions }) => {
          const changed = Array.from(versions.values()).filter(
            (row) => row.issueId === issueId && row.seq > after,
          );
          const newest = new Map(changed.map((row) => [row.textId, row]));
          return [...newest.values()].toSorted((a, b) => a.seq - b.seq).slice(0, limit);
        }),
      remove: (textId) =>
        database.write((tables) => removeWhere(tables, (row) => row.textId === textId)),
    }),
  ),
);
