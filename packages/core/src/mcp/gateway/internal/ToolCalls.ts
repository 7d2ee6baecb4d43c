import { Clock, Deferred, Effect, Exit, Option } from "effect";
import type { Event } from "../../../events/Event.ts";
import { EventLog } from "../../../events/EventLog.ts";
import * as Id from "../../../Id.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import { Connections, type Failure } from "../../connections/Connections.ts";
import type { Connection, ConnectorError, Progress, ToolResult } from "../../McpConnector.ts";
import { ToolUnavailable, type ToolUnavailableReason } from "../../McpErrors.ts";
import { McpOptions } from "../../McpOptions.ts";
import * as Results from "../../Results.ts";
import * as ServerEvents from "../../ServerEvents.ts";
import type { CallOutcome } from "../../ToolCall.ts";
import { ToolCallStore } from "../../ToolCallStore.ts";
import { adviceOf } from "./CallAdvice.ts";
import * as CallMetrics from "./CallMetrics.ts";
import * as CallRecorder from "./CallRecorder.ts";
import * as ToolAccess from "./ToolAccess.ts";
import type { NamedTool } from "./ToolLists.ts";

/**
 * Calls in flight.
 *
 * - A call is sent once. Only a call that was not sent is tried again, and only after its server was
 *   changed: once, with the server as it is then.
 * - What permits a call is checked first, again before it is sent if any tools were listed since
 *   then, and again on every change of access while it is in flight. A call that is no longer
 *   permitted is interrupted, which cancels it at the server.
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
  /** Null until it is found. */
  tool: NamedTool | null;
  /** Access changed before the tool was found. */
  mustRecheck: boolean;
  /** `Connections.listings` before the tool was found. */
  listings: number;
  /** The server may have received it. */
  isSent: boolean;
  /** Interrupts the call. */
  interrupted: Deferred.Deferred<never, ToolUnavailable | Failure>;
}

export const make = Effect.gen(function* () {
  const access = yield* ToolAccess.make;
  const connections = yield* Connections;
  const events = yield* EventLog;
  const calls = yield* ToolCallStore;
  const { toolSeconds } = yield* McpOptions;
  const { transact } = yield* Transactor;
  const newId = yield* Id.generator;
  const recorder = yield* CallRecorder.make((records) => transact(calls.append(records)));
  const inFlight = new Set<Call>();

  /** Fails if the call is no longer permitted. */
  const recheck = Effect.fnUntraced(function* ({ agentId, name, tool }: Call) {
    const found = yield* access.find(agentId, name);
    if (found === null || found.tool.server.id !== tool?.server.id) {
      return yield* ToolAccess.unknownTool(name);
    }
    yield* ToolAccess.permit(found);
  });

  /** A server that changes its own tools does not end the calls that are in flight. */
  const mayRevoke = ({ actor, kind }: Event) =>
    kind !== "mcp.toolsChanged" || actor.type !== "System";

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
    const overConnection = (connection: Pick<Connection, "callTool">) => {
      const sent = Effect.suspend(() => {
        call.isSent = true;
        return connection.callTool(tool.definition.name, call.args, {
          timeoutMillis: toolSeconds * 1_000,
          onProgress: call.options.onProgress,
        });
      });
      return Effect.flatMap(connections.listings, (listings) =>
        call.mustRecheck || listings !== call.listings ? Effect.andThen(recheck(call), sent) : sent,
      );
    };
    return connections.use(tool.server, call.agentId, overConnection, call.interrupted).pipe(
      Effect.catchTag("RpcError", (error) =>
        Effect.succeed(Results.ofRpcError(error, tool.definition)),
      ),
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
  const findOrList = Effect.fnUntraced(function* (agentId: string, name: string) {
    const found = yield* access.find(agentId, name);
    if (found !== null) return found;
    const server = yield* access.unlisted(agentId, name);
    if (server === null) return yield* ToolAccess.unknownTool(name);
    yield* access.notPaused(agentId);
    yield* connections.use(server, agentId, () => Effect.void);
    return (yield* access.find(agentId, name)) ?? (yield* ToolAccess.unknownTool(name));
  });

  const attempt = Effect.fnUntraced(function* (
    call: Call,
    known: ToolAccess.FoundTool | null = null,
  ) {
    const found = known ?? (yield* findOrList(call.agentId, call.name));
    call.tool = found.tool;
    if (found.granted) yield* access.notPaused(call.agentId);
    yield* ToolAccess.permit(found);
    return yield* send(call, found.tool);
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
      Effect.catchTag("ConnectorError", (error) => {
        const reason = reasonOf(error);
        return ToolAccess.unavailable(reason, error.message, adviceOf(error, reason, call.isSent));
      }),
      Effect.catchTag("Dropped", () =>
        ToolAccess.unavailable(
          "crashed",
          "The server was changed repeatedly.",
          "The call was not sent; it is safe to repeat. Its server was changed repeatedly.",
        ),
      ),
    );
  };

  const record = Effect.fnUntraced(function* (
    call: Call,
    started: number,
    exit: Exit.Exit<ToolResult, unknown>,
  ) {
    const outcome = outcomeOf(exit);
    const durationMs = (yield* Clock.currentTimeMillis) - started;
    yield* CallMetrics.record(call.tool?.server.name ?? null, outcome, durationMs);
    recorder.record({
      id: yield* newId("evt"),
      agentId: call.agentId,
      serverId: call.tool?.server.id ?? null,
      tool: call.tool?.definition.name ?? call.name.slice(0, 256),
      startedAt: Timestamp.ofMillis(started),
      durationMs,
      outcome,
      requestBytes: bytes(call.args),
      responseBytes: Exit.isSuccess(exit) ? bytes(exit.value) : 0,
    });
  });

  const { listings } = connections;

  return { access, listings, inFlight, attempts, record, flush: recorder.flush };
});

export type ToolCalls = Effect.Success<typeof make>;

/** Runs a call. `requireAgent` fails if the agent does not exist; it runs only if nothing is granted. */
export const run = <E, R>(
  { access, attempts, inFlight, listings, record }: ToolCalls,
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
        interrupted: Deferred.makeUnsafe(),
      };
      inFlight.add(call);
      return call;
    }),
    Effect.fnUntraced(function* (call) {
      const found = yield* access.find(call.agentId, call.name);
      if (found?.granted !== true) yield* requireAgent;
      const started = yield* Clock.currentTimeMillis;
      return yield* Effect.onExit(attempts(call, found), (exit) => record(call, started, exit));
    }),
    (call) => Effect.sync(() => inFlight.delete(call)),
  );

const changed = ({ server }: NamedTool) =>
  ToolAccess.unavailable("crashed", `The server ${server.name} was changed during the call.`);

const reasonOf = ({ reason }: ConnectorError): typeof ToolUnavailableReason.Type => {
  if (reason === "timeout") return "timeout";
  return reason === "exited" || reason === "closed" ? "crashed" : "failing";
};

const outcomeOf = (exit: Exit.Exit<ToolResult, unknown>): CallOutcome => {
  if (Exit.isSuccess(exit)) return exit.value.isError === true ? "error" : "ok";
  const failure = Option.getOrNull(Exit.findErrorOption(exit));
  if (failure instanceof ToolUnavailable) return failure.reason;
  return failure === null && Exit.hasInterrupts(exit) ? "cancelled" : "failing";
};

const encoder = new TextEncoder();
const bytes = (value: unknown): number => encoder.encode(JSON.stringify(value) ?? "").length;
