import { Deferred, Effect, Fiber } from "effect";
import * as Instructions from "../../Instructions.ts";
import {
  type CallOptions,
  type Completion,
  type Connection,
  ConnectorError,
  type Progress,
  type ReadOptions,
  type ResourceKind,
  RpcError,
  type ToolResult,
} from "../../McpConnector.ts";
import type { ToolUnavailable } from "../../McpErrors.ts";
import * as ServerText from "../../ServerText.ts";
import * as Definition from "../../untrusted/Definition.ts";
import { isTooDeep, maxLevels } from "../../untrusted/Depth.ts";
import * as Prompt from "../../untrusted/Prompt.ts";
import * as Resource from "../../untrusted/Resource.ts";
import * as Results from "../../untrusted/Results.ts";
import type { Scrubber } from "../../values/Scrubber.ts";

/**
 * Guards the service against its servers. Everything that a server sends passes here once, to be
 * checked, stripped of secrets, and translated into failures.
 */

interface Limits {
  /** The size of a result, in bytes of its JSON, above which it is dropped. */
  readonly maxResultBytes: number;
  /** The time limit of a call, regardless of progress. */
  readonly maxMillis: number;
}

type ReadLimits = Limits & Pick<CallOptions, "meta" | "timeoutMillis">;

interface CallNotices {
  /** Runs if a result arrived that the service replaced, because it was too large or unreadable. */
  readonly onReplaced?: () => void;
}

/** `ToolUnavailable`: the refusal of another node, which runs the server. */
type Failed = ConnectorError | RpcError | ToolUnavailable;

/** A connection whose lists, results and resources are checked. */
export interface GuardedConnection extends Omit<
  Connection,
  | "callTool"
  | "complete"
  | "getPrompt"
  | "greeting"
  | "listPrompts"
  | "listResources"
  | "listTools"
  | "readResource"
> {
  /** Lists tools and prompts. */
  readonly listTools: Effect.Effect<Definition.ServerListing, ConnectorError>;
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions & Limits & CallNotices,
  ): Effect.Effect<ToolResult, Failed>;
  /** Set if another node runs the server, which has to know the agent that a request acts for. */
  boundTo?(agentId: string): GuardedConnection;
  /** The value without the server's secrets. */
  scrub<A>(value: A): A;
  listResources(kind: ResourceKind): Effect.Effect<Resource.ResourceListing, Failed>;
  readResource(uri: string, options: ReadLimits): Effect.Effect<Resource.ResourceResult, Failed>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: ReadLimits,
  ): Effect.Effect<Prompt.PromptResult, Failed>;
  complete(
    completion: Completion,
    options: ReadLimits,
  ): Effect.Effect<Prompt.CompletionResult, Failed>;
}

export type Refused = ConnectorError | RpcError;

export interface Guard {
  readonly scrubber: Scrubber;
  /** Adds advice to a failure. */
  readonly explain: <E extends Refused>(failure: E) => E;
  /**
   * Runs on each failure. Returns true if the server rejected the token, which means that the
   * connection is lost.
   */
  readonly onFailure: (failure: Refused) => Effect.Effect<boolean>;
}

/** The same failure without secrets. */
export const scrubbed = <E extends Refused>(scrubber: Scrubber, failure: E): E => {
  const message = scrubber.text(failure.message);
  if (failure._tag === "RpcError") {
    const data = isTooDeep(failure.data) ? undefined : scrubber.json(failure.data);
    return new RpcError({ code: failure.code, message, data }) as E;
  }
  const { reason, retryAfterSeconds, scope, sent, status } = failure;
  return new ConnectorError({ reason, message, sent, status, scope, retryAfterSeconds }) as E;
};

