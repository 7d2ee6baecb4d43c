import {
  type Agents,
  type Attachments,
  type Comments,
  CurrentRun,
  CurrentWorker,
  Errors,
  type IssueEffects,
  type Issues,
  type Links,
  type McpConnector,
  type Principal,
  type Projects,
  type Questions,
  type Runs,
  ServerText,
  type Tool,
  type ToolCall,
  ToolGateway,
  type Workers,
} from "@quartermaster/core";
import { Context, Effect, Layer, Result } from "effect";
import * as ActingRuns from "./ActingRuns.ts";
import { grantedAgent } from "./GrantedAgent.ts";
import * as GrantedResults from "./GrantedResults.ts";
import * as NearestName from "./NearestName.ts";
import { Explained, type Refusal, Refusals } from "./Refusals.ts";
import { Blocks, type CallingWorker, type ServiceTool } from "./ServiceTool.ts";
import * as ServiceTools from "./ServiceTools.ts";
import * as StopNotices from "./StopNotices.ts";
import * as ToolSearch from "./ToolSearch.ts";

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
type OnProgress = (progress: McpConnector.Progress) => Effect.Effect<void>;

/** The caller, and how it sees granted tools. */
interface By {
  readonly caller: CallingWorker | null;
  readonly mode: Mode;
  /** The caller's name of the effect that the call is. */
  readonly effectName?: string | undefined;
}
type Arguments = ToolCall.ToolCallRequest["arguments"];

/** Writes that a worker with several runs makes without naming one of them in its request. */
const namesOwnRun = new Set(["work_next", "work_turn", "work_finish", "issue_comment"]);

