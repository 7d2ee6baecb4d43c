import { AuditStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

export const layer = Layer.effect(
  AuditStore.AuditStore,
  Effect.map(Database, (database) =>
    AuditStore.AuditStore.of({
      append: (entries) =>
        database.write(({ auditEntries }) => {
          for (const entry of entries) {
            const seq = database.nextSeq();
            auditEntries.set(String(seq), { ...entry, seq });
          }
        }),
      list: ({ actions, actor, from, to }, slice) =>
        database.read(({ auditEntries }) =>
          Rows.slice(
            auditEntries.values(),
            slice,
            (entry) =>
              Rows.among(actions)(entry.action) &&
              (actor === null || entry.actor.id === actor) &&
              (from === null || entry.at >= from) &&
              (to === null || entry.at < to),
          ),
        ),
      prune: (before, limit) =>
        database.write(({ auditEntries }) =>
          Rows.prune(auditEntries, limit, ({ at }) => at < before),
        ),
    }),
  ),
);
