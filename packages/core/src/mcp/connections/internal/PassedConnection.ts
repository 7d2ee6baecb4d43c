import { Deferred, Effect, Exit, Stream } from "effect";
import { CurrentRun } from "../../../agents/CurrentRun.ts";
import * as Timestamp from "../../../Timestamp.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import type { ConnectorError, Progress } from "../../McpConnector.ts";
import type { Nodes } from "../../Nodes.ts";
import type * as Passed from "../../Passed.ts";
import type { ProcessLease } from "../../ProcessLeaseStore.ts";
import type { ServerListing } from "../../untrusted/Definition.ts";
import type { Scrubber } from "../../values/Scrubber.ts";
import type { GuardedConnection } from "./GuardedConnection.ts";
import type { Opened } from "./Opening.ts";
import type { ProcessLeases } from "./ProcessLeases.ts";

/**
 * A connection to a server whose process another node runs. That node checks what the server sends. The
 * connection is lost when that node does not respond or no longer has the lease.
 */
export const make = (
  server: Pick<InstalledServerRow, "generation" | "id">,
  lease: ProcessLease & { readonly url: string },
  options: {
    readonly nodes: NonNullable<typeof Nodes.Service>;
    readonly scrubber: Scrubber;
    readonly unreachable: ProcessLeases["unreachable"];
  },
): Opened => {
  const { nodes, scrubber, unreachable } = options;
  const lost = Deferred.makeUnsafe<ConnectorError>();

  const lose = (failure: ConnectorError) =>
    Effect.gen(function* () {
      const since = unreachable.get(server.id)?.since ?? (yield* Timestamp.now);
      unreachable.set(server.id, { since, retryAt: lease.expiresAt });
      Deferred.doneUnsafe(lost, Exit.succeed(failure));
      // The next caller must not find this connection.
      yield* Effect.yieldNow;
    });

  const bound = (agentId: string | null): GuardedConnection => {
    const pass = (
      action: Passed.Action,
      onProgress: (progress: Progress) => Effect.Effect<void> = () => Effect.void,
    ) =>
      Effect.gen(function* () {
        const run = yield* CurrentRun;
        const { generation, id: serverId } = server;
        const request = {
          nodeId: lease.nodeId,
          serverId,
          generation,
          agentId,
          runId: run?.id ?? null,
          action,
        };
        const response = yield* nodes.pass(lease.url, request, onProgress);
        unreachable.delete(serverId);
        return response;
      }).pipe(
        Effect.tapErrorTag("ConnectorError", (failure) =>
          failure.reason === "otherNode" ? lose(failure) : Effect.void,
        ),
      );
    /** The node that runs the server has decoded and checked the result. */
    const resultOf = <A>(action: Passed.Action) =>
      Effect.map(pass(action), ({ result }) => result as A);
    return {
      connectMillis: 0,
      scrub: scrubber.json,
      listTools: Effect.catchTags(resultOf<ServerListing>({ kind: "listTools" }), {
        RpcError: Effect.die,
        ToolUnavailable: Effect.die,
      }),
      callTool: (name, args, { onProgress, onReplaced, ...limits }) =>
        pass({ kind: "callTool", name, args, ...limits }, onProgress).pipe(
          Effect.map(({ isReplaced, result }) => {
            if (isReplaced) onReplaced?.();
            return result as Effect.Success<ReturnType<GuardedConnection["callTool"]>>;
          }),
        ),
      listResources: (resources) => resultOf({ kind: "listResources", resources }),
      readResource: (uri, limits) => resultOf({ kind: "readResource", uri, ...limits }),
      getPrompt: (name, args, limits) => resultOf({ kind: "getPrompt", name, args, ...limits }),
      complete: (completion, limits) => resultOf({ kind: "complete", completion, ...limits }),
      // That node follows the server's changes of tools, and stores them.
      toolsChanged: Stream.never,
      resourcesChanged: Stream.never,
      closed: Deferred.await(lost),
    };
  };

  return { ...bound(null), boundTo: bound, staleAt: null };
};
