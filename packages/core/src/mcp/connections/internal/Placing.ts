import { Effect, type Scope } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import { isStdio } from "../../CatalogEntry.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import * as Passed from "../../Passed.ts";
import { Targets } from "../../values/Targets.ts";
import * as Opening from "./Opening.ts";
import * as PassedConnection from "./PassedConnection.ts";
import type { ProcessLeases } from "./ProcessLeases.ts";

/** Whether the service runs one process of the server, whatever the number of nodes. */
export const isSingle = ({ entry: { manifest } }: Pick<InstalledServerRow, "entry">): boolean =>
  isStdio(manifest) && manifest.isolation === "shared" && manifest.state;

/**
 * Opens the connections of slots. A server with state has one process in the whole service: the node that has
 * its lease runs it, and other nodes connect to that node.
 */
export const make = Effect.fnUntraced(function* (leases: ProcessLeases) {
  const open = yield* Opening.make;
  const targets = yield* Targets;
  const { nodes, unreachable } = leases;
  if (nodes === null)
    return (server: InstalledServerRow, agentId: string | null) => open(server, { agentId });

  const place = Effect.fnUntraced(function* (
    server: InstalledServerRow,
  ): Effect.fn.Return<Opening.Opened, ConnectorError | StorageError, Scope.Scope> {
    const lease = yield* leases.hold(server.id);
    if ("nodeId" in lease) {
      const { url } = lease;
      if (url === null) return yield* noUrl(server.name);
      const scrubber = Opening.scrubberOf(server.entry, yield* targets.values(server));
      return PassedConnection.make(server, { ...lease, url }, { nodes, scrubber, unreachable });
    }
    const lost = Effect.flatMap(lease.lost, Effect.fail);
    const connection = yield* Effect.raceFirst(open(server), lost);
    return {
      ...connection,
      callTool: (...call) => Effect.andThen(lease.check, connection.callTool(...call)),
      closed: Effect.raceFirst(connection.closed, lease.lost),
    };
  });

  return (server: InstalledServerRow, agentId: string | null) =>
    isSingle(server) ? place(server) : open(server, { agentId });
});

const noUrl = (name: string) =>
  Passed.elsewhere(
    `Another node runs the server ${name}, and has no URL at which this node reaches it.`,
  );
