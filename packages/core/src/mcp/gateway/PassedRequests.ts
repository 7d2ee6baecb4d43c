import { Context, Effect, Layer, Option } from "effect";
import { CurrentRun } from "../../agents/CurrentRun.ts";
import type { StorageError } from "../../CommonErrors.ts";
import * as Access from "../AccessEntry.ts";
import { Connections, type GuardedConnection } from "../connections/Connections.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import { ConnectorError, type Progress } from "../McpConnector.ts";
import type { ToolUnavailable } from "../McpErrors.ts";
import { McpServerStore } from "../McpServerStore.ts";
import * as Passed from "../Passed.ts";
import { Admissions } from "./internal/Admissions.ts";
import * as Readings from "./internal/Readings.ts";
import * as ToolAccess from "./internal/ToolAccess.ts";
import { ToolLists } from "./internal/ToolLists.ts";

/**
 * Requests that other nodes pass on to this node because it runs their server. The other node admits and records
 * a call; this one judges again whether its run and its agent may make it.
 */
export class PassedRequests extends Context.Service<
  PassedRequests,
  {
    /** Fails with `otherNode` if this node does not run the server. Interruption cancels the request. */
    handle(
      request: Passed.Request,
      onProgress: (progress: Progress) => Effect.Effect<void>,
    ): Effect.Effect<Passed.Response, Passed.Failure>;
  }
>()("@quartermaster/core/mcp/gateway/PassedRequests") {
  static readonly layerNoDeps = Layer.effect(
    PassedRequests,
    Effect.gen(function* () {
      const connections = yield* Connections;
      const store = yield* McpServerStore;
      const lists = yield* ToolLists;
      const admissions = yield* Admissions;

      /** Fails unless the agent and the run that the request acts for may make it now. */
      const judge = Effect.fnUntraced(function* (
        server: InstalledServerRow,
        agentId: string,
        action: Exclude<Passed.Action, { readonly kind: "listTools" }>,
      ) {
        if (action.kind !== "listResources") {
          yield* admissions.mayCall(agentId, yield* admissions.judge);
        }
        const offer = Option.getOrNull(yield* store.offer(server.name, agentId));
        if (offer?.server.id !== server.id) return yield* notHere;
        if (action.kind !== "callTool" && action.kind !== "getPrompt") {
          if (Readings.grantedIn(offer) === null) return yield* notGranted(server);
          return;
        }
        const kind = action.kind === "callTool" ? "tool" : "prompt";
        const all = yield* lists.of(offer.server, kind);
        const tool = all.find(({ definition }) => definition.name === action.name);
        if (tool === undefined) return yield* ToolAccess.unknownTool(action.name);
        const { permission } = offer;
        const isAllowed =
          permission !== null &&
          (kind === "tool"
            ? Access.allows(permission, tool.definition)
            : Readings.isWhole(permission));
        yield* ToolAccess.permit({ tool, permission: isAllowed ? permission : null });
      });

      const handle = Effect.fnUntraced(function* (
        request: Passed.Request,
        onProgress: (progress: Progress) => Effect.Effect<void>,
      ): Effect.fn.Return<Passed.Response, Passed.Failure | StorageError> {
        const { action, agentId, generation, runId, serverId } = request;
        const server = Option.getOrNull(yield* store.get(serverId));
        if (server?.generation !== generation || !connections.runsHere(request)) {
          return yield* notHere;
        }
        let isSent = false;
        const judged = (connection: GuardedConnection) =>
          Effect.gen(function* () {
            if (!connections.runsHere(request)) return yield* notHere;
            if (action.kind === "listTools") {
              return { result: yield* connection.listTools, isReplaced: false };
            }
            if (agentId === null) return yield* notGranted(server);
            yield* judge(server, agentId, action).pipe(
              Effect.provideService(CurrentRun, runId === null ? null : { id: runId, agentId }),
            );
            isSent = true;
            return yield* carriedOut(connection, action, onProgress);
          });
        return yield* Effect.catchTag(connections.use(server, null, judged), "Dropped", () =>
          Effect.fail(isSent ? changed : notHere),
        );
      });

      return PassedRequests.of({
        handle: (request, onProgress) =>
          Effect.catchTag(handle(request, onProgress), "StorageError", (error) =>
            Effect.andThen(
              Effect.logWarning("Cannot judge a request of another node", error),
              Effect.fail(notHere),
            ),
          ),
      });
    }),
  );
}

const carriedOut = (
  connection: GuardedConnection,
  action: Exclude<Passed.Action, { readonly kind: "listTools" }>,
  onProgress: (progress: Progress) => Effect.Effect<void>,
): Effect.Effect<Passed.Response, Passed.Failure> => {
  const as = (result: unknown) => ({ result, isReplaced: false });
  switch (action.kind) {
    case "callTool": {
      const { args, name, ...limits } = action;
      let isReplaced = false;
      const onReplaced = () => {
        isReplaced = true;
      };
      const call = connection.callTool(name, args, { ...limits, onProgress, onReplaced });
      return Effect.map(call, (result) => ({ result, isReplaced }));
    }
    case "listResources":
      return Effect.map(connection.listResources(action.resources), as);
    case "readResource":
      return Effect.map(connection.readResource(action.uri, action), as);
    case "getPrompt":
      return Effect.map(connection.getPrompt(action.name, action.args, action), as);
    case "complete":
      return Effect.map(connection.complete(action.completion, action), as);
  }
};

const notHere = Passed.elsewhere("The node that was asked no longer runs the server.");

const changed = new ConnectorError({
  reason: "closed",
  message: "The server changed during the call.",
  sent: true,
});

const notGranted = ({ name }: InstalledServerRow): Effect.Effect<never, ToolUnavailable> =>
  ToolAccess.unavailable("notGranted", `The server ${name} is not granted to the agent.`);
