import {
  type Agents,
  type Attachments,
  type Comments,
  CurrentRun,
  Errors,
  type Issues,
  type Links,
  type McpConnector,
  type Principal,
  type Projects,
  type Questions,
  Resource,
  type Runs,
  ServerText,
  type Tool,
  type ToolCall,
  ToolGateway,
  Workers,
} from "@quartermaster/core";
import { Context, Effect, Layer, Result } from "effect";
import * as DirectoryTools from "./DirectoryTools.ts";
import * as FileTools from "./FileTools.ts";
import { grantedAgent } from "./GrantedAgent.ts";
import * as IssueTools from "./IssueTools.ts";
import * as NearestName from "./NearestName.ts";
import * as PlanTools from "./PlanTools.ts";
import * as QuestionTools from "./QuestionTools.ts";
import { type Explained, type Refusal, Refusals } from "./Refusals.ts";
import { Blocks, type CallingWorker, type ServiceTool } from "./ServiceTool.ts";
import * as StopNotices from "./StopNotices.ts";
import * as ToolSearch from "./ToolSearch.ts";
import * as WorkTools from "./WorkTools.ts";

const definitionOf = ({ definition, name }: ToolGateway.NamedTool): Tool.ToolDefinition => ({
  ...definition,
  name,
});

/**
 * A result with one text of compact JSON, or of blocks: hosts give the model either text or structured content.
 */
const texts = (answer: object, isError: boolean): McpConnector.ToolResult => ({
  content:
    answer instanceof Blocks
      ? answer.content
      : [{ type: "text", text: ServerText.quotedJson(answer) }],
  ...(isError ? { isError } : {}),
});

type Mode = CallingWorker["toolMode"];
type Arguments = ToolCall.ToolCallRequest["arguments"];

/**
 * Rewrites URIs in the result to the form that `resources/read` accepts. Server names contain no
 * underscore.
 */
const withResources = (
  tool: string,
  { content, ...result }: McpConnector.ToolResult,
): McpConnector.ToolResult => {
  const [server = ""] = tool.split("__", 1);
  return { content: content.map((block) => Resource.namespacedBlock(server, block)), ...result };
};

/** The message for a granted tool that cannot be called, by reason. */
const unusable: Readonly<Record<string, (name: string) => string>> = {
  notGranted: (name) => `${name} is not granted any more. Do without it.`,
  notEnabled: (name) => `${name} is not available: an Admin disabled its server. Do without it.`,
  withheld: (name) => `${name} is withheld until an Admin accepts it. Do without it.`,
};

/** Calls to the service's own tools, and the results of refused calls. */
const serviceCalls = Effect.gen(function* () {
  const workers = yield* Workers.Workers;
  const { problemOf } = yield* Refusals;

  /** Turns a refusal by the service into one complete text that names tools, not routes. */
  const refused = (failure: Refusal | Explained): McpConnector.ToolResult => {
    const { detail: given, refusal } =
      failure._tag === "Explained" ? failure : { detail: undefined, refusal: failure };
    const { detail: general, status: _, title: __, type, ...members } = problemOf(refusal);
    const detail = given ?? general;
    return texts({ error: String(type).split(":").at(-1), detail, ...members }, true);
  };

  /** The run that the request names, otherwise the worker's live run if it has exactly one. */
  const actingRun = Effect.fnUntraced(function* (caller: CallingWorker | null) {
    const named = yield* CurrentRun.CurrentRun;
    if (named !== null || caller === null) return named;
    const { agentId, worker } = caller;
    const runs = worker.runId === null ? yield* workers.live(agentId, worker) : [worker];
    const [run] = runs;
    return runs.length === 1 && run?.runId != null ? { id: run.runId, agentId } : null;
  });

  const serviceCall = (tool: ServiceTool, args: Arguments, caller: CallingWorker | null) =>
    Effect.match(
      Effect.flatMap(actingRun(caller), (run) =>
        Effect.provideService(tool.run(args ?? {}, caller), CurrentRun.CurrentRun, run),
      ),
      { onFailure: refused, onSuccess: (answer) => texts(answer, false) },
    );

  return { refused, serviceCall };
});

/**
 * The tools of the current principal's agent: the service's own tools, and the tools of granted
 * servers. Every call renews the runs of the agent's worker, and its result reports runs that must
 * stop.
 */
