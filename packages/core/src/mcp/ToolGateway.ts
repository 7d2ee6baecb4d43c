import { Clock, Context, Deferred, Effect, Exit, Layer, Metric, Option } from "effect";
import * as Principal from "../access/Principal.ts";
import { Agents } from "../agents/Agents.ts";
import { mayActFor } from "../agents/Runs.ts";
import * as Errors from "../Errors.ts";
import { EventLog } from "../events/EventLog.ts";
import * as Id from "../Id.ts";
import * as Input from "../Input.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import * as CallRecorder from "./CallRecorder.ts";
import { Connections } from "./Connections.ts";
import type { ConnectorError, Progress, ToolResult } from "./McpConnector.ts";
import { McpOptions } from "./McpOptions.ts";
import { type Grant, McpServerStore } from "./McpServerStore.ts";
import {
  type AgentToolList,
  type CallOutcome,
  type ToolCall,
  ToolCallRequest,
} from "./ToolCall.ts";
import * as ServerEvents from "./ServerEvents.ts";
import { ToolCallStore } from "./ToolCallStore.ts";
import { type NamedTool, ToolLists } from "./ToolLists.ts";
import * as Span from "../Span.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Errors.Forbidden | Errors.NotFound | Errors.StorageError;

/** What a call may ask for besides its result. */
export interface CallOptions {
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined;
}

/** The tools that agents may use, and their calls. Grants are looked at in the list and in each call. */
export class ToolGateway extends Context.Service<
  ToolGateway,
  {
    /** What the agent may use now: granted, enabled, accepted. It answers from what is known. */
    list(agentId: string): Effect.Effect<AgentToolList, Denied, CurrentPrincipal>;
    /** The same tools with their full definitions, for who speaks MCP. */
    usable(agentId: string): Effect.Effect<ReadonlyArray<NamedTool>, Errors.StorageError>;
    readonly revision: (agentId: string) => Effect.Effect<string, Errors.StorageError>;
    /**
     * Calls a tool, once. The result is the server's, without the server's secrets; its JSON-RPC
     * error is a result that says so. Interruption cancels the call at the server, and so does
     * what takes the tool from the agent meanwhile.
     */
    call(
      agentId: string,
      input: typeof ToolCallRequest.Encoded,
      options?: CallOptions,
    ): Effect.Effect<
      ToolResult,
      Denied | Errors.InvalidRequest | Errors.ToolUnavailable,
      CurrentPrincipal
    >;
    /** The record of calls, newest first unless told otherwise. */
    calls(
      request?: Page.PageRequest & {
        readonly agentId?: string | undefined;
        readonly serverId?: string | undefined;
      },
    ): Effect.Effect<
      Page.Page<ToolCall>,
      Errors.Forbidden | Errors.InvalidRequest | Errors.StorageError,
      CurrentPrincipal
    >;
  }
