import { Effect } from "effect";
import * as Span from "../../../internal/Span.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import { Connections } from "../../connections/Connections.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Preparing from "./Preparing.ts";
import * as ServerRows from "./ServerRows.ts";

/** Enables and disables servers. Both are idempotent. */
export const make = Effect.gen(function* () {
  const rows = yield* ServerRows.make;
  const store = yield* McpServerStore;
  const connections = yield* Connections;
  const prepare = yield* Preparing.make;
  const { transact } = yield* Transactor;
  const scope = yield* Effect.scope;

  /** Sets the status. An event reports it, unless the server already had the status. */
  const setStatus = (serverId: string, status: "enabled" | "disabled") =>
    transact(
      Effect.gen(function* () {
        const server = yield* rows.get(serverId);
        if (server.status === status) return { server, isChanged: false };
        const next = {
          ...server,
          status,
          formerStatus: status,
          outage: null,
          generation: server.generation + 1,
          updatedAt: yield* Timestamp.now,
        };
        yield* store.update(next);
        yield* rows.record(`mcp.${status}`, next);
        yield* rows.audit(`server.${status}`, next);
        return { server: next, isChanged: true };
      }),
    );

  return {
    enable: Span.fn("McpServers.enable")(function* (serverId: string) {
      const { isChanged, server } = yield* setStatus(serverId, "enabled");
      // The connection shares the preparation, and counts its failure.
      if (isChanged) yield* prepare(server).pipe(Effect.ignore, Effect.forkIn(scope));
      yield* connections.warm(server);
    }),
    disable: Span.fn("McpServers.disable")(function* (serverId: string) {
      yield* setStatus(serverId, "disabled");
      yield* connections.drop(serverId);
    }),
  };
});
