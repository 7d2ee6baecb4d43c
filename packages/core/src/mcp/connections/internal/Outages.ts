import { Clock, Effect, Option } from "effect";
import * as Actor from "../../../Actor.ts";
import { EventLog } from "../../../events/EventLog.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Outage from "../../Outage.ts";
import { AgentOutages } from "./AgentOutages.ts";
import type { Key } from "./ConnectionSlot.ts";
import { Failures } from "./Failures.ts";

/**
 * Counts failures. If a server, or an agent's own process of it, fails too often, takes it out of
 * service on all nodes. An outage of a server is in storage, so that any node may try it again and
 * end it:
 *
 *     enabled ── 5 failures ──► error, tried again at `retryAt`
 *        ▲                        │   ▲
 *        │                   claimed  failed: `retryAt` + delay
 *        │                        ▼   │
 *        └──── its tools are ── attempt
 *              listed
 *
 * Every step applies only to its own generation. A node that claims an attempt moves `retryAt`, so
 * that no other node makes the same attempt. An attempt that dies with its node is followed by the
 * next one.
 */
export const make = Effect.gen(function* () {
  const store = yield* McpServerStore;
  const events = yield* EventLog;
  const { transact } = yield* Transactor;
  const failures = new Failures();
  const agents = new AgentOutages();

  /**
   * Changes the server, if it is still at this generation and `f` returns a change. Returns the
   * server.
   */
  const change = (
    { generation, serverId }: Pick<Key, "generation" | "serverId">,
    f: (
      server: InstalledServerRow,
      now: Timestamp.Timestamp,
    ) => {
      readonly server: InstalledServerRow;
      readonly kind?: "mcp.failed" | "mcp.recovered";
      readonly data?: Readonly<Record<string, unknown>>;
    } | null,
  ) =>
    transact(
      Effect.gen(function* () {
        const server = Option.getOrNull(yield* store.get(serverId));
        if (server?.generation !== generation) return null;
        const next = f(server, yield* Timestamp.now);
        if (next === null) return null;
        yield* store.update(next.server);
        if (next.kind !== undefined) {
          yield* events.record([
            {
              kind: next.kind,
              projectId: null,
              relatedProjectId: null,
              subjectId: serverId,
              actor: Actor.system,
              data: { name: server.name, ...next.data },
            },
          ]);
        }
        return next.server;
      }),
    );

  const begin = (key: Key, since: Timestamp.Timestamp, reason: string) =>
    change(key, (server, now) => {
      if (server.status !== "enabled") return null;
      const outage = Outage.begin({ since, now, reason, heals: true });
      return {
        server: { ...server, status: "error", formerStatus: "enabled", outage, updatedAt: now },
        kind: "mcp.failed",
        data: { reason, since, retryAt: outage.retryAt },
      };
    });

  /** The server, if this caller makes the attempt that is due. */
  const claim = (server: InstalledServerRow) =>
    change(keyOfServer(server), (current, now) => {
      const { outage } = current;
      if (outage === null || outage.retryAt === null) return null;
      if (Outage.millisLeft(outage.retryAt, Date.parse(now)) > 0) return null;
      return { server: { ...current, outage: Outage.tried(outage, now) } };
    });

  const postpone = (server: InstalledServerRow, reason: string) =>
    change(keyOfServer(server), (current, now) =>
      current.outage === null || current.outage.retryAt === null
        ? null
        : { server: { ...current, outage: Outage.failed(current.outage, now, reason) } },
    );

  /** Enables the server after its tools were listed, unless it was not enabled before. */
  const end = (key: Pick<Key, "generation" | "serverId">) =>
    change(key, (server, now) => {
      const { formerStatus, outage, status } = server;
      if (status !== "error" || formerStatus !== "enabled") return null;
      return {
        server: { ...server, status: "enabled", outage: null, updatedAt: now },
        kind: "mcp.recovered",
        data: { since: outage?.since ?? null, attempts: outage?.attempts ?? 0 },
      };
    });

  /** Records a failure of a connection, or of a call that did not reach its server. Returns whether to open it again. */
  const failed = Effect.fnUntraced(function* (
    key: Key,
    error: ConnectorError,
    when: "opening" | "open" | "calling",
  ) {
    const now = yield* Clock.currentTimeMillis;
    const isLast = failures[noteOf[when]](key, now);
    const { agentId, serverId } = key;
    yield* Effect.logWarning("An MCP server failed").pipe(
      Effect.annotateLogs({ serverId, reason: error.message, ...(agentId && { agentId }) }),
    );
    const isOut = agents.get(key) !== null;
    if (!isLast && !isOut) return true;
    const since = Timestamp.ofMillis(failures.since(key) ?? now);
    failures.forget(key);
    if (agentId !== null) {
      agents.failed(key, since, Timestamp.ofMillis(now), error.message);
      return false;
    }
    yield* Effect.catch(begin(key, since, error.message), (cause) =>
      Effect.logError("Cannot store the status of an MCP server", cause),
    );
    return false;
  });

  /** Records that a connection was opened and its tools were listed. */
  const opened = Effect.fnUntraced(function* (key: Key, server: InstalledServerRow) {
    if (server.status === "error") {
      yield* end(key);
      failures.forget(key);
    }
    agents.opened(key);
    failures.opened(key);
  });

  return { agents, claim, end, failed, failures, opened, postpone };
});

export type Outages = Effect.Success<typeof make>;

const noteOf = { opening: "noteUnopened", open: "note", calling: "noteUnreached" } as const;

const keyOfServer = ({ generation, id }: InstalledServerRow) => ({ serverId: id, generation });
