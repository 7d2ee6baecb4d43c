import { ProcessLeaseStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";

export const layer = Layer.effect(
  ProcessLeaseStore.ProcessLeaseStore,
  Effect.map(Database, (database) =>
    ProcessLeaseStore.ProcessLeaseStore.of({
      get: (serverId) =>
        database.read(({ processLeases }) => Option.fromNullishOr(processLeases.get(serverId))),
      put: (lease) =>
        database.write(({ processLeases }) => processLeases.set(lease.serverId, lease)),
      remove: (serverId, nodeId) =>
        database.write(({ processLeases }) => {
          if (processLeases.get(serverId)?.nodeId === nodeId) processLeases.delete(serverId);
        }),
    }),
  ),
);
