import { Context, Effect, Layer, Option } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import type { Event } from "../../../events/Event.ts";
import { EventLog } from "../../../events/EventLog.ts";
import { isStdio } from "../../CatalogEntry.ts";
import { Connections } from "../../connections/Connections.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Outage from "../../Outage.ts";
import { PackageStore } from "../../PackageStore.ts";
import * as ServerEvents from "../../ServerEvents.ts";
import { PackageRetention } from "./PackageRetention.ts";
import { Verifier } from "./Verifier.ts";

/**
 * Folders and packages of servers on this node, which follow the changes of every node: an uninstall
 * removes them, and the package of an enabled server is prepared before its first call.
 */
export class ServerFiles extends Context.Service<
  ServerFiles,
  {
    /** Stops every process of an uninstalled server, and removes its folders and its package. */
    remove(serverId: string): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/mcp/servers/internal/ServerFiles") {
  static readonly layerNoDeps = Layer.effect(
    ServerFiles,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const events = yield* EventLog;
      const verifier = yield* Verifier;
      const connections = yield* Connections;
      const packages = yield* PackageStore;
      const retention = yield* PackageRetention;
      const scope = yield* Effect.scope;

      const remove = Effect.fnUntraced(function* (serverId: string) {
        // Every process of the server exits before its folders are removed.
        yield* Effect.all([verifier.cancel(serverId), connections.drop(serverId)], {
          concurrency: "unbounded",
          discard: true,
        });
        yield* packages.removeFolders(serverId);
        yield* retention.prune;
      });

      const prepare = Effect.fnUntraced(function* (serverId: string) {
        const server = Option.getOrNull(yield* store.get(serverId));
        if (server === null || !Outage.isOffered(server)) return;
        const { manifest, runtime } = server.entry;
        // A connection counts and reports its failure.
        if (isStdio(manifest)) yield* Effect.ignore(packages.prepare(runtime, manifest));
      });

      const followed = ({ kind, subjectId }: Event) => {
        if (kind === "mcp.uninstalled") return remove(subjectId);
        return kind === "mcp.enabled"
          ? prepare(subjectId)
          : Effect.andThen(prepare(subjectId), retention.prune);
      };
      yield* ServerEvents.follow(
        events,
        ["mcp.enabled", "mcp.updated", "mcp.uninstalled"],
        (event) =>
          Effect.catch(followed(event), (error) =>
            Effect.logWarning("Cannot read the MCP servers to follow a change", error),
          ).pipe(Effect.forkIn(scope), Effect.asVoid),
      );

      return ServerFiles.of({ remove });
    }),
  );
}
