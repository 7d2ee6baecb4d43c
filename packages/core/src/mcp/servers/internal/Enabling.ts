import { Effect } from "effect";
import * as Span from "../../../internal/Span.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import { Connections } from "../../connections/Connections.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as ServerRows from "./ServerRows.ts";

/** Enables and disables servers. Both are idempotent. */
export const make = Effect.gen(function* () {
  const rows = yield* ServerRows.make;
  const store = yield* McpServerStore;
  const connections = yield* Connections;
  const { transact } = yield* Transactor;

  /** Sets the status. An event reports it, unless the server had it before. */
  const setStatus = (serverId: string, status: "enabled" | "disabled") =>
    transact(
      Effect.gen(function* () {
        const server = yield* rows.get(serverId);
        if (server.status === status) return server;
        const next = {
          ...server,
          status,
          formerStatus: status,
          generation: server.generation + 1,
          updatedAt: yield* Timestamp.now,
        };
        yield* store.update(next);
        yield* rows.record(status === "enabled" ? "mcp.enabled" : "mcp.disabled", next);
        return next;
      }),
    );

  return {
    enable: Span.fn("McpServers.enable")(function* (serverId: string) {
      yield* connections.warm(yield* setStatus(serverId, "enabled"));
    }),
    disable: Span.fn("McpServers.disable")(function* (serverId: string) {
      yield* setStatus(serverId, "disabled");
      yield* connections.drop(serverId);
    }),
  };
});