/** Calls to the service's own tools, and the results of refused calls. */
const serviceCalls = Effect.gen(function* () {
  const { problemOf } = yield* Refusals;
  const actingFor = yield* ActingRuns.make;

  /** Turns a refusal by the service into one complete text that names tools, not routes. */
  const refused = (failure: Refusal | Explained): ActingRuns.Result => {
    const { detail: given, refusal } =
      failure._tag === "Explained" ? failure : { detail: undefined, refusal: failure };
    const { detail: general, status: _, title: __, type, ...members } = problemOf(refusal);
    const detail = given ?? general;
    const result = texts({ error: String(type).split(":").at(-1), detail, ...members }, true);
    return refusal._tag === "RunEnded" ? { ...result, _meta: ActingRuns.stopOf(refusal) } : result;
  };

  /** Makes a call on behalf of the run of its worker. `isFree` calls need no run, not even of several. */
  const acting = (
    caller: CallingWorker | null,
    isFree: boolean,
    call: Effect.Effect<ActingRuns.Result, never, Principal.CurrentPrincipal>,
  ) =>
    Effect.matchEffect(actingFor(caller), {
      onFailure: (error) => Effect.succeed(refused(error)),
      onSuccess: ({ run, several }) =>
        several.length > 0 && !isFree
          ? Effect.succeed(texts(ActingRuns.several(several), true))
          : Effect.provideService(call, CurrentRun.CurrentRun, run),
    });

  const serviceCall = (tool: ServiceTool, args: Arguments, caller: CallingWorker | null) => {
    return acting(
      caller,
      tool.isReadOnly || namesOwnRun.has(tool.name),
      Effect.match(tool.run(args ?? {}, caller), {
        onFailure: refused,
        onSuccess: (answer) => texts(answer, false),
      }),
    );
  };

  /** The result of a granted tool that the gateway refused; "unknown" for a tool that the agent may not know. */
  const notCalled = (
    refusal: Refusal,
    name: string,
    caller: CallingWorker | null,
  ): ActingRuns.Result | "unknown" => {
    const ended = ActingRuns.endedIn(refusal);
    if (ended !== undefined) return ActingRuns.notSent(ended, caller);
    if (refusal._tag === "NotFound" || refusal._tag === "Forbidden") return "unknown";
    if (refusal._tag !== "ToolUnavailable") return refused(refusal);
    const { reason } = refusal;
    if (reason === "effectUnknown") return ActingRuns.notSentAgain(refusal);
    if (reason === "unknownTool") return "unknown";
    const unusable = GrantedResults.unusable[reason]?.(name);
    if (unusable === undefined) return refused(refusal);
    return texts({ error: "tool-unavailable", detail: refusal.advice ?? unusable, reason }, true);
  };

  return { acting, notCalled, refused, serviceCall };
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
      by: By,
      onProgress?: OnProgress,
    ): Effect.Effect<ActingRuns.Result, never, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/mcp/agents/toolbox/Toolbox") {
  static readonly layer: Layer.Layer<
    Toolbox,
    never,
    | Agents.Agents
    | Attachments.Attachments
    | Comments.Comments
    | IssueEffects.IssueEffects
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
      const { acting, notCalled, refused, serviceCall } = yield* serviceCalls;
      const serviceTools = yield* ServiceTools.make;
      const byName = new Map(serviceTools.map((tool) => [tool.name, tool]));
      const own = () => serviceTools.map(({ definition }) => definition);
      const whileWorking = yield* StopNotices.make;

      const granted = Effect.flatMap(grantedAgent, (agentId) =>
        agentId === null ? Effect.succeed([]) : gateway.usable(agentId),
      );

      const list = Effect.fnUntraced(function* (mode: Mode) {
        if ((yield* mode) === "search")
          return [...own(), ...searchTools.map(({ definition }) => definition)];
        const tools = yield* granted;
        return [...own(), ...tools.map(definitionOf)];
      }, Effect.withSpan("Toolbox.list"));

      /** Refuses a tool that does not exist or is not granted to the agent. */
      const unknown = Effect.fnUntraced(function* (name: string, mode: Mode) {
        const tools = yield* Effect.orElseSucceed(list(mode), own);
        // In search mode the list has no granted tools.
        const others = yield* Effect.orElseSucceed(granted, () => []);
        const detail = NearestName.noTool(name, [...tools, ...others], "Call one of tools/list.");
        return texts({ error: "tool-unavailable", detail, reason: "unknownTool" }, true);
      });

      const grantedCall = Effect.fnUntraced(function* (
        name: string,
        args: Arguments,
        { caller, effectName, mode }: By,
        onProgress: OnProgress | undefined,
      ) {
        const agentId = yield* grantedAgent;
        if (agentId === null) return yield* unknown(name, mode);
        const called = gateway
          .call(agentId, { name, arguments: args ?? {} }, { effectName, onProgress })
          .pipe(
            Effect.map((result) => GrantedResults.withResources(name, result)),
            Effect.catch(
              (refusal): Effect.Effect<ActingRuns.Result, never, Principal.CurrentPrincipal> => {
                const result = notCalled(refusal, name, caller);
                return result === "unknown" ? unknown(name, mode) : Effect.succeed(result);
              },
            ),
          );
        return yield* acting(caller, false, called);
      });

      const named = Effect.fnUntraced(function* (name: string) {
        const tools = yield* granted;
        const tool = tools.find((each) => each.name === name);
        if (tool !== undefined) return tool;
        return yield* new Explained({
          refusal: new Errors.NotFound({ resource: "tool", id: name }),
          detail: byName.has(name)
            ? `${name} is in your list of tools. Call it directly.`
            : NearestName.noTool(name, tools, "Find one with search_tools."),
        });
      });

      const searchTools = ToolSearch.make({
        search: ({ limit = 5, query }) =>
          Effect.map(granted, (tools) => ToolSearch.search(tools, query, limit)),
        describe: ({ name }) => Effect.map(named(name), definitionOf),
        // Only validates the call. Its result passes through unchanged.
        call: ({ name }) => named(name),
      });
      const searchByName = new Map(searchTools.map((tool) => [tool.name, tool]));
      const callTool = searchByName.get("call_tool");

      /**
       * Executes `call_tool`: calls the granted tool in its arguments. A refusal becomes a result.
       */
      const calledByName = Effect.fnUntraced(function* (
        args: Arguments,
        by: By,
        onProgress: OnProgress | undefined,
      ) {
        const checked = yield* Effect.result(
          callTool?.run(args ?? {}, by.caller) ?? Effect.succeed({}),
        );
        if (Result.isFailure(checked)) return refused(checked.failure);
        const { arguments: inner, name } = args as {
          readonly arguments?: Arguments;
          readonly name: string;
        };
        return yield* grantedCall(name, inner, by, onProgress);
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
        Effect.map(granted, (tools) => {
          const tool = tools.find((each) => each.name === name);
          return tool !== undefined && "outputSchema" in tool.definition;
        }).pipe(Effect.orElseSucceed(() => false));

      const call: Toolbox["Service"]["call"] = Effect.fnUntraced(
        function* (name, args, by, onProgress) {
          const { caller, mode } = by;
          const tool = byName.get(name) ?? (yield* searchTool(name, mode));
          const called: Effect.Effect<ActingRuns.Result, never, Principal.CurrentPrincipal> =
            tool === undefined
              ? grantedCall(name, args, by, onProgress)
              : tool === callTool
                ? calledByName(args, by, onProgress)
                : serviceCall(tool, args, caller);
          if (caller === null) return yield* called;
          return yield* Effect.provideService(
            whileWorking(called, caller, hasSchema(name)),
            CurrentWorker.CurrentWorker,
            caller.workerName,
          );
        },
        // This costs 4 us, `Effect.fn` 11 us because of its stack trace.
        Effect.withSpan("Toolbox.call"),
      );

      return Toolbox.of({ list, call });
    }),
  );
}
