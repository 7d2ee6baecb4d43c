import {
  type Comments,
  type Issues,
  type Links,
  type McpConnector,
  Principal,
  Role,
  type Tool,
  type ToolCall,
  ToolGateway,
} from "@quartermaster/core";
import { Context, Effect, Layer, Schema } from "effect";
import * as IssueTools from "./IssueTools.ts";
import { type Refusal, Refusals } from "./Refusals.ts";

/** The agent may use no tool of this name. */
export class UnknownTool extends Schema.TaggedError<UnknownTool>()("UnknownTool", {
  name: Schema.String,
}) {}

type Arguments = ToolCall.ToolCallRequest["arguments"];

/** Reasons that mean "not this agent's tool". The others are about a tool that failed. */
const unusable = new Set(["unknownTool", "notGranted", "notEnabled", "withheld"]);

/** The tools of the current principal's agent: the issue tools, and the tools of granted servers. */
export class Toolbox extends Context.Service<
  Toolbox,
  {
    /** The servers' own definitions, under the names that `call` takes. */
    readonly list: Effect.Effect<
      ReadonlyArray<Tool.ToolDefinition>,
      Refusal,
      Principal.CurrentPrincipal
    >;
    /** A refusal becomes a result with `isError`. Interruption cancels the call. */
    call(
      name: string,
      args: Arguments,
      onProgress?: (progress: McpConnector.Progress) => Effect.Effect<void>,
    ): Effect.Effect<McpConnector.ToolResult, UnknownTool, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/mcp/tools/Toolbox") {
  static readonly layer: Layer.Layer<
    Toolbox,
    never,
    Comments.Comments | Issues.Issues | Links.Links | Refusals | ToolGateway.ToolGateway
  > = Layer.effect(
    Toolbox,
    Effect.gen(function* () {
      const gateway = yield* ToolGateway.ToolGateway;
      const { problemOf } = yield* Refusals;
      const issueTools = yield* IssueTools.make;
      const byName = new Map(issueTools.map((tool) => [tool.definition.name, tool]));
      const own = issueTools.map(({ definition }) => definition);

      /** The agent, if it may call the tools of servers. */
      const agent = Effect.map(Principal.CurrentPrincipal, ({ agentId, role }) =>
        agentId !== null && Role.includes(role, "Editor") ? agentId : null,
      );

      const list = Effect.gen(function* () {
        const agentId = yield* agent;
        const tools = agentId === null ? [] : yield* gateway.usable(agentId);
        return [...own, ...tools.map(({ definition, name }) => ({ ...definition, name }))];
      }).pipe(Effect.withSpan("Toolbox.list"));

      const refused = (refusal: Refusal): McpConnector.ToolResult => {
        const problem = problemOf(refusal);
        return {
          content: [
            { type: "text", text: problem.detail },
            { type: "text", text: JSON.stringify(problem) },
          ],
          structuredContent: problem,
          isError: true,
        };
      };

      const issueCall = (tool: IssueTools.IssueTool, args: Arguments) =>
        Effect.match(tool.run(args ?? {}), {
          onFailure: refused,
          onSuccess: (answer): McpConnector.ToolResult => ({
            content: [{ type: "text", text: JSON.stringify(answer) }],
            structuredContent: answer,
          }),
        });

      const call: Toolbox["Service"]["call"] = Effect.fnUntraced(
        function* (name, args, onProgress) {
          const tool = byName.get(name);
          if (tool !== undefined) return yield* issueCall(tool, args);
          const agentId = yield* agent;
          if (agentId === null) return yield* new UnknownTool({ name });
          return yield* Effect.catch(
            gateway.call(agentId, { name, arguments: args ?? {} }, { onProgress }),
            (refusal) =>
              refusal._tag === "NotFound" ||
              refusal._tag === "Forbidden" ||
              (refusal._tag === "ToolUnavailable" && unusable.has(refusal.reason))
                ? Effect.fail(new UnknownTool({ name }))
                : Effect.succeed(refused(refusal)),
          );
        },
        // 4 us, where `Effect.fn` takes 11 for a stack trace.
        Effect.withSpan("Toolbox.call"),
      );

      return Toolbox.of({ list, call });
    }),
  );
}
