import { Clock, Effect, Option } from "effect";
import * as Actor from "../../../Actor.ts";
import { EventLog } from "../../../events/EventLog.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import type { Key } from "./ConnectionSlot.ts";
import { Failures } from "./Failures.ts";

/** Counts the failures of servers, and puts a server that fails too often in status `error`. */
export const make = Effect.gen(function* () {
  const store = yield* McpServerStore;
  const events = yield* EventLog;
  const { transact } = yield* Transactor;
  const failures = new Failures();

  const giveUp = (serverId: string, error: ConnectorError) =>
    transact(
      Effect.gen(function* () {
        const server = Option.getOrNull(yield* store.get(serverId));
        if (server?.status !== "enabled") return;
        const updatedAt = yield* Timestamp.now;
        yield* store.update({ ...server, status: "error", formerStatus: "enabled", updatedAt });
        yield* events.record([
          {
            kind: "mcp.failed",
            projectId: null,
            relatedProjectId: null,
            subjectId: serverId,
            actor: Actor.system,
            data: { name: server.name, reason: error.message },
          },
        ]);
      }),
    );

  /** Records a failure of a connection. Returns whether to try again. */
  const failed = Effect.fnUntraced(function* (
    { generation, serverId }: Key,
    error: ConnectorError,
    when: "opening" | "open",
  ) {
    const now = yield* Clock.currentTimeMillis;
    const isLast =
      when === "opening"
        ? failures.noteUnopened(serverId, generation, now)
        : failures.note(serverId, generation, now);
    yield* Effect.logWarning("An MCP server failed").pipe(
      Effect.annotateLogs({ serverId, reason: error.message }),
    );
    if (!isLast) return true;
    failures.forget(serverId);
    yield* Effect.catch(giveUp(serverId, error), (cause) =>
      Effect.logError("The status of an MCP server could not be stored", cause),
    );
    return false;
  });

  return { failures, failed };
});
