import { Clock, Effect, Exit } from "effect";
import type { Event } from "../../../events/Event.ts";
import { EventLog } from "../../../events/EventLog.ts";
import * as Id from "../../../Id.ts";
import {
  Connections,
  type Dropped,
  type GuardedConnection,
} from "../../connections/Connections.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import type { CallOptions as SentOptions, ConnectorError, ToolResult } from "../../McpConnector.ts";
import { McpOptions } from "../../McpOptions.ts";
import * as ServerEvents from "../../ServerEvents.ts";
import * as ServerLimits from "../../ServerLimits.ts";
import * as Results from "../../untrusted/Results.ts";
import { Admissions } from "./Admissions.ts";
import * as CallContext from "./CallContext.ts";
import { CallInFlight, type Request } from "./CallInFlight.ts";
import { SharedCallLimits } from "./CallLimits.ts";
import { CallRecords } from "./CallRecords.ts";
import * as EffectAttempts from "./EffectAttempts.ts";
import { EffectCalls } from "./EffectCalls.ts";
import * as EffectEnd from "./EffectEnd.ts";
import * as FailedCalls from "./FailedCalls.ts";
import * as ToolAccess from "./ToolAccess.ts";
import type { NamedTool } from "./ToolLists.ts";

export type { CallOptions } from "./CallInFlight.ts";

/** The calls of tools on this node: `CallInFlight` lists the states of a call. */

/** A server's change to its own tools does not end calls in flight. */
const mayRevoke = ({ actor, kind }: Event) =>
  kind !== "mcp.toolsChanged" || actor.type !== "System";

/** Finds tools for calls, and checks that calls are still permitted. */
const makeFinding = Effect.fnUntraced(function* (
  access: Effect.Success<typeof ToolAccess.make>,
  refuse: Effect.Success<typeof FailedCalls.make>["refuse"],
) {
  const connections = yield* Connections;
  const admissions = yield* Admissions;

  /** Fails if the call is no longer permitted. */
  const recheck = Effect.fnUntraced(function* ({ agentId, request, tool }: CallInFlight) {
    const found = yield* access.find(agentId, request.name);
    if (found === null || found.tool.server.id !== tool?.server.id) {
      return yield* ToolAccess.unknownTool(request.name);
    }
    yield* ToolAccess.permit(found);
  });

  /** Finds the tool. Opens its server first if the server's tools were never listed. */
  const findOrList = Effect.fnUntraced(function* (call: CallInFlight) {
    const { agentId, name } = call.request;
    const found = yield* access.find(agentId, name);
    if (found !== null) return found;
    const server = yield* access.unlisted(agentId, name);
    if (server === null) return yield* ToolAccess.unknownTool(name);
    yield* admissions.mayCall(agentId, call.acting);
    if (server.status === "error") return yield* ToolAccess.out(server);
    yield* Effect.catchTag(
      connections.use(server, agentId, () => Effect.void),
      "ConnectorError",
      (error) => refuse(call, server, error),
    );
    return (yield* access.find(agentId, name)) ?? (yield* ToolAccess.unknownTool(name));
  });

  return { findOrList, recheck };
});

/** Sends calls over the warm connections of their servers. */
const makeSending = Effect.fnUntraced(function* (
  recheck: (call: CallInFlight) => Effect.Effect<void, ToolAccess.Refusal>,
  reached: (server: InstalledServerRow) => void,
) {
  const connections = yield* Connections;
  const admissions = yield* Admissions;
  const effects = yield* EffectCalls;
  const { toolSeconds } = yield* McpOptions;

  const overConnection =
    (call: CallInFlight, tool: NamedTool) =>
    (connection: Pick<GuardedConnection, "callTool" | "scrub">) => {
      const sent = (meta: SentOptions["meta"]) => {
        call.sent(connection.scrub);
        let isReplaced = false;
        return connection
          .callTool(tool.definition.name, call.request.args, {
            ...ServerLimits.times(tool.server, toolSeconds),
            maxResultBytes: tool.server.maxResultBytes,
            meta,
            onProgress: call.request.options.onProgress,
            onReplaced: () => (isReplaced = true),
          })
          .pipe(
            Effect.onExit((exit) =>
              Effect.sync(() => {
                if (call.effect === null) return;
                call.effect.end = EffectEnd.of(exit, isReplaced, tool.server.onceErrors);
                call.effect.result = Exit.isSuccess(exit) ? exit.value : null;
              }),
            ),
          );
      };
      const admitted = admissions.admit(call).pipe(
        Effect.flatMap((run) =>
          Effect.flatMap(effects.idempotencyKey(call), (key) =>
            CallContext.metaOf(call, run, tool.server, key),
          ),
        ),
        Effect.flatMap(sent),
      );
      return Effect.flatMap(connections.listings, (listings) =>
        call.mustRecheck(listings) ? Effect.andThen(recheck(call), admitted) : admitted,
      );
    };

  const dropped = Effect.fnUntraced(function* (
    call: CallInFlight,
    tool: NamedTool,
    error: Dropped,
  ) {
    if (!call.isSent) return yield* error;
    yield* recheck(call);
    return yield* changed(tool);
  });

  const send = (call: CallInFlight, tool: NamedTool) =>
    connections.use(tool.server, call.agentId, overConnection(call, tool), call.interrupted).pipe(
      Effect.catchTag("RpcError", (error) =>
        Effect.succeed(Results.ofRpcError(error, tool.definition, tool.server.maxResultBytes)),
      ),
      Effect.tap(() => Effect.sync(() => reached(tool.server))),
      Effect.catchTag("Dropped", (error) => dropped(call, tool, error)),
    );

  /**
   * Sends the call again if it was not carried out because its server rejected the access token, or because
   * another node runs the server by now: the next connection has another token, and knows the node.
   */
  return (call: CallInFlight, tool: NamedTool) =>
    Effect.catchTag(send(call, tool), "ConnectorError", (error: ConnectorError) => {
      const isOutdated =
        error.reason === "unauthorized" || (error.reason === "otherNode" && !error.sent);
      if (!isOutdated || !call.isSent) return Effect.fail(error);
      call.rejected();
      return send(call, tool);
    });
});

