import { Clock, Context, Effect, Exit, Layer, Option, Queue, type Scope } from "effect";
import * as Principal from "../access/Principal.ts";
import { Agents } from "../agents/Agents.ts";
import { mayActFor } from "../agents/Runs.ts";
import * as Errors from "../Errors.ts";
import * as Id from "../Id.ts";
import * as Input from "../Input.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
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
import { ToolCallStore } from "./ToolCallStore.ts";
import { type NamedTool, ToolLists } from "./ToolLists.ts";

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
     * error is a result that says so. Interruption cancels the call at the server.
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
      const callStore = yield* ToolCallStore;
      const { toolSeconds } = yield* McpOptions;
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;
      const decodeCall = Input.decoder(ToolCallRequest);
      const records = yield* recorder((calls) => transact(callStore.append(calls)));

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

      const list = Effect.fn("ToolGateway.list")(function* (agentId: string) {
        yield* mayActFor(agentId);
        yield* agents.exists(agentId);
        const tools = yield* usable(agentId);
        return {
          revision: yield* lists.revision(tools),
          tools: tools.map(({ name, server, definition }) => ({
            name,
            server: server.name,
            tool: definition.name,
            title: text(definition["title"]),
            description: text(definition["description"]),
            inputSchema: object(definition["inputSchema"]) ?? {},
            annotations: object(definition["annotations"]),
          })),
        };
      });

      /** The tool of that name among all servers', and the agent's grant of its server. */
      const find = Effect.fnUntraced(function* (agentId: string, name: string) {
        for (const grant of yield* store.grants(agentId)) {
          const tool = (yield* lists.of(grant.server)).find((one) => one.name === name);
          if (tool !== undefined) return { tool, granted: allows(grant, tool) };
        }
        for (const server of yield* store.list) {
          const tool = (yield* lists.of(server)).find((one) => one.name === name);
          if (tool !== undefined) return { tool, granted: false };
          if (!server.known && name.startsWith(`${server.name}__`)) return { server };
        }
        return null;
      });

      /** The tool, if the agent may call it at this moment. */
      const permitted = Effect.fnUntraced(function* (agentId: string, name: string) {
        const found = yield* find(agentId, name);
        if (found === null) return yield* unavailable("unknownTool", `There is no tool ${name}.`);
        if (!("tool" in found)) {
          return yield* unavailable(
            "unknownTool",
            `The tools of ${found.server.name} are not known yet; verify it.`,
          );
        }
        const { tool, granted } = found;
        if (!granted)
          return yield* unavailable("notGranted", `${name} is not granted to the agent.`);
        const { status } = tool.server;
        if (status === "disabled") {
          return yield* unavailable("notEnabled", `The server ${tool.server.name} is not enabled.`);
        }
        if (status === "error") {
          return yield* unavailable(
            "failing",
            `The server ${tool.server.name} has failed; verify or enable it.`,
          );
        }
        if (tool.state === "gone") {
          return yield* unavailable("unknownTool", `${name} is not there any more.`);
        }
        if (tool.state !== "accepted") {
          return yield* unavailable(
            "withheld",
            `${name} has changed since it was accepted; verify its server with accept=true.`,
          );
        }
        return tool;
      });

      const send = Effect.fnUntraced(function* (
        agentId: string,
        tool: NamedTool,
        args: Readonly<Record<string, unknown>>,
        options: CallOptions,
      ) {
        return yield* connections.use(tool.server, agentId, ({ connection, scrubber }) =>
          Effect.gen(function* () {
            // The connection has looked at the tools, and a grant may have gone, meanwhile.
            yield* permitted(agentId, tool.name);
            const { onProgress } = options;
            return yield* connection
              .callTool(tool.definition.name, args, {
                timeoutMillis: toolSeconds * 1_000,
                onProgress:
                  onProgress === undefined
                    ? undefined
                    : (progress) => onProgress(scrubber.json(progress)),
              })
              .pipe(
                Effect.map((result) => scrubber.json(result)),
                Effect.catchTag("RpcError", (error) =>
                  Effect.succeed<ToolResult>({
                    content: [{ type: "text", text: scrubber.text(error.message) }],
                    isError: true,
                  }),
                ),
              );
          }),
        );
      });

      const call = Effect.fn("ToolGateway.call")(function* (
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
          const tool = yield* permitted(agentId, body.name);
          called = tool;
          return yield* send(agentId, tool, args, options);
        }).pipe(
          Effect.catchTag("ConnectorError", (error) => unavailable(reasonOf(error), error.message)),
          Effect.onExit((exit) =>
            Effect.gen(function* () {
              const durationMs = (yield* Clock.currentTimeMillis) - started;
              records({
                id: yield* newId("evt"),
                agentId,
                serverId: called?.server.id ?? null,
                tool: called?.definition.name ?? body.name,
                startedAt,
                durationMs,
                outcome: outcomeOf(exit),
                requestBytes: bytes(args),
                responseBytes: Exit.isSuccess(exit) ? bytes(exit.value) : 0,
              });
            }),
          ),
        );
      });

      const calls = Effect.fn("ToolGateway.calls")(function* (
        request: Page.PageRequest & {
          readonly agentId?: string | undefined;
          readonly serverId?: string | undefined;
        } = {},
      ) {
        yield* Principal.requireUnbound("Admin");
        const { agentId, serverId } = request;
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

const unavailable = (reason: typeof Errors.ToolUnavailableReason.Type, explanation: string) =>
  Effect.fail(new Errors.ToolUnavailable({ reason, explanation }));

const allows = (grant: Grant, tool: Pick<NamedTool, "definition">): boolean =>
  grant.tools === null || grant.tools.includes(tool.definition.name);

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

const object = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;

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

/**
 * Keeps records without making calls wait: many in one transaction, the last ones when the scope
 * closes.
 */
const recorder = Effect.fnUntraced(function* (
  keep: (calls: ReadonlyArray<ToolCall>) => Effect.Effect<void, Errors.StorageError>,
): Effect.fn.Return<(call: ToolCall) => void, never, Scope.Scope> {
  const queue = yield* Queue.unbounded<ToolCall>();
  const write = (calls: ReadonlyArray<ToolCall>) =>
    calls.length === 0
      ? Effect.void
      : Effect.catch(keep(calls), (error) =>
          Effect.logError(`${calls.length} records of tool calls were lost`, error),
        );
  yield* Effect.addFinalizer(() => Effect.flatMap(Queue.clear(queue), write));
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(Queue.takeBetween(queue, 1, 500)), write),
      ),
    ),
  );
  return (call) => {
    Queue.offerUnsafe(queue, call);
  };
});
