import { CatalogStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";

export const layer = Layer.effect(
  CatalogStore.CatalogStore,
  Effect.map(Database, (database) =>
    CatalogStore.CatalogStore.of({
      get: (id) =>
        database.read(({ catalogEntries }) => Option.fromNullishOr(catalogEntries.get(id)?.entry)),
      list: database.read(({ catalogEntries }) =>
        [...catalogEntries.values()].toSorted((a, b) => a.seq - b.seq).map(({ entry }) => entry),
      ),
      put: (entry) =>
        database.write(({ catalogEntries }) => {
          const seq = catalogEntries.get(entry.id)?.seq ?? database.nextSeq();
          catalogEntries.set(entry.id, { seq, entry });
        }),
      remove: (id) => database.write(({ catalogEntries }) => void catalogEntries.delete(id)),
    }),
  ),
);