>()("@quartermaster/core/mcp/ToolGateway") {
  static readonly layer = Layer.effect(
    ToolGateway,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const lists = yield* ToolLists;
      const connections = yield* Connections;
      const agents = yield* Agents;
      const events = yield* EventLog;
      const callStore = yield* ToolCallStore;
      const { toolSeconds } = yield* McpOptions;
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;
      const decodeCall = Input.decoder(ToolCallRequest);
      const recorder = yield* CallRecorder.make((calls) => transact(callStore.append(calls)));
      const underWay = new Set<UnderWay>();

      const usable = Effect.fnUntraced(function* (agentId: string) {
        const grants = yield* store.grants(agentId);
        const found: Array<NamedTool> = [];
        for (const grant of grants) {
          if (grant.server.status !== "enabled") continue;
          for (const tool of yield* lists.of(grant.server)) {
            if (allows(grant, tool) && tool.state === "accepted") found.push(tool);
          }
        }
        return found;
      });

      const revision = (agentId: string) => Effect.flatMap(usable(agentId), lists.revision);

      const list = Span.fn("ToolGateway.list")(function* (agentId: string) {
        yield* mayActFor(agentId);
        yield* agents.exists(agentId);
        const tools = yield* usable(agentId);
        return {
          revision: yield* lists.revision(tools),
          tools: tools.map(({ listed }) => listed),
        };
      });

      /** The server that the name is of. The names of servers have no underscore. */
      const serverOf = (name: string) =>
        Effect.map(store.getByName(name.split("__", 1)[0] ?? ""), Option.getOrNull);

      /** The tool of that name, and whether the agent is granted it. */
      const find = Effect.fnUntraced(function* (agentId: string, name: string) {
        const server = yield* serverOf(name);
        if (server === null) return null;
        const tool = (yield* lists.of(server)).find((one) => one.name === name);
        if (tool === undefined) return null;
        const grant = yield* store.grant(server.id, agentId);
        return { tool, granted: Option.exists(grant, (one) => allows(one, tool)) };
      });

      /** Opens the server that the name is of, if it may be used and its tools were never seen. */
      const meet = Effect.fnUntraced(function* (agentId: string, name: string) {
        const server = yield* serverOf(name);
        if (server === null || server.known || server.status !== "enabled") return false;
        if (Option.isNone(yield* store.grant(server.id, agentId))) return false;
        yield* connections.use(server, agentId, () => Effect.void);
        return true;
      });

      const named = Effect.fnUntraced(function* (agentId: string, name: string) {
        const found = yield* find(agentId, name);
        if (found !== null) return found;
        const again = (yield* meet(agentId, name)) ? yield* find(agentId, name) : null;
        return again ?? (yield* unavailable("unknownTool", `There is no tool ${name}.`));
      });

      /** Refuses a tool that the agent was allowed to call if that has changed. */
      const stillAllowed = Effect.fnUntraced(function* (agentId: string, tool: NamedTool) {
        const { definition, name, server } = tool;
        const grant = Option.getOrNull(yield* store.grant(server.id, agentId));
        if (grant === null && Option.isNone(yield* store.get(server.id))) {
          return yield* unavailable("unknownTool", `There is no tool ${name}.`);
        }
        if (grant === null) return yield* permit(tool, false);
        const tools = yield* lists.of(grant.server);
        const now = tools.find((one) => one.definition.name === definition.name);
        if (now === undefined)
          return yield* unavailable("unknownTool", `There is no tool ${name}.`);
        return yield* permit(now, allows(grant, now));
      });

      const send = (
        agentId: string,
        tool: NamedTool,
        args: Readonly<Record<string, unknown>>,
        { onProgress }: CallOptions,
      ) =>
        connections
          .use(tool.server, agentId, (connection) =>
            Effect.andThen(
              // The connection has looked at the tools, and a grant may have gone, meanwhile.
              stillAllowed(agentId, tool),
              connection.callTool(tool.definition.name, args, {
                timeoutMillis: toolSeconds * 1_000,
                onProgress,
              }),
            ),
          )
          .pipe(
            Effect.catchTag("RpcError", (error) =>
              Effect.succeed<ToolResult>({
                content: [{ type: "text", text: error.message }],
                isError: true,
              }),
            ),
            Effect.catchTag("Dropped", () =>
              Effect.andThen(
                stillAllowed(agentId, tool),
                unavailable("crashed", `The server ${tool.server.name} was changed meanwhile.`),
              ),
            ),
          );

      /** Runs a call, until the tool is taken from the agent. */
      const whileAllowed = <A, E, R>(
        agentId: string,
        tool: NamedTool,
        effect: Effect.Effect<A, E, R>,
      ) =>
        Effect.suspend(() => {
          const one: UnderWay = { agentId, tool, cut: Deferred.makeUnsafe() };
          underWay.add(one);
          return Effect.raceFirst(effect, Deferred.await(one.cut)).pipe(
            Effect.ensuring(Effect.sync(() => underWay.delete(one))),
          );
        });

      yield* ServerEvents.follow(events, ["mcp.accessChanged"], ({ subjectId }) =>
        Effect.forEach(
          [...underWay].filter(({ tool }) => tool.server.id === subjectId),
          ({ agentId, cut, tool }) =>
            Effect.catch(stillAllowed(agentId, tool), (refusal) => Deferred.fail(cut, refusal)),
          { discard: true },
        ),
      );

      const call = Span.fn("ToolGateway.call")(function* (
        agentId: string,
        input: typeof ToolCallRequest.Encoded,
        options: CallOptions = {},
      ) {
        yield* mayActFor(agentId);
        const body = yield* decodeCall(input);
        yield* agents.exists(agentId);
        const args = body.arguments ?? {};
        const startedAt = yield* Timestamp.now;
        const started = yield* Clock.currentTimeMillis;
        let called: NamedTool | null = null;
        return yield* Effect.gen(function* () {
          const { granted, tool } = yield* named(agentId, body.name);
          called = tool;
          yield* permit(tool, granted);
          return yield* whileAllowed(agentId, tool, send(agentId, tool, args, options));
        }).pipe(
          Effect.catchTag("ConnectorError", (error) => unavailable(reasonOf(error), error.message)),
          Effect.catchTag("Dropped", () => unavailable("crashed", "The server was changed.")),
          Effect.onExit((exit) =>
            Effect.gen(function* () {
              const durationMs = (yield* Clock.currentTimeMillis) - started;
              const outcome = outcomeOf(exit);
              yield* Metric.update(Metric.withAttributes(callsTotal, { outcome }), 1);
              recorder.record({
                id: yield* newId("evt"),
                agentId,
                serverId: called?.server.id ?? null,
                tool: called?.definition.name ?? body.name.slice(0, 256),
                startedAt,
                durationMs,
                outcome,
                requestBytes: bytes(args),
                responseBytes: Exit.isSuccess(exit) ? bytes(exit.value) : 0,
              });
            }),
          ),
        );
      });

      const calls = Span.fn("ToolGateway.calls")(function* (
        request: Page.PageRequest & {
          readonly agentId?: string | undefined;
          readonly serverId?: string | undefined;
        } = {},
      ) {
        yield* Principal.requireUnbound("Admin");
        const { agentId, serverId } = request;
        yield* recorder.kept;
        const page = yield* Page.read(
          { ...request, defaultOrder: "desc", query: ["calls", agentId, serverId] },
          (slice) => callStore.list({ agentId, serverId }, slice),
        );
        return Page.map(page, ({ seq: _, ...record }) => record);
      });

      return ToolGateway.of({ list, usable, revision, call, calls });
    }),
  );
}