export const make = Effect.gen(function* () {
  const access = yield* ToolAccess.make;
  const failed = yield* FailedCalls.make;
  const connections = yield* Connections;
  const events = yield* EventLog;
  const records = yield* CallRecords;
  const admissions = yield* Admissions;
  const effects = yield* EffectCalls;
  const newId = yield* Id.generator;
  const limits = yield* SharedCallLimits;
  const { findOrList, recheck } = yield* makeFinding(access, failed.refuse);
  const send = yield* makeSending(recheck, failed.reached);
  const { judgedEffect, runningOn, whenFinished } = yield* EffectAttempts.make;
  const inFlight = new Set<CallInFlight>();

  const followed = ["mcp.accessChanged", "mcp.toolsChanged", "agent.deleted"] as const;
  yield* ServerEvents.follow(events, followed, (event) =>
    Effect.forEach(
      mayRevoke(event) ? inFlight : [],
      (call) =>
        call.accessChanged(event.subjectId)
          ? Effect.catch(recheck(call), (refusal) => Effect.sync(() => call.interrupt(refusal)))
          : Effect.void,
      { discard: true },
    ),
  );

  const attempt = Effect.fnUntraced(function* (
    call: CallInFlight,
    known: ToolAccess.FoundTool | null = null,
  ) {
    // Together: each read of storage may take a round trip.
    const [found, mayCall] = yield* Effect.all(
      [
        known === null ? findOrList(call) : Effect.succeed(known),
        Effect.exit(admissions.mayCall(call.agentId, call.acting)),
      ],
      { concurrency: 2 },
    );
    const { permission, tool } = found;
    call.found(tool);
    if (permission !== null) yield* mayCall;
    yield* ToolAccess.permit(found);
    if (call.isEffect) {
      const result = yield* judgedEffect(call);
      if (result !== null) return result;
    }
    const refusal = yield* limits.admit(call, permission, tool.server);
    if (refusal !== null) return { content: [{ type: "text", text: refusal }], isError: true };
    const sent = Effect.catchTag(send(call, tool), "ConnectorError", (error) =>
      failed.refuse(call, tool.server, error),
    );
    return yield* call.isEffect ? runningOn(call, sent) : sent;
  });

  /** Attempts the call. An effect is judged again as often as an equal one is admitted before it. */
  const attempts = (call: CallInFlight, found: ToolAccess.FoundTool | null) => {
    const judged = (known: ToolAccess.FoundTool | null) =>
      Effect.retry(attempt(call, known), {
        while: (error) => {
          if (error._tag === "EffectHeld") limits.release(call);
          return error._tag === "EffectHeld";
        },
      });
    const again = Effect.flatMap(connections.listings, (listings) => {
      // Its slot names the server that changed.
      if (call.effect?.place != null) return changedRepeatedly;
      call.serverChanged(listings);
      return judged(null);
    });
    return judged(found).pipe(
      Effect.catchTag("Dropped", () => again),
      Effect.catchTag("Dropped", () => changedRepeatedly),
    );
  };

  const ended = Effect.fnUntraced(function* (
    call: CallInFlight,
    exit: Exit.Exit<ToolResult, unknown>,
  ) {
    yield* effects.ended(call, Exit.isSuccess(exit) ? exit.value : null);
    yield* records.ended(call, exit);
    call.ended();
    admissions.release(call);
    inFlight.delete(call);
    limits.release(call);
  });

  const started = Effect.fnUntraced(function* (request: Request) {
    const startedAt = yield* Clock.currentTimeMillis;
    const listings = yield* connections.listings;
    return new CallInFlight(yield* newId("call"), startedAt, request, listings);
  });

  const carriedOut = Effect.fnUntraced(function* <E, R>(
    call: CallInFlight,
    requireAgent: Effect.Effect<void, E, R>,
  ) {
    const found = yield* access.find(call.agentId, call.request.name);
    if (found?.permission == null) yield* requireAgent;
    // Also for the record of a call that its run does not permit.
    if (found !== null) call.found(found.tool);
    call.acting = yield* admissions.judgeFirst;
    return yield* attempts(call, found);
  });

  /** Runs a call. `requireAgent` fails if the agent does not exist; it runs only without a grant. */
  const run = Effect.fnUntraced(function* <E, R>(
    request: Request,
    requireAgent: Effect.Effect<void, E, R>,
  ) {
    const call = yield* started(request);
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => inFlight.add(call)),
      () => carriedOut(call, requireAgent),
      (_, exit) => whenFinished(call, exit, (finished) => ended(call, finished)),
    ).pipe(Effect.onExit((exit) => effects.handOver(call, exit)));
  });

  return { access, run };
});

const changedRepeatedly = ToolAccess.unavailable(
  "crashed",
  "The server changed repeatedly during the call.",
  "The call was not sent; it is safe to repeat. Its server changed repeatedly.",
);

const changed = ({ server }: NamedTool) =>
  ToolAccess.unavailable("crashed", `The server ${server.name} changed during the call.`);
