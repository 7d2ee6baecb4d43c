import { Clock, Deferred, Effect, type Exit } from "effect";
import type { Event } from "../../../events/Event.ts";
import { EventLog } from "../../../events/EventLog.ts";
import {
  Connections,
  type Failure,
  type GuardedConnection,
} from "../../connections/Connections.ts";
import type { Progress, ToolResult } from "../../McpConnector.ts";
import type { ToolUnavailable } from "../../McpErrors.ts";
import { McpOptions } from "../../McpOptions.ts";
import * as Results from "../../Results.ts";
import * as ServerEvents from "../../ServerEvents.ts";
import { SharedCallLimits } from "./CallLimits.ts";
import { CallRecords } from "./CallRecords.ts";
import * as FailedCalls from "./FailedCalls.ts";
import * as ToolAccess from "./ToolAccess.ts";
import type { NamedTool } from "./ToolLists.ts";

/**
 * Calls in flight.
 *
 * - A call is sent once. Only a call that was not sent is tried again, once, after its server
 *   changed, with the changed server. A call whose access token the server rejected was not
 *   carried out, and is sent once more.
 * - The permission of a call is checked first, again before it is sent if tools were listed since
 *   then, and again on every change of access while it is in flight. A call that is no longer
 *   permitted is interrupted, which cancels it at the server.
 * - A call is admitted by the limits of its grant once, before it is sent, and released when it ends.
 * - Every call is recorded when it ends, with its outcome and without its content.
 */

type Arguments = Readonly<Record<string, unknown>>;

export interface CallOptions {
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined;
}

/** A call in flight. */
interface Call {
  readonly agentId: string;
  readonly name: string;
  readonly args: Arguments;
  readonly options: CallOptions;
  /** Null until the tool is found. */
  tool: NamedTool | null;
  /** Access changed before the tool was found. */
  mustRecheck: boolean;
  /** `Connections.listings` before the tool was found. */
  listings: number;
  /** The server may have received it. */
  isSent: boolean;
  /** Set once `CallLimits` counts it. */
  countedUnder: string | null;
  /** Interrupts the call. */
  interrupted: Deferred.Deferred<never, ToolUnavailable | Failure>;
}

/** A server's change to its own tools does not end calls in flight. */
const mayRevoke = ({ actor, kind }: Event) =>
  kind !== "mcp.toolsChanged" || actor.type !== "System";

/** The record of a call that has not ended. */
const recordOf = ({ agentId, args, name, tool }: Call) => ({
  agentId,
  server: tool?.server ?? null,
  tool: tool?.definition.name ?? name.slice(0, 256),
  request: args,
});

