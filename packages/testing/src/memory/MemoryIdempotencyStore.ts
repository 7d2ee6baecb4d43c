import { IdempotencyStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

const rowKey = (keyId: string, idempotencyKey: string): string =>
  JSON.stringify([keyId, idempotencyKey]);

export const layer = Layer.effect(
  IdempotencyStore.IdempotencyStore,
  Effect.map(Database, (database) =>
    IdempotencyStore.IdempotencyStore.of({
      put: (row) =>
        database.write(({ idempotency }) =>
          idempotency.set(rowKey(row.keyId, row.idempotencyKey), row),
        ),
      get: (keyId, idempotencyKey) =>
        database.read(({ idempotency }) =>
          Option.fromNullishOr(idempotency.get(rowKey(keyId, idempotencyKey))),
        ),
      prune: (before, limit) =>
        database.write(({ idempotency }) =>
          Rows.prune(idempotency, limit, (row) => row.createdAt < before),
        ),
    }),
  ),
);
