import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type McpConnector, type Principal, PromptGateway } from "@quartermaster/core";
import { Effect, Predicate } from "effect";
import { grantedAgent } from "../toolbox/GrantedAgent.ts";
import { nearest } from "../toolbox/NearestName.ts";
import type { CallingWorker } from "../toolbox/ServiceTool.ts";
import { EndpointOptions } from "./EndpointOptions.ts";
import * as Paging from "./Paging.ts";
import * as ReadRequests from "./ReadRequests.ts";

type Requested = Effect.Effect<object, ProtocolError, Principal.CurrentPrincipal>;
type Params = Readonly<Record<string, unknown>>;

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** The texts of an object; undefined unless it is an object. */
const textsOf = (value: unknown): Readonly<Record<string, string>> | undefined =>
  Predicate.isReadonlyObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => {
          const [, text] = entry;
          return typeof text === "string";
        }),
      )
    : undefined;

const refOf = (ref: unknown): McpConnector.Completion["ref"] | null => {
  const { name, type, uri } = Predicate.isReadonlyObject(ref) ? ref : ({} as Params);
  if (type === "ref/prompt" && typeof name === "string") return { type, name };
  return type === "ref/resource" && typeof uri === "string" ? { type, uri } : null;
};

const completionOf = ({ argument, context, ref }: Params): McpConnector.Completion | null => {
  const { name, value } = Predicate.isReadonlyObject(argument) ? argument : ({} as Params);
  const completed = refOf(ref);
  if (completed === null || typeof name !== "string" || typeof value !== "string") return null;
  const given = Predicate.isReadonlyObject(context) ? textsOf(context["arguments"]) : undefined;
  return {
    ref: completed,
    argument: { name, value },
    ...(given !== undefined && { context: { arguments: given } }),
  };
};

/** Handles requests for servers' prompts and completions, for the agent of the current principal. */
export const make = Effect.gen(function* () {
  const gateway = yield* PromptGateway.PromptGateway;
  const { inRun, refused } = yield* ReadRequests.make;
  const { pageSize } = yield* EndpointOptions;

  const list = Effect.fnUntraced(function* (
    cursor: unknown,
  ): Effect.fn.Return<object, ProtocolError, Principal.CurrentPrincipal> {
    const agentId = yield* grantedAgent;
    const prompts = agentId === null ? [] : yield* Effect.mapError(gateway.list(agentId), refused);
    const page = Paging.read(prompts, ({ name }) => name, cursor, pageSize);
    if (page === undefined) return yield* Paging.invalidCursor;
    const { items, ...rest } = page;
    return { prompts: items.map(({ definition, name }) => ({ ...definition, name })), ...rest };
  });

  const unknownPrompt = Effect.fnUntraced(function* (agentId: string | null, name: string) {
    const prompts =
      agentId === null
        ? []
        : yield* Effect.orElseSucceed(gateway.list(agentId), (): ReadonlyArray<never> => []);
    const meant = nearest(
      name,
      prompts.map((prompt) => prompt.name),
    );
    const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
    return invalid(`There is no prompt ${name}.${hint}`);
  });

  /** Unlike a failed tool, an unknown or withheld prompt is an error of the parameters. */
  const refusalOf = (unknown: ProtocolError) => (error: ReadRequests.Failure) => {
    if (error._tag === "NotFound" || error._tag === "Forbidden") return unknown;
    return error._tag === "ToolUnavailable" && error.reason === "withheld"
      ? invalid(error.advice ?? error.explanation)
      : null;
  };

  const get = (params: Params, caller: CallingWorker | null): Requested =>
    Effect.gen(function* () {
      const { arguments: args, name } = params;
      if (typeof name !== "string") {
        return yield* Effect.fail(invalid("params.name must be a string"));
      }
      if (args !== undefined && !Predicate.isReadonlyObject(args)) {
        return yield* Effect.fail(invalid("params.arguments must be an object"));
      }
      const agentId = yield* grantedAgent;
      const unknown = yield* unknownPrompt(agentId, name);
      if (agentId === null) return yield* Effect.fail(unknown);
      return yield* inRun(caller, gateway.get(agentId, name, args ?? {}), refusalOf(unknown));
    });

  const complete = (params: Params, caller: CallingWorker | null): Requested =>
    Effect.gen(function* () {
      const completion = completionOf(params);
      if (completion === null) {
        return yield* Effect.fail(
          invalid(
            "params.ref must name a prompt or a resource, and params.argument must have name and value",
          ),
        );
      }
      const { ref } = completion;
      const agentId = yield* grantedAgent;
      const unknown =
        ref.type === "ref/prompt"
          ? yield* unknownPrompt(agentId, ref.name)
          : invalid(`There is no resource ${ref.uri}.`);
      if (agentId === null) return yield* Effect.fail(unknown);
      return yield* inRun(caller, gateway.complete(agentId, completion), refusalOf(unknown));
    });

  return { list, get, complete };
});
