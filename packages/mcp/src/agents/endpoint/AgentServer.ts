import {
  type AuthInfo,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import {
  CurrentProcess,
  CurrentTrace,
  Delivery,
  type Principal,
  type PromptGateway,
  type ResourceGateway,
  type Workers,
} from "@quartermaster/core";
import { Cause, Context, Effect, Exit, FiberSet, type Scope, Predicate } from "effect";
import { anything, jsonSchemaValidator } from "../../protocol/PassThrough.ts";
import { version } from "../../protocol/Version.ts";
import { Refusals } from "../toolbox/Refusals.ts";
import { Toolbox } from "../toolbox/Toolbox.ts";
import { callerOf, type Origin, originOf, processOf } from "./CallerOf.ts";
import { EndpointOptions } from "./EndpointOptions.ts";
import type { EndpointRequest } from "./EndpointRequest.ts";
import * as Paging from "./Paging.ts";
import * as PromptRequests from "./PromptRequests.ts";
import * as ResourceRequests from "./ResourceRequests.ts";

type Requested = Effect.Effect<object, ProtocolError, Principal.CurrentPrincipal>;

const serverInfo = { name: "quartermaster", title: "Quartermaster", version };

const options: ServerOptions = {
  capabilities: {
    tools: { listChanged: true },
    resources: { listChanged: true },
    prompts: { listChanged: true },
    completions: {},
  },
  // The endpoint sends no requests to clients, so there are no responses to validate.
  jsonSchemaValidator,
};

/**
 * Methods that return servers' results. Core has validated them; the SDK would drop unknown fields.
 */
const passed = new Set(["completion/complete", "prompts/get", "resources/read", "tools/call"]);

/** The SDK's server without its validation of servers' results. */
class PassThroughServer extends Server {
  readonly #hasPrompts: boolean;

  constructor({ hasPrompts = true, ...given }: ServerFor) {
    super(serverInfo, { ...options, ...given });
    this.#hasPrompts = hasPrompts;
  }

  override getCapabilities(): ReturnType<Server["getCapabilities"]> {
    const { completions, prompts, ...others } = super.getCapabilities();
    return this.#hasPrompts ? { completions, prompts, ...others } : others;
  }

  protected override _wrapHandler(
    ...[method, handler]: Parameters<Server["_wrapHandler"]>
  ): ReturnType<Server["_wrapHandler"]> {
    return passed.has(method) ? handler : super._wrapHandler(method, handler);
  }
}

/** Carries the Effect context of an HTTP request through the SDK to its message handlers. */
export const authInfoOf = (
  request: EndpointRequest,
  context: Context.Context<Principal.CurrentPrincipal>,
): AuthInfo => ({
  token: "",
  clientId: request.keyId,
  scopes: [],
  extra: { context, origin: originOf(request) },
});

interface Extra {
  readonly context: Context.Context<Principal.CurrentPrincipal>;
  readonly origin: Origin;
}

const extraOf = ({ http }: ServerContext) => http?.authInfo?.extra as unknown as Extra;

const isEffectName = (name: unknown): name is string =>
  typeof name === "string" && name.length >= 1 && name.length <= 128;

/** The caller of the message. */
const callerIn = (ctx: ServerContext) => {
  const { context, origin } = extraOf(ctx);
  return callerOf(origin, ctx.mcpReq._meta, context);
};

const withoutDefects = (cause: Cause.Cause<ProtocolError>): Effect.Effect<never, ProtocolError> =>
  Cause.hasDies(cause)
    ? Effect.andThen(
        Effect.logError("Unhandled error in an MCP request", cause),
        Effect.fail(new ProtocolError(ProtocolErrorCode.InternalError, "Internal error")),
      )
    : Effect.failCause(cause);

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

export interface ServerFor {
  /** Sent with `initialize` and `server/discover`; other requests do not need instructions. */
  readonly instructions?: string;
  /**
   * Whether the server announces prompts and completions: the key is of an agent that may use servers.
   * Default: true, for requests whose responses have no capabilities.
   */
  readonly hasPrompts?: boolean;
  /** Default: every protocol version that has sessions. */
  readonly supportedProtocolVersions?: Array<string>;
}

/**
 * Returns a factory of servers: one per session, one shared by all plain requests of the current
 * protocol version, and one for each other request of that version.
 */
export const maker: Effect.Effect<
  (options: ServerFor) => Server,
  never,
  | Toolbox
  | PromptGateway.PromptGateway
  | Refusals
  | ResourceGateway.ResourceGateway
  | Scope.Scope
  | Workers.Workers
> = Effect.gen(function* () {
  const toolbox = yield* Toolbox;
  const resources = yield* ResourceRequests.make;
  const prompts = yield* PromptRequests.make;
  const { problemOf } = yield* Refusals;
  const { pageSize } = yield* EndpointOptions;
  const inFlight = yield* FiberSet.make<object, ProtocolError>();

  /** Runs a message's effect in the context of its HTTP request. Cancellation interrupts it. */
  const run = (requested: Requested, ctx: ServerContext, client: unknown) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const { context } = extraOf(ctx);
      const { _meta: meta, envelope } = ctx.mcpReq;
      const process = Context.get(context, CurrentProcess.CurrentProcess);
      const deliveries = Delivery.make();
      const traced = requested.pipe(
        Effect.provideService(CurrentTrace.CurrentTrace, CurrentTrace.of(meta)),
        Effect.provideService(CurrentProcess.CurrentProcess, processOf(process, envelope, client)),
        Effect.provideService(Delivery.CurrentDelivery, deliveries.report),
      );
      const fiber = Effect.runForkWith(context)(Effect.catchCause(traced, withoutDefects), {
        signal: ctx.mcpReq.signal,
      });
      FiberSet.addUnsafe(inFlight, fiber);
      fiber.addObserver((exit) => {
        if (Exit.isFailure(exit)) {
          deliveries.settle(false);
          reject(Cause.squash(exit.cause));
          return;
        }
        // The SDK sends the result in this turn of the event loop, before it handles a cancellation.
        Context.get(context, Delivery.CurrentDelivery)(deliveries.settle);
        resolve(exit.value as Record<string, unknown>);
      });
    });

  const list = (cursor: unknown, ctx: ServerContext): Requested =>
    Effect.matchEffect(toolbox.list(extraOf(ctx).origin.toolMode), {
      onFailure: (refusal) =>
        Effect.fail(new ProtocolError(ProtocolErrorCode.InternalError, problemOf(refusal).detail)),
      onSuccess: (tools) => {
        const page = Paging.read(tools, ({ name }) => name, cursor, pageSize);
        if (page === undefined) return Paging.invalidCursor;
        const { items, ...rest } = page;
        return Effect.succeed({ tools: items, ...rest });
      },
    });

  const call = (params: Readonly<Record<string, unknown>>, ctx: ServerContext): Requested => {
    const { arguments: args, name } = params;
    if (typeof name !== "string") return Effect.fail(invalid("params.name must be a string"));
    if (args !== undefined && !Predicate.isReadonlyObject(args)) {
      return Effect.fail(invalid("params.arguments must be an object"));
    }
    const effectName = ctx.mcpReq._meta?.["quartermaster/effect"];
    if (effectName !== undefined && !isEffectName(effectName)) {
      return Effect.fail(
        invalid("params._meta quartermaster/effect must be a text of 1 to 128 characters"),
      );
    }
    const progressToken = ctx.mcpReq._meta?.progressToken;
    return toolbox.call(
      name,
      args ?? {},
      { caller: callerIn(ctx), mode: extraOf(ctx).origin.toolMode, effectName },
      progressToken === undefined
        ? undefined
        : (progress) =>
            Effect.ignore(
              Effect.tryPromise(() =>
                ctx.mcpReq.notify({
                  method: "notifications/progress",
                  params: { progressToken, ...progress },
                }),
              ),
            ),
    );
  };

  return (given) => {
    const server = new PassThroughServer(given);
    const handle = (
      method: string,
      requested: (params: Readonly<Record<string, unknown>>, ctx: ServerContext) => Requested,
    ) =>
      server.setRequestHandler(method, { params: anything }, (params, ctx) =>
        run(
          requested(Predicate.isReadonlyObject(params) ? params : {}, ctx),
          ctx,
          server.getClientVersion(),
        ),
      );
    handle("tools/list", ({ cursor }, ctx) => list(cursor, ctx));
    handle("tools/call", call);
    handle("resources/list", ({ cursor }) => resources.list("resources", cursor));
    handle("resources/templates/list", ({ cursor }) => resources.list("resourceTemplates", cursor));
    handle("resources/read", ({ uri }, ctx) => resources.read(uri, callerIn(ctx)));
    handle("prompts/list", ({ cursor }) => prompts.list(cursor));
    handle("prompts/get", (params, ctx) => prompts.get(params, callerIn(ctx)));
    handle("completion/complete", (params, ctx) => prompts.complete(params, callerIn(ctx)));
    return server;
  };
});
