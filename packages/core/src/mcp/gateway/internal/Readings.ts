import { Clock, Effect } from "effect";
import type { Forbidden } from "../../../access/AccessErrors.ts";
import * as Principal from "../../../access/Principal.ts";
import type { NotFound, StorageError } from "../../../CommonErrors.ts";
import * as Id from "../../../Id.ts";
import type { Permission } from "../../AccessEntry.ts";
import { Connections, Dropped, type GuardedConnection } from "../../connections/Connections.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import { type ConnectorError, RpcError } from "../../McpConnector.ts";
import { ToolUnavailable } from "../../McpErrors.ts";
import { McpOptions } from "../../McpOptions.ts";
import type { Offer } from "../../McpServerStore.ts";
import * as Outage from "../../Outage.ts";
import * as ServerLimits from "../../ServerLimits.ts";
import { Admissions } from "./Admissions.ts";
import * as CallContext from "./CallContext.ts";
import { SharedCallLimits } from "./CallLimits.ts";
import { CallRecords } from "./CallRecords.ts";
import * as FailedCalls from "./FailedCalls.ts";
import { ServerRead } from "./ServerRead.ts";
import * as ToolAccess from "./ToolAccess.ts";

/** Requests that read from a server and change nothing: resources, prompts and completions. */

/** A server whose resources and prompts the agent may use. */
export interface Granted {
  readonly server: InstalledServerRow;
  readonly permission: Permission;
}

/** The failures of such a request. */
export type Unread = Forbidden | NotFound | RpcError | StorageError | ToolUnavailable;

export interface Reading<G extends Granted, A> {
  readonly agentId: string;
  /** The tool of its record; null for a request that is not recorded. */
  readonly recordedAs: string | null;
  readonly content: unknown;
  /** Decides whether the agent may send it. Runs again when the server changes, and after the end. */
  readonly granted: Effect.Effect<G, NotFound | RpcError | StorageError | ToolUnavailable>;
  readonly toolDigest: (granted: G) => string | null;
  readonly send: (
    connection: GuardedConnection,
    granted: G,
    options: Parameters<GuardedConnection["readResource"]>[1],
  ) => Effect.Effect<A, ConnectorError | RpcError | ToolUnavailable>;
  /** The advice for a failure without other information, which says that the request may be repeated. */
  readonly advice: string;
}

/** Reasons for which a repeated request is refused as well. */
const lasting: ReadonlySet<string> = new Set(["agentPaused", "noRun", "runEnded"]);

/**
 * Returns whether a grant covers the whole server, possibly read-only. A grant of single tools
 * gives no resources and no prompts.
 */
export const isWhole = ({ tools }: Permission): boolean => tools === null;

/** The server, if the agent may use its resources and prompts. */
export const grantedIn = ({ permission, server }: Offer): Granted | null =>
  permission !== null && isWhole(permission) && Outage.isOffered(server)
    ? { permission, server }
    : null;

export const make = Effect.gen(function* () {
  const connections = yield* Connections;
  const failed = yield* FailedCalls.make;
  const records = yield* CallRecords;
  const admissions = yield* Admissions;
  const newId = yield* Id.generator;
  const limits = yield* SharedCallLimits;
  const { toolSeconds } = yield* McpOptions;

  const mayCall = (agentId: string) =>
    Effect.flatMap(admissions.judge, (acting) => admissions.mayCall(agentId, acting));

  /** Admits the request, and returns its `_meta`. */
  const admitted = Effect.fnUntraced(function* (
    call: ServerRead,
    isRecorded: boolean,
    server: InstalledServerRow,
  ) {
    if (!isRecorded) return yield* Effect.as(mayCall(call.agentId), undefined);
    const run = yield* Effect.catchTag(admissions.admit(call), "EffectHeld", Effect.die);
    return yield* CallContext.metaOf(call, run, server, null);
  });

  const attempt = Effect.fnUntraced(function* <G extends Granted, A>(
    call: ServerRead,
    reading: Reading<G, A>,
    found: G,
    listings: number,
    isLast = false,
  ) {
    const { server } = found;
    if (server.status === "error") return yield* ToolAccess.out(server);
    return yield* connections
      .use(
        server,
        call.agentId,
        (connection) =>
          Effect.gen(function* () {
            const isSame = (yield* connections.listings) === listings;
            const granted = isSame ? found : yield* reading.granted;
            const meta = yield* admitted(call, reading.recordedAs !== null, server);
            call.sent(connection.scrub);
            return yield* reading.send(connection, granted, {
              ...ServerLimits.times(server, toolSeconds),
              maxResultBytes: server.maxResultBytes,
              meta,
            });
          }),
        call.attempt(),
      )
      .pipe(
        Effect.tap(() => Effect.sync(() => failed.reached(server))),
        Effect.catchTag(
          "ConnectorError",
          (error): Effect.Effect<never, Dropped | StorageError | ToolUnavailable> =>
            // Another node runs the server by now.
            call.isSent && !isLast && error.reason === "otherNode" && !error.sent
              ? Effect.fail(new Dropped({ serverId: server.id }))
              : failed.refuse(call, server, error),
        ),
      );
  });

  /** Sends the request, within the limits of the grant. */
  return Effect.fnUntraced(function* <G extends Granted, A>(
    reading: Reading<G, A>,
  ): Effect.fn.Return<A, Unread, Principal.CurrentPrincipal> {
    const { agentId, content, granted, recordedAs } = reading;
    yield* Principal.requireActingFor(agentId);
    const listings = yield* connections.listings;
    const found = yield* granted;
    const { permission, server } = found;
    const startedAt = yield* Clock.currentTimeMillis;
    const target = { server, tool: recordedAs ?? "", toolDigest: reading.toolDigest(found) };
    const call = new ServerRead(yield* newId("call"), agentId, startedAt, content, target);
    const allowed = Effect.andThen(mayCall(agentId), limits.admit(call, permission, server));
    return yield* Effect.flatMap(allowed, (message) =>
      message === null
        ? attempt(call, reading, found, listings)
        : Effect.fail(new RpcError({ code: -32_603, message })),
    ).pipe(
      // The server changed in the meantime. Reading changes nothing, so read once more.
      Effect.catchTag("Dropped", () =>
        Effect.gen(function* () {
          const listings = yield* connections.listings;
          return yield* attempt(call, reading, yield* granted, listings, true);
        }),
      ),
      Effect.catchTag("Dropped", () =>
        ToolAccess.unavailable(
          "crashed",
          `The server ${server.name} changed repeatedly during the request.`,
        ),
      ),
      Effect.catchTag("ToolUnavailable", (refusal) =>
        Effect.fail(
          lasting.has(refusal.reason)
            ? refusal
            : new ToolUnavailable({ ...refusal, advice: refusal.advice ?? reading.advice }),
        ),
      ),
      // Access may have ended in the meantime.
      Effect.tap(() => granted),
      Effect.ensuring(
        Effect.sync(() => {
          limits.release(call);
          admissions.release(call);
        }),
      ),
      Effect.onExit((exit) => (recordedAs === null ? Effect.void : records.ended(call, exit))),
    );
  });
});