export class Toolbox extends Context.Service<
  Toolbox,
  {
    /** Returns the definitions, under the names that `call` accepts. */
    list(
      mode: Mode,
    ): Effect.Effect<ReadonlyArray<Tool.ToolDefinition>, Refusal, Principal.CurrentPrincipal>;
    /**
     * Calls a tool. A refusal, including an unknown tool, becomes a result with `isError`.
     * Interruption cancels the call.
     */
    call(
      name: string,
      args: Arguments,
      by: { readonly caller: CallingWorker | null; readonly mode: Mode },
      onProgress?: (progress: McpConnector.Progress) => Effect.Effect<void>,
    ): Effect.Effect<StopNotices.Result, never, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/mcp/agents/toolbox/Toolbox") {
  static readonly layer: Layer.Layer<
    Toolbox,
    never,
    | Agents.Agents
    | Attachments.Attachments
    | Comments.Comments
    | Issues.Issues
    | Links.Links
    | Projects.Projects
    | Questions.Questions
    | Refusals
    | Runs.Runs
    | ToolGateway.ToolGateway
    | Workers.Workers
  > = Layer.effect(
    Toolbox,
    Effect.gen(function* () {
      const gateway = yield* ToolGateway.ToolGateway;
      const { refused, serviceCall } = yield* serviceCalls;
      const serviceTools = (yield* Effect.all([
        WorkTools.make,
        IssueTools.make,
        PlanTools.make,
        QuestionTools.make,
        FileTools.make,
        DirectoryTools.make,
      ])).flat();
      const byName = new Map(serviceTools.map((tool) => [tool.definition.name, tool]));
      const own = serviceTools.map(({ definition }) => definition);
      const whileWorking = yield* StopNotices.make;

      const granted = Effect.flatMap(grantedAgent, (agentId) =>
        agentId === null ? Effect.succeed([]) : gateway.usable(agentId),
      );

      const list = Effect.fnUntraced(function* (mode: Mode) {
        if ((yield* mode) === "search")
          return [...own, ...searchTools.map(({ definition }) => definition)];
        const tools = yield* granted;
        return [...own, ...tools.map(definitionOf)];
      }, Effect.withSpan("Toolbox.list"));

      /** Refuses a tool that does not exist or is not granted to the agent. */
      const unknown = Effect.fnUntraced(function* (name: string, mode: Mode) {
        const tools = yield* Effect.orElseSucceed(list(mode), () => own);
        const names = tools.map((tool) => tool.name);
        const nearest = NearestName.nearest(name, names);
        const advice =
          nearest === undefined ? "Call one of tools/list." : `Did you mean ${nearest}?`;
        const detail = `There is no tool ${name.slice(0, 128)}. ${advice}`;
        return texts({ error: "tool-unavailable", detail, reason: "unknownTool" }, true);
      });

      const grantedCall = Effect.fnUntraced(function* (
        name: string,
        args: Arguments,
        mode: Mode,
        onProgress: ((progress: McpConnector.Progress) => Effect.Effect<void>) | undefined,
      ) {
        const agentId = yield* grantedAgent;
        if (agentId === null) return yield* unknown(name, mode);
        return yield* gateway.call(agentId, { name, arguments: args ?? {} }, { onProgress }).pipe(
          Effect.map((result) => withResources(name, result)),
          Effect.catch((refusal) => {
            if (refusal._tag === "NotFound" || refusal._tag === "Forbidden") {
              return unknown(name, mode);
            }
            if (refusal._tag !== "ToolUnavailable") return Effect.succeed(refused(refusal));
            const { reason } = refusal;
            if (reason === "unknownTool") return unknown(name, mode);
            const detail = unusable[reason]?.(name);
            return Effect.succeed(
              detail === undefined
                ? refused(refusal)
                : texts({ error: "tool-unavailable", detail, reason }, true),
            );
          }),
        );
      });

      const named = Effect.fnUntraced(function* (name: string) {
        const tool = (yield* granted).find((each) => each.name === name);
        return tool ?? (yield* new Errors.NotFound({ resource: "tool", id: name }));
      });

      const searchTools = ToolSearch.make({
        search: ({ limit = 5, query }) =>
          Effect.map(granted, (tools) => ToolSearch.search(tools, query, limit)),
        describe: ({ name }) => Effect.map(named(name), definitionOf),
        // Only validates the call. Its result passes through unchanged.
        call: ({ name }) => named(name),
      });
      const searchByName = new Map(searchTools.map((tool) => [tool.definition.name, tool]));
      const callTool = searchByName.get("call_tool");

      /**
       * Executes `call_tool`: calls the granted tool in its arguments. A refusal becomes a result.
       */
      const calledByName = Effect.fnUntraced(function* (
        args: Arguments,
        caller: CallingWorker | null,
        mode: Mode,
        onProgress: ((progress: McpConnector.Progress) => Effect.Effect<void>) | undefined,
      ) {
        const checked = yield* Effect.result(
          callTool?.run(args ?? {}, caller) ?? Effect.succeed({}),
        );
        if (Result.isFailure(checked)) return refused(checked.failure);
        const { arguments: inner, name } = args as {
          readonly arguments?: Arguments;
          readonly name: string;
        };
        return yield* grantedCall(name, inner, mode, onProgress);
      });

      /** The search tool with this name; undefined unless the agent is in search mode. */
      const searchTool = (name: string, mode: Mode) => {
        const tool = searchByName.get(name);
        return tool === undefined
          ? Effect.succeed(undefined)
          : Effect.map(
              Effect.orElseSucceed(mode, () => "direct" as const),
              (found) => (found === "search" ? tool : undefined),
            );
      };

      /** Whether a granted tool has an `outputSchema`. */
      const hasSchema = (name: string) =>
        Effect.gen(function* () {
          const tool = (yield* granted).find((each) => each.name === name);
          return tool !== undefined && "outputSchema" in tool.definition;
        }).pipe(Effect.orElseSucceed(() => false));

      const call: Toolbox["Service"]["call"] = Effect.fnUntraced(
        function* (name, args, { caller, mode }, onProgress) {
          const tool = byName.get(name) ?? (yield* searchTool(name, mode));
          const called: Effect.Effect<McpConnector.ToolResult, never, Principal.CurrentPrincipal> =
            tool === undefined
              ? grantedCall(name, args, mode, onProgress)
              : tool === callTool
                ? calledByName(args, caller, mode, onProgress)
                : serviceCall(tool, args, caller);
          return yield* caller === null ? called : whileWorking(called, caller, hasSchema(name));
        },
        // This costs 4 us, `Effect.fn` 11 us because of its stack trace.
        Effect.withSpan("Toolbox.call"),
      );

      return Toolbox.of({ list, call });
    }),
  );
}
