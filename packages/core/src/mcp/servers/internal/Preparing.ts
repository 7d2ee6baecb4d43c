import { Clock, Effect, Result } from "effect";
import type * as Principal from "../../../access/Principal.ts";
import type { StorageError } from "../../../CommonErrors.ts";
import { Transactor } from "../../../Transactor.ts";
import { isStdio } from "../../CatalogEntry.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import { PackageStore } from "../../PackageStore.ts";
import * as ServerRows from "./ServerRows.ts";

/**
 * Prepares the program of a server, which may take minutes if its package has to be fetched. Events
 * report the start and the result. A caller that opens a connection in the meantime shares the
 * preparation.
 */
export const make = Effect.gen(function* () {
  const rows = yield* ServerRows.make;
  const packages = yield* PackageStore;
  const { transact } = yield* Transactor;

  return Effect.fnUntraced(function* (
    server: Pick<InstalledServerRow, "entry" | "id" | "name">,
  ): Effect.fn.Return<void, ConnectorError | StorageError, Principal.CurrentPrincipal> {
    const { manifest, runtime } = server.entry;
    if (!isStdio(manifest)) return;
    const { package: name, version } = manifest;
    const program = { package: name === null ? null : `${name}@${version}` };
    yield* transact(rows.record("mcp.preparing", server, program));
    const started = yield* Clock.currentTimeMillis;
    const prepared = yield* Effect.result(packages.prepare(runtime, manifest));
    const millis = (yield* Clock.currentTimeMillis) - started;
    const outcome = Result.isSuccess(prepared)
      ? { status: "ok", details: `Prepared in ${millis} ms.` }
      : { status: "error", details: prepared.failure.message };
    yield* transact(rows.record("mcp.prepared", server, { ...program, ...outcome }));
    yield* Effect.fromResult(prepared);
  });
});
