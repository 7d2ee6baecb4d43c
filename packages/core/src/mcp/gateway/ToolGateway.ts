import { Context, Effect, Layer } from "effect";
import { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { Agents } from "../../agents/Agents.ts";
import { CurrentRun } from "../../agents/CurrentRun.ts";
import type {
  IdempotencyMismatch,
  InvalidRequest,
  NotFound,
  StorageError,
} from "../../CommonErrors.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import type * as Page from "../../Page.ts";
import type { ToolResult } from "../McpConnector.ts";
import type { ToolUnavailable } from "../McpErrors.ts";
import {
  type AgentToolList,
  type ToolCall,
  type ToolCallDetails,
  ToolCallRequest,
  type ToolFilter,
} from "../ToolCall.ts";
import * as ToolSearch from "../ToolSearch.ts";
import * as CallQueries from "./internal/CallQueries.ts";
import * as ToolCalls from "./internal/ToolCalls.ts";
import type { NamedTool } from "./internal/ToolLists.ts";

export type { CallsRequest } from "./internal/CallQueries.ts";
export type { CallOptions } from "./internal/ToolCalls.ts";
export type { NamedTool } from "./internal/ToolLists.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Forbidden | NotFound | StorageError;

/** The tools that agents may use, and their calls. Every list and every call checks the grants. */
export class ToolGateway extends Context.Service<
  ToolGateway,
  {
    /**
     * Lists the agent's tools: granted, enabled and accepted; with `q` the matching tools, best match
     * first. Contacts no server.
     */
    list(
      agentId: string,
      filter?: ToolFilter,
    ): Effect.Effect<AgentToolList, Denied, CurrentPrincipal>;
    /** Lists the same tools with their full definitions, for MCP clients. */
    usable(agentId: string): Effect.Effect<ReadonlyArray<NamedTool>, StorageError>;
    /** Lists the accepted instructions of the servers that the agent was granted, oldest server first. */
    instructions(
      agentId: string,
    ): Effect.Effect<
      ReadonlyArray<{ readonly server: string; readonly text: string }>,
      StorageError
    >;
    /** A hash of the agent's list, which changes with the list. */
    readonly revision: (agentId: string) => Effect.Effect<string, StorageError>;
    /**
     * Calls a tool, once. Returns the server's result, or its JSON-RPC error as a result with
     * `isError`, both without the server's secrets. An interruption cancels the call at the server,
     * and so does a change that revokes the tool.
     *
     * @example
     * ```ts
     * import { Agents, McpServers, ToolGateway } from "@quartermaster/core";
     * import { Fixtures, ScriptedConnector } from "@quartermaster/testing";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const connector = yield* ScriptedConnector.ScriptedConnector;
     *   connector.server("notes").tools = [Fixtures.definition("search")];
     *   yield* (yield* Agents.Agents).put("ops");
     *   const servers = yield* McpServers.McpServers;
     *   const envValues = { NOTES_KEY: "secret" };
     *   const { id } = yield* servers.install({ catalogId: "test-notes", name: "notes", envValues });
     *   yield* servers.verify(id);
     *   yield* servers.enable(id);
     *   yield* servers.putAccess(id, { entries: [{ agentId: "ops", granted: true }] });
     *   const gateway = yield* ToolGateway.ToolGateway;
     *   const result = yield* gateway.call("ops", { name: "notes__search", arguments: {} });
     *   return result.isError ?? false; // false
     * });
     * ```
     */
    call(
      agentId: string,
      input: typeof ToolCallRequest.Encoded,
      options?: ToolCalls.CallOptions,
    ): Effect.Effect<
      ToolResult,
      Denied | IdempotencyMismatch | InvalidRequest | ToolUnavailable,
      CurrentPrincipal
    >;
    /** Lists the records of calls, including calls in flight. Default order: newest first. */
    calls(
      request?: CallQueries.CallsRequest,
    ): Effect.Effect<
      Page.Page<ToolCall>,
      Forbidden | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /** Returns the record of a call, with its arguments and result if they were recorded. */
    recordOf(callId: string): Effect.Effect<ToolCallDetails, Denied, CurrentPrincipal>;
    /** Lists the records of a run's calls. Only Editors and above read the texts of errors. */
    callsOf(
      agentId: string,
      runId: string,
      page?: Page.PageRequest,
    ): Effect.Effect<Page.Page<ToolCall>, Denied | InvalidRequest, CurrentPrincipal>;
  }
>()("@quartermaster/core/mcp/gateway/ToolGateway") {
  static readonly layerNoDeps = Layer.effect(
    ToolGateway,
    Effect.gen(function* () {
      const { access, run } = yield* ToolCalls.make;
      const agents = yield* Agents;
      const { calls, callsOf, recordOf } = yield* CallQueries.make;
      const decodeCall = Input.decoder(ToolCallRequest);

      const list = Span.fn("ToolGateway.list")(function* (
        agentId: string,
        { limit, q }: ToolFilter = {},
      ) {
        yield* Principal.requireActingFor(agentId);
        yield* agents.exists(agentId);
        const tools = yield* access.usable(agentId);
        const found = q === undefined ? tools : ToolSearch.search(tools, q);
        return {
          revision: yield* access.revision(tools),
          tokens: tools.reduce((sum, tool) => sum + tool.tokens, 0),
          tools: found.slice(0, limit).map(({ listed }) => listed),
        };
      });

      const call = Span.fn("ToolGateway.call")(function* (
        agentId: string,
        input: typeof ToolCallRequest.Encoded,
        options: ToolCalls.CallOptions = {},
      ) {
        yield* Principal.requireActingFor(agentId);
        const acting = yield* CurrentRun;
        if (acting !== null && acting.agentId !== agentId) return yield* ofAnotherAgent;
        const { arguments: args, name } = yield* decodeCall(input);
        const request = { agentId, name, args: args ?? {}, options };
        return yield* run(request, agents.exists(agentId));
      });

      return ToolGateway.of({
        list,
        usable: access.usable,
        instructions: access.instructions,
        revision: (agentId) => Effect.flatMap(access.usable(agentId), access.revision),
        call,
        calls,
        callsOf,
        recordOf,
      });
    }),
  );
}

const ofAnotherAgent = new Forbidden({
  requiredRole: null,
  explanation:
    "The run that the request names is another agent's. Name a run of the agent whose tool you call, or none.",
});
