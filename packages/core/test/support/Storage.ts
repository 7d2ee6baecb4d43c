import { MemoryStorage, type Storage, TestCore } from "@quartermaster/testing";
import { Context, Effect, Layer } from "effect";

/**
 * The storage of core's tests. `rerun` is memory that runs every change twice, `lost` PostgreSQL where
 * every change loses a race. Default: plain memory.
 */
const kind = process.env["QM_STORAGE"];

export const isRerun = kind === "rerun";

const lost = async () =>
  Layer.orDie((await import("../../../storage-postgres/test/support/LostRaces.ts")).layer);

export const storage =
  kind === "lost" ? await lost() : isRerun ? MemoryStorage.layerRerun : MemoryStorage.layer;

/** `TestCore.layer` over this storage. */
export const layer = TestCore.layerWith({ storage });

/** `TestCore.layerMcp` over this storage. */
export const layerMcp = TestCore.layerMcpWith({ storage });

/** This storage with one altered service. */
export const altered = <Id extends Storage.Storage, Service extends object>(
  key: Context.Service<Id, Service>,
  alter: (service: Service) => Partial<Service>,
) =>
  Layer.effectContext(
    Effect.map(Layer.build(storage), (context) => {
      const service = Context.get(context, key);
      return Context.add(context, key, { ...service, ...alter(service) });
    }),
  );
