import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { type McpConnector, type Principal, ResourceGateway } from "@quartermaster/core";
import { Effect, Predicate } from "effect";
import { grantedAgent } from "../toolbox/GrantedAgent.ts";
import type { CallingWorker } from "../toolbox/ServiceTool.ts";
import { EndpointOptions } from "./EndpointOptions.ts";
import * as Paging from "./Paging.ts";
import * as ReadRequests from "./ReadRequests.ts";

type Requested = Effect.Effect<object, ProtocolError, Principal.CurrentPrincipal>;

/** The error code of an unknown resource before protocol version 2026-07-28. */
const formerNotFound = -32_002;

const isNotFound = ({ code, data }: McpConnector.RpcError): boolean =>
  code === formerNotFound ||
  (code === ProtocolErrorCode.InvalidParams &&
    Predicate.isReadonlyObject(data) &&
    typeof data["uri"] === "string");

/** Handles requests for servers' resources, for the agent of the current principal. */
export const make = Effect.gen(function* () {
  const gateway = yield* ResourceGateway.ResourceGateway;
  const { inRun, refused } = yield* ReadRequests.make;
  const { pageSize } = yield* EndpointOptions;

  const list = Effect.fnUntraced(function* (
    kind: McpConnector.ResourceKind,
    cursor: unknown,
  ): Effect.fn.Return<object, ProtocolError, Principal.CurrentPrincipal> {
    const agentId = yield* grantedAgent;
    if (agentId === null) return { [kind]: [] };
    const isFirst = Paging.isFirst(cursor);
    const { incomplete, items } = yield* Effect.mapError(
      gateway.list(agentId, kind, !isFirst),
      refused,
    );
    const nameOf = (item: Readonly<Record<string, unknown>>) =>
      String(item["uri"] ?? item["uriTemplate"]);
    const page = Paging.read(items, nameOf, cursor, pageSize);
    if (page === undefined) return yield* Paging.invalidCursor;
    const { items: entries, ...rest } = page;
    return {
      [kind]: entries,
      ...rest,
      ...(isFirst &&
        incomplete.length > 0 && { _meta: { "quartermaster/incomplete": incomplete } }),
    };
  });

  const read = (uri: unknown, caller: CallingWorker | null): Requested =>
    Effect.gen(function* () {
      if (typeof uri !== "string") {
        const message = "params.uri must be a string";
        return yield* Effect.fail(new ProtocolError(ProtocolErrorCode.InvalidParams, message));
      }
      const notFound = (message?: string) => new ResourceNotFoundError(uri, message);
      const agentId = yield* grantedAgent;
      if (agentId === null) return yield* Effect.fail(notFound());
      return yield* inRun(caller, gateway.read(agentId, uri), (error) => {
        if (error._tag === "NotFound" || error._tag === "Forbidden") return notFound();
        return error._tag === "RpcError" && isNotFound(error) ? notFound(error.message) : null;
      });
    });

  return { list, read };
});
