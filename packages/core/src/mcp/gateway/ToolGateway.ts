import { Clock, Context, Deferred, Effect, Exit, Layer, Metric, Option } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { Agents } from "../../agents/Agents.ts";
import type { InvalidRequest, NotFound, StorageError } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Id from "../../Id.ts";
import * as Input from "../../internal/Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Page from "../../Page.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { Connections, type Failure } from "../connections/Connections.ts";
import type { Connection, ConnectorError, Progress, ToolResult } from "../McpConnector.ts";
import type { ToolUnavailableReason } from "../McpErrors.ts";
import { ToolUnavailable } from "../McpErrors.ts";
import { McpOptions } from "../McpOptions.ts";
import { type Grant, McpServerStore } from "../McpServerStore.ts";
import * as ServerEvents from "../ServerEvents.ts";
import { type AgentToolList, CallOutcome, type ToolCall, ToolCallRequest } from "../ToolCall.ts";
import { ToolCallStore } from "../ToolCallStore.ts";
import * as CallRecorder from "./internal/CallRecorder.ts";
import { type NamedTool, ToolLists } from "./internal/ToolLists.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Forbidden | NotFound | StorageError;

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
    usable(agentId: string): Effect.Effect<ReadonlyArray<NamedTool>, StorageError>;
    readonly revision: (agentId: string) => Effect.Effect<string, StorageError>;
    /**
     * Calls a tool, once. The result is the server's, without the server's secrets; its JSON-RPC
     * error is a result that says so. Interruption cancels the call at the server, and so does
     * what takes the tool from the agent meanwhile.
     */
    call(
      agentId: string,
      input: typeof ToolCallRequest.Encoded,
      options?: CallOptions,
    ): Effect.Effect<ToolResult, Denied | InvalidRequest | ToolUnavailable, CurrentPrincipal>;
    /** The record of calls, newest first unless told otherwise. */
    calls(
      request?: Page.PageRequest & {
        readonly agentId?: string | undefined;
        readonly serverId?: string | undefined;
      },
    ): Effect.Effect<
      Page.Page<ToolCall>,
      Forbidden | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
  }