const callsTotal = Metric.counter("quartermaster_tool_calls_total", {
  description: "Tool calls, by outcome.",
  incremental: true,
});

/** A call that is under way, and how it is cut off. */
interface UnderWay {
  readonly agentId: string;
  readonly tool: NamedTool;
  readonly cut: Deferred.Deferred<never, Errors.ToolUnavailable | Errors.StorageError>;
}

const unavailable = (reason: typeof Errors.ToolUnavailableReason.Type, explanation: string) =>
  Effect.fail(new Errors.ToolUnavailable({ reason, explanation }));

const allows = (grant: Grant, tool: Pick<NamedTool, "definition">): boolean =>
  grant.tools === null || grant.tools.includes(tool.definition.name);

/** Refuses a tool that may not be called at this moment. */
const permit = (
  { name, server, state }: NamedTool,
  granted: boolean,
): Effect.Effect<void, Errors.ToolUnavailable> => {
  if (!granted) return unavailable("notGranted", `${name} is not granted to the agent.`);
  if (server.status === "disabled") {
    return unavailable("notEnabled", `The server ${server.name} is not enabled.`);
  }
  if (server.status === "error") {
    return unavailable("failing", `The server ${server.name} has failed; verify or enable it.`);
  }
  if (state === "gone") return unavailable("unknownTool", `${name} is not there any more.`);
  if (state !== "accepted") {
    return unavailable(
      "withheld",
      `${name} has changed since it was accepted; verify its server with accept=true.`,
    );
  }
  return Effect.void;
};

const reasonOf = ({ reason }: ConnectorError): typeof Errors.ToolUnavailableReason.Type => {
  if (reason === "timeout") return "timeout";
  return reason === "exited" || reason === "closed" ? "crashed" : "failing";
};

const outcomeOf = (exit: Exit.Exit<ToolResult, unknown>): CallOutcome => {
  if (Exit.isSuccess(exit)) return exit.value.isError === true ? "error" : "ok";
  const failure = Option.getOrNull(Exit.findErrorOption(exit));
  if (failure instanceof Errors.ToolUnavailable) return failure.reason;
  return failure === null && Exit.hasInterrupts(exit) ? "cancelled" : "failing";
};

const encoder = new TextEncoder();
const bytes = (value: unknown): number => encoder.encode(JSON.stringify(value) ?? "").length;