export const make = Effect.gen(function* () {
  const access = yield* ToolAccess.make;
  const failed = yield* FailedCalls.make;
  const connections = yield* Connections;
  const events = yield* EventLog;
  const records = yield* CallRecords;
  const { toolSeconds } = yield* McpOptions;
  const inFlight = new Set<Call>();
  const limits = yield* SharedCallLimits;

  /** Fails if the call is no longer permitted. */
  const recheck = Effect.fnUntraced(function* ({ agentId, name, tool }: Call) {
    const found = yield* access.find(agentId, name);
    if (found === null || found.tool.server.id !== tool?.server.id) {
      return yield* ToolAccess.unknownTool(name);
    }
    yield* ToolAccess.permit(found);
  });

  const followed = ["mcp.accessChanged", "mcp.toolsChanged", "agent.deleted"] as const;
  yield* ServerEvents.follow(events, followed, (event) =>
    Effect.forEach(
      mayRevoke(event) ? inFlight : [],
      (call) => {
        const { subjectId } = event;
        if (call.tool === null) call.mustRecheck = true;
        return call.tool !== null && [call.tool.server.id, call.agentId].includes(subjectId)
          ? Effect.catch(recheck(call), (refusal) => Deferred.fail(call.interrupted, refusal))
          : Effect.void;
      },
      { discard: true },
    ),
  );

  /** Sends the call over the warm connection of its server. */
  const send = (call: Call, tool: NamedTool) => {
    const overConnection = (connection: Pick<GuardedConnection, "callTool">) => {
      const sent = Effect.suspend(() => {
        call.isSent = true;
        return connection.callTool(tool.definition.name, call.args, {
          timeoutMillis: toolSeconds * 1_000,
          maxResultBytes: tool.server.maxResultBytes,
          onProgress: call.options.onProgress,
        });
      });
      return Effect.flatMap(connections.listings, (listings) =>
        call.mustRecheck || listings !== call.listings ? Effect.andThen(recheck(call), sent) : sent,
      );
    };
    return connections.use(tool.server, call.agentId, overConnection, call.interrupted).pipe(
      Effect.catchTag("RpcError", (error) =>
        Effect.succeed(Results.ofRpcError(error, tool.definition, tool.server.maxResultBytes)),
      ),
      Effect.tap(() => Effect.sync(() => failed.reached(tool.server))),
      Effect.catchTag(
        "Dropped",
        Effect.fnUntraced(function* (dropped) {
          if (!call.isSent) return yield* dropped;
          yield* recheck(call);
          return yield* changed(tool);
        }),
      ),
    );
  };

  /** Finds the tool. Opens its server first if the server's tools were never listed. */
  const findOrList = Effect.fnUntraced(function* (call: Call) {
    const { agentId, name } = call;
    const found = yield* access.find(agentId, name);
    if (found !== null) return found;
    const server = yield* access.unlisted(agentId, name);
    if (server === null) return yield* ToolAccess.unknownTool(name);
    yield* access.notPaused(agentId);
    if (server.status === "error") return yield* ToolAccess.out(server);
    yield* Effect.catchTag(
      connections.use(server, agentId, () => Effect.void),
      "ConnectorError",
      (error) => failed.refuse(call, server, error),
    );
    return (yield* access.find(agentId, name)) ?? (yield* ToolAccess.unknownTool(name));
  });

  /**
   * Sends the call again if its server rejected the access token: the call was not carried out, and the next
   * connection has another token.
   */
  const sendAuthorized = (call: Call, tool: NamedTool) =>
    Effect.catchTag(send(call, tool), "ConnectorError", (error) => {
      if (error.reason !== "unauthorized" || !call.isSent) return Effect.fail(error);
      call.isSent = false;
      call.interrupted = Deferred.makeUnsafe();
      return send(call, tool);
    });

  const attempt = Effect.fnUntraced(function* (
    call: Call,
    known: ToolAccess.FoundTool | null = null,
  ) {
    const found = known ?? (yield* findOrList(call));
    call.tool = found.tool;
    if (found.permission !== null) yield* access.notPaused(call.agentId);
    yield* ToolAccess.permit(found);
    const refusal = yield* limits.admit(call, found.permission, found.tool.server);
    if (refusal !== null) return { content: [{ type: "text", text: refusal }], isError: true };
    return yield* Effect.catchTag(sendAuthorized(call, found.tool), "ConnectorError", (error) =>
      failed.refuse(call, found.tool.server, error),
    );
  });

  const attempts = (call: Call, found: ToolAccess.FoundTool | null) => {
    const again = Effect.flatMap(connections.listings, (listings) => {
      call.tool = null;
      call.listings = listings;
      call.interrupted = Deferred.makeUnsafe();
      return attempt(call);
    });
    return attempt(call, found).pipe(
      Effect.catchTag("Dropped", () => again),
      Effect.catchTag("Dropped", () =>
        ToolAccess.unavailable(
          "crashed",
          "The server changed repeatedly during the call.",
          "The call was not sent; it is safe to repeat. Its server changed repeatedly.",
        ),
      ),
    );
  };

  const record = (call: Call, started: number, exit: Exit.Exit<ToolResult, unknown>) =>
    records.ended({ ...recordOf(call), started, exit });

  const { listings } = connections;

  return { access, listings, inFlight, limits, attempts, record };
});

export type ToolCalls = Effect.Success<typeof make>;

/**
 * Runs a call. `requireAgent` fails if the agent does not exist; it runs only if the agent has no
 * grant.
 */
export const run = <E, R>(
  { access, attempts, inFlight, limits, listings, record }: ToolCalls,
  request: Pick<Call, "agentId" | "name" | "args" | "options">,
  requireAgent: Effect.Effect<void, E, R>,
) =>
  Effect.acquireUseRelease(
    Effect.map(listings, (before) => {
      const call: Call = {
        ...request,
        tool: null,
        mustRecheck: false,
        listings: before,
        isSent: false,
        countedUnder: null,
        interrupted: Deferred.makeUnsafe(),
      };
      inFlight.add(call);
      return call;
    }),
    Effect.fnUntraced(function* (call) {
      const found = yield* access.find(call.agentId, call.name);
      if (found?.permission == null) yield* requireAgent;
      const started = yield* Clock.currentTimeMillis;
      return yield* Effect.onExit(attempts(call, found), (exit) => record(call, started, exit));
    }),
    (call) =>
      Effect.sync(() => {
        inFlight.delete(call);
        limits.release(call);
      }),
  );

const changed = ({ server }: NamedTool) =>
  ToolAccess.unavailable("crashed", `The server ${server.name} changed during the call.`);