>()("@quartermaster/core/mcp/gateway/ToolGateway") {
  static readonly layerNoDeps = Layer.effect(
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
        yield* Principal.requireActingFor(agentId);
        yield* agents.exists(agentId);
        const tools = yield* usable(agentId);
        return {
          revision: yield* lists.revision(tools),
          tools: tools.map(({ listed }) => listed),
        };
      });

      /** The server that the name is of. The names of servers have no underscore. */
      const offerOf = (agentId: string, name: string) =>
        Effect.map(store.offer(name.split("__", 1)[0] ?? "", agentId), Option.getOrNull);

      /** The tool of that name, and whether the agent is granted it. */
      const find = Effect.fnUntraced(function* (agentId: string, name: string) {
        const offer = yield* offerOf(agentId, name);
        if (offer === null) return null;
        const tool = yield* lists.named(offer.server, name);
        if (tool === undefined) return null;
        return { tool, granted: offer.grant !== null && allows(offer.grant, tool) };
      });

      /** Opens the server that the name is of, if it may be used and its tools were never seen. */
      const meet = Effect.fnUntraced(function* (agentId: string, name: string) {
        const offer = yield* offerOf(agentId, name);
        if (offer === null || offer.grant === null) return false;
        const { server } = offer;
        if (server.known || server.status !== "enabled") return false;
        yield* connections.use(server, agentId, () => Effect.void);
        return true;
      });

      /** Looks for it again where its server's tools were never seen. */
      const findAgain = Effect.fnUntraced(function* (agentId: string, name: string) {
        const found = (yield* meet(agentId, name)) ? yield* find(agentId, name) : null;
        return found ?? (yield* unknownTool(name));
      });

      /** Refuses a call that was allowed if that has changed. */
      const stillAllowed = Effect.fnUntraced(function* ({ agentId, name, tool }: UnderWay) {
        const now = yield* find(agentId, name);
        if (now === null || now.tool.server.id !== tool?.server.id) return yield* unknownTool(name);
        return yield* permit(now.tool, now.granted);
      });

      /** Sends a call, until the tool is taken from the agent. */
      const send = (
        one: UnderWay,
        tool: NamedTool,
        args: Readonly<Record<string, unknown>>,
        { onProgress }: CallOptions,
      ) => {
        const answer = (connection: Connection, waited: boolean) => {
          const called = Effect.suspend(() => {
            one.isSent = true;
            return connection.callTool(tool.definition.name, args, {
              timeoutMillis: toolSeconds * 1_000,
              onProgress,
            });
          });
          // The connection has looked at the tools, and a grant may have gone, meanwhile.
          return waited || one.isDoubtful ? Effect.andThen(stillAllowed(one), called) : called;
        };
        return connections.use(tool.server, one.agentId, answer, one.cut).pipe(
          Effect.catchTag("RpcError", (error) =>
            Effect.succeed<ToolResult>({
              content: [{ type: "text", text: error.message }],
              isError: true,
            }),
          ),
          Effect.catchTag(
            "Dropped",
            Effect.fnUntraced(function* (dropped) {
              if (!one.isSent) return yield* dropped;
              yield* stillAllowed(one);
              const explanation = `The server ${tool.server.name} was changed meanwhile.`;
              return yield* unavailable("crashed", explanation);
            }),
          ),
        );
      };

      yield* ServerEvents.follow(events, ["mcp.accessChanged"], ({ subjectId }) =>
        Effect.forEach(
          underWay,
          (one) => {
            if (one.tool === null) one.isDoubtful = true;
            return one.tool?.server.id === subjectId
              ? Effect.catch(stillAllowed(one), (refusal) => Deferred.fail(one.cut, refusal))
              : Effect.void;
          },
          { discard: true },
        ),
      );

      /** Writes a call down when it is over. */
      const recorded = <A extends ToolResult, E, R>(
        one: UnderWay,
        args: Readonly<Record<string, unknown>>,
        effect: Effect.Effect<A, E, R>,
      ) =>
        Effect.flatMap(Clock.currentTimeMillis, (started) =>
          Effect.onExit(effect, (exit) =>
            Effect.gen(function* () {
              const outcome = outcomeOf(exit);
              yield* Metric.update(callsTotal[outcome], 1);
              recorder.record({
                id: yield* newId("evt"),
                agentId: one.agentId,
                serverId: one.tool?.server.id ?? null,
                tool: one.tool?.definition.name ?? one.name.slice(0, 256),
                startedAt: Timestamp.ofMillis(started),
                durationMs: (yield* Clock.currentTimeMillis) - started,
                outcome,
                requestBytes: bytes(args),
                responseBytes: Exit.isSuccess(exit) ? bytes(exit.value) : 0,
              });
            }),
          ),
        );

      const run = Effect.fnUntraced(function* (
        one: UnderWay,
        args: Readonly<Record<string, unknown>>,
        options: CallOptions,
      ) {
        const { agentId, name } = one;
        const found = yield* find(agentId, name);
        // Who is granted something is there.
        if (found?.granted !== true) yield* agents.exists(agentId);
        const attempt = Effect.fnUntraced(function* (known: typeof found) {
          const { granted, tool } = known ?? (yield* findAgain(agentId, name));
          one.tool = tool;
          yield* permit(tool, granted);
          return yield* send(one, tool, args, options);
        });
        const again = Effect.suspend(() => {
          one.tool = null;
          one.cut = Deferred.makeUnsafe();
          return Effect.flatMap(find(agentId, name), attempt);
        });
        return yield* attempt(found).pipe(
          // Nothing was sent: the server as it is now may be asked.
          Effect.catchTag("Dropped", () => again),
          Effect.catchTag("ConnectorError", (error) => unavailable(reasonOf(error), error.message)),
          Effect.catchTag("Dropped", () => unavailable("crashed", "The server was changed.")),
          (effect) => recorded(one, args, effect),
        );
      });

      const call = Span.fn("ToolGateway.call")(function* (
        agentId: string,
        input: typeof ToolCallRequest.Encoded,
        options: CallOptions = {},
      ) {
        yield* Principal.requireActingFor(agentId);
        const { arguments: args, name } = yield* decodeCall(input);
        const cut = Deferred.makeUnsafe<never, ToolUnavailable | Failure>();
        const one: UnderWay = { agentId, name, tool: null, isDoubtful: false, isSent: false, cut };
        return yield* Effect.suspend(() => {
          underWay.add(one);
          return run(one, args ?? {}, options);
        }).pipe(Effect.ensuring(Effect.sync(() => underWay.delete(one))));
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

const callsTotal = Object.fromEntries(
  CallOutcome.literals.map((outcome) => [
    outcome,
    Metric.counter("quartermaster_tool_calls_total", {
      description: "Tool calls, by outcome.",
      incremental: true,
      attributes: { outcome },
    }),
  ]),
) as Record<CallOutcome, Metric.Counter<number>>;

/** A call that is under way, and how it is cut off. */
interface UnderWay {
  readonly agentId: string;
  readonly name: string;
  /** Null until it is found. */
  tool: NamedTool | null;
  /** Access changed when nobody knew which tool it is. */
  isDoubtful: boolean;
  /** The server may have been told of it. */
  isSent: boolean;
  cut: Deferred.Deferred<never, ToolUnavailable | Failure>;
}

const unavailable = (reason: typeof ToolUnavailableReason.Type, explanation: string) =>
  Effect.fail(new ToolUnavailable({ reason, explanation }));

const unknownTool = (name: string) => unavailable("unknownTool", `There is no tool ${name}.`);

const allows = (grant: Pick<Grant, "tools">, tool: Pick<NamedTool, "definition">): boolean =>
  grant.tools === null || grant.tools.includes(tool.definition.name);

/** Refuses a tool that may not be called at this moment. */
const permit = (
  { name, server, state }: NamedTool,
  granted: boolean,
): Effect.Effect<void, ToolUnavailable> => {
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
