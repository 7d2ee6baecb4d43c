import { Context, Effect, Layer } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import { type CatalogEntry, isStdio, type StdioManifest } from "../../CatalogEntry.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import { PackageStore } from "../../PackageStore.ts";

const isStdioManifest = (manifest: CatalogEntry["manifest"]): manifest is StdioManifest =>
  isStdio(manifest);

/** Removes the packages that no installed server needs. */
export class PackageRetention extends Context.Service<
  PackageRetention,
  {
    /** Retains the entry's package while `effect` runs: an update of a server to it. */
    during<A, E, R>(entry: CatalogEntry, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>;
    readonly prune: Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/mcp/servers/internal/PackageRetention") {
  static readonly layerNoDeps = Layer.effect(
    PackageRetention,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const packages = yield* PackageStore;
      /** One per update in flight. */
      const moves = new Set<{ readonly manifest: CatalogEntry["manifest"] }>();

      const during = <A, E, R>({ manifest }: CatalogEntry, effect: Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            const move = { manifest };
            moves.add(move);
            return move;
          }),
          () => effect,
          (move) => Effect.sync(() => moves.delete(move)),
        );

      const prune = Effect.flatMap(store.list, (servers) =>
        packages.retain(
          [...servers.map(({ entry }) => entry), ...moves]
            .map(({ manifest }) => manifest)
            .filter(isStdioManifest),
        ),
      );

      return PackageRetention.of({ during, prune });
    }),
  );
}