export const make = (
  connection: Connection,
  { explain, onFailure, scrubber }: Guard,
): GuardedConnection => {
  const lost = Deferred.makeUnsafe<ConnectorError>();
  const cleaned = <E extends Refused>(failure: E) => explain(scrubbed(scrubber, failure));
  const guarded = <A, E extends Refused>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.matchEffect(effect, {
      onSuccess: (value) => Effect.succeed(scrubber.json(value)),
      onFailure: (failure) => {
        const failed: E = cleaned(failure);
        const refused: Refused = failed;
        return Effect.flatMap(onFailure(failure), (isLost) => {
          if (isLost && refused._tag === "ConnectorError") {
            Deferred.doneUnsafe(lost, Effect.succeed(refused));
          }
          return Effect.fail(failed);
        });
      },
    });
  return {
    connectMillis: connection.connectMillis,
    scrub: scrubber.json,
    listTools: guarded(
      Effect.map(withPrompts(connection), ({ prompts, tools }): Definition.ServerListing => ({
        ...tools,
        prompts,
        greeting: {
          ...connection.greeting,
          instructions: Instructions.read(connection.greeting.instructions),
        },
      })),
    ),
    listResources: (kind) =>
      guarded(Effect.flatMap(connection.listResources(kind), (sent) => Resource.judge(kind, sent))),
    readResource: (uri, limits) =>
      guarded(
        bounded(limits, Resource.tooLarge, (options) => connection.readResource(uri, options)).pipe(
          Effect.flatMap((sent) => Resource.read(sent, uri, limits.maxResultBytes)),
        ),
      ),
    getPrompt: (name, args, limits) =>
      guarded(
        bounded(limits, Prompt.tooLarge, (options) =>
          connection.getPrompt(name, args, options),
        ).pipe(Effect.flatMap((sent) => Prompt.read(sent, limits.maxResultBytes))),
      ),
    complete: (completion, limits) =>
      guarded(
        bounded(limits, Prompt.tooLarge, (options) =>
          connection.complete(completion, options),
        ).pipe(Effect.map(Prompt.completed)),
      ),
    callTool: (
      name,
      args,
      { maxMillis, maxResultBytes, meta, onProgress, onReplaced, timeoutMillis },
    ) =>
      guarded(
        connection
          .callTool(name, args, {
            maxResultBytes,
            meta,
            timeoutMillis,
            onProgress: onProgress && ((sent) => onProgress(progressOf(scrubber.json(sent)))),
          })
          .pipe(
            within(maxMillis),
            Effect.map((result) =>
              isTooDeep(result) ? tooDeepResult : Results.readable(result, maxResultBytes),
            ),
            Effect.catchTag("ConnectorError", (failure) =>
              failure.reason === "tooLarge"
                ? Effect.succeed(Results.tooLarge(failure.bytes, maxResultBytes))
                : Effect.fail(failure),
            ),
            Effect.tap((result) =>
              Effect.sync(() => {
                if (Results.isReplacement(result)) onReplaced?.();
              }),
            ),
          ),
      ),
    toolsChanged: connection.toolsChanged,
    resourcesChanged: connection.resourcesChanged,
    closed: Effect.raceFirst(Effect.map(connection.closed, cleaned), Deferred.await(lost)),
  };
};

/** The longest time that a list of tools waits for the list of prompts, once it is complete. */
const promptsAfter = "5 seconds";

/** Both lists. A server whose prompts fail keeps its tools. */
const withPrompts = Effect.fnUntraced(function* (connection: Connection) {
  const listing = yield* Effect.forkScoped(
    Effect.flatMap(connection.listPrompts, (sent) => Definition.judgeInSlices(sent, Prompt)),
  );
  const tools = yield* Effect.flatMap(connection.listTools, Definition.judgeInSlices);
  const prompts = yield* Fiber.join(listing).pipe(
    Effect.timeout(promptsAfter),
    Effect.orElseSucceed(() => null),
  );
  return { tools, prompts };
}, Effect.scoped);

/** A request that reads, within its limits. */
const bounded = (
  { maxMillis, maxResultBytes, meta, timeoutMillis }: ReadLimits,
  tooLarge: (bytes: number | undefined, limit: number) => RpcError,
  request: (options: ReadOptions) => Effect.Effect<unknown, ConnectorError | RpcError>,
): Effect.Effect<unknown, ConnectorError | RpcError> =>
  request({ maxResultBytes, meta, timeoutMillis }).pipe(
    within(maxMillis),
    Effect.catchTag("RpcError", (error) =>
      Effect.fail(Resource.boundedError(error, maxResultBytes)),
    ),
    Effect.catchTag("ConnectorError", (failure) =>
      Effect.fail<ConnectorError | RpcError>(
        failure.reason === "tooLarge" ? tooLarge(failure.bytes, maxResultBytes) : failure,
      ),
    ),
  );

/** Only the members that callers read: servers may add others, `_meta` among them. */
const progressOf = ({ message, progress, total }: Progress): Progress => ({
  progress,
  ...(total !== undefined && { total }),
  ...(message !== undefined && { message: ServerText.quoted(message) }),
});

/** Ends a request that makes progress for too long. */
const within =
  (maxMillis: number) =>
  <A, E>(request: Effect.Effect<A, E>): Effect.Effect<A, E | ConnectorError> =>
    Effect.timeoutOrElse(request, {
      duration: maxMillis,
      orElse: () =>
        Effect.fail(
          new ConnectorError({
            reason: "timeout",
            message: `Timed out after ${maxMillis / 1_000} s, the longest that a call of this server may take.`,
            sent: true,
          }),
        ),
    });

const tooDeepResult = Results.replacement(
  `The server's result is nested more than ${maxLevels} levels deep.`,
);
